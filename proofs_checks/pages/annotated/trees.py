"""What a theorem rests on, as a tree for each depth: laid out when the page is written, drawn as SVG.

The theorem stands at the left; what it rests on directly to its right, and so on. The layers and the order within them
are igraph's (Sugiyama's method); the fill is the effective grade, the border the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from igraph import Graph  # type: ignore[import-untyped]

WIDTH, HEIGHT = 268, 38
_COLUMN, _ROW, _MARGIN = WIDTH + 56, HEIGHT + 12, 6


@dataclass(frozen=True)
class Box:
    """One entry in a drawing.

    Attributes
    ----------
    entry
    x, y
        Of its upper left corner.
    hidden
        How many entries it rests on directly that are not drawn at this depth.
    """

    entry: Mapping[str, Any]
    x: float
    y: float
    hidden: int


@dataclass(frozen=True)
class Drawing:
    """A tree down to one depth."""

    depth: int
    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: tuple[str, ...]


@dataclass(frozen=True)
class Tree:
    """What an entry rests on.

    Attributes
    ----------
    root
        The entry.
    contents
        All entries by id.
    """

    root: Mapping[str, Any]
    contents: Mapping[str, Mapping[str, Any]]

    @cached_property
    def depths(self) -> dict[str, int]:
        """The length of the longest way from the root to each entry that it rests on: so all arrows point right."""
        found = {self.root["id"]: 0}
        waiting = [self.root["id"]]
        while waiting:
            current = waiting.pop(0)
            for other in self.contents[current]["depends_on"]:
                if other in self.contents and found.get(other, -1) < found[current] + 1:
                    found[other] = found[current] + 1
                    waiting.append(other)
        return found

    @property
    def deepest(self) -> int:
        """The largest depth."""
        return max(self.depths.values())

    def drawings(self) -> list[Drawing]:
        """Return the drawings for the depths 1, 2, ...; a single box where the entry rests on no other."""
        return [self._drawing(depth) for depth in range(min(1, self.deepest), self.deepest + 1)]

    def _drawing(self, depth: int) -> Drawing:
        ids = [claim_id for claim_id, own in self.depths.items() if own <= depth]
        number = {claim_id: position for position, claim_id in enumerate(ids)}
        edges = [
            (number[claim_id], number[other])
            for claim_id in ids
            for other in self.contents[claim_id]["depends_on"]
            if other in number
        ]
        points, ways = _laid_out(edges, [self.depths[claim_id] for claim_id in ids])
        boxes = tuple(
            Box(
                self.contents[claim_id],
                _MARGIN + points[position][0] * _COLUMN,
                _MARGIN + points[position][1] * _ROW,
                sum(
                    1 for other in self.contents[claim_id]["depends_on"] if other in self.depths and other not in number
                ),
            )
            for claim_id, position in number.items()
        )
        return Drawing(
            depth,
            2 * _MARGIN + max(x for x, _ in points) * _COLUMN + WIDTH + 34,
            2 * _MARGIN + max(y for _, y in points) * _ROW + HEIGHT,
            boxes,
            tuple(_curve(way) for way in ways),
        )


Point = tuple[float, float]


def _laid_out(edges: Sequence[tuple[int, int]], layers: Sequence[int]) -> tuple[list[Point], list[list[Point]]]:
    """Return column and row of each vertex, and the points that each edge passes, its ends included."""
    count = len(layers)
    if count == 1:
        return [(0.0, 0.0)], []
    layout = Graph(count, edges, directed=True).layout_sugiyama(layers=list(layers), hgap=1, vgap=1, maxiter=200)
    bends = layout.edge_routing  # of each edge the points between its ends, one a layer
    least = min(across for across, _ in (*layout.coords, *(point for way in bends for point in way)))
    points: list[Point] = [(down, across - least) for across, down in layout.coords]
    ways = [
        [points[start], *((down, across - least) for across, down in way), points[end]]
        for (start, end), way in zip(edges, bends, strict=True)
    ]
    return points, ways


def _curve(way: Sequence[Point]) -> str:
    """Return an edge as a smooth path from the right side of its first box to the left side of its last."""
    places = [(_MARGIN + column * _COLUMN, _MARGIN + row * _ROW + HEIGHT / 2) for column, row in way]
    x, y = places[0][0] + WIDTH, places[0][1]
    path = f"M{x:g} {y:g}"
    for position, (left, down) in enumerate(places[1:], 1):
        middle = (x + left) / 2
        path += f"C{middle:g} {y:g} {middle:g} {down:g} {left:g} {down:g}"
        x, y = left, down
        if position < len(places) - 1:
            x += WIDTH
            path += f"H{x:g}"
    return path


def theorem_trees(entries: Sequence[Mapping[str, Any]]) -> list[Tree]:
    """Return a tree for each theorem and each lemma of the paper: the entries at the top that are printed there."""
    contents = {entry["id"]: entry for entry in entries}
    return [
        Tree(entry, contents)
        for entry in entries
        if not entry["under"]
        and entry["origin"] != "ours"
        and (entry["location"] or {}).get("environment", "").startswith(("Theorem", "Lemma"))
        and entry["verdict"] != "withdrawn"
    ]
