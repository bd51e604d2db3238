"""The withdrawn entries; ``withdrawn.json`` has their ids by reason, line of the paper and parent."""

from __future__ import annotations

import json
from pathlib import Path

from proofs_checks.paper.shared.prelude import *

chapter = Chapter()

for _reason in json.loads(Path(__file__).with_name("withdrawn.json").read_text(encoding="utf-8")):
    for _place in _reason["withdrawn"]:
        for _id in _place["ids"]:
            chapter.withdrawn(_id, _reason["why"], line=_place["line"], under=_place["under"])
