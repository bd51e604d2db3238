"""The errors that are raised on purpose."""

from __future__ import annotations

import pytest

from theory import BanditError


def refusal(call, *arguments, **named):
    """Return the text of the error with which a call refuses its arguments."""
    with pytest.raises(BanditError) as caught:
        call(*arguments, **named)
    return str(caught.value)
