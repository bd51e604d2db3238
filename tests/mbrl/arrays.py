"""The arrays of objects of any kind, for the tests."""

import numpy as np


def arrays_of(names, depth=2):
    """Yield the arrays among some objects and their attributes, with the expressions that name them."""
    for name, value in names.items():
        if isinstance(value, np.ndarray):
            yield name, value
        elif depth and not isinstance(value, type):
            own = value._asdict() if hasattr(value, "_asdict") else getattr(value, "__dict__", {})
            yield from arrays_of({f"{name}.{key}": part for key, part in own.items()}, depth - 1)
