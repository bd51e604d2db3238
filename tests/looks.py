"""How a figure looks, as one digest: of each picture as it was looked at; drawn otherwise, it is looked at again."""

from hashlib import sha256
from numbers import Number

import numpy as np
from matplotlib.transforms import BboxBase

LOOKS = (
    "title xlabel ylabel xscale yscale xlim ylim xticks yticks label color mfc linestyle marker lw ms markevery xydata "
    "segments sizes facecolor offsets bbox hatch"
)


def looks(figure):
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    sizes = [(legend._ncols, legend.get_texts()[0].get_fontsize()) for legend in figure.legends]
    yield figure.get_size_inches(), figure.get_suptitle(), figure.get_supxlabel(), texts, sizes
    for axes in figure.axes:
        for each in (axes, *axes.lines, *axes.collections, *axes.patches):
            yield [getattr(each, f"get_{look}")() for look in LOOKS.split() if hasattr(each, f"get_{look}")]
            if hasattr(each, "get_paths"):
                yield [path.vertices for path in each.get_paths()]


def plainly(look):
    """Texts, and numbers to four digits: no version of a library decides how they are written."""
    if isinstance(look, str | None):
        return look and str(look)
    if isinstance(look, Number):
        return f"{round(float(look), 9) + 0:.4g}"
    return [plainly(each) for each in (np.asarray(look) if isinstance(look, BboxBase) else look)]


def digest(figure):
    return sha256(str(plainly(looks(figure))).encode()).hexdigest()[:12]
