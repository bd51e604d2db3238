"""The pictures: their data are exact, and they equal their pinned descriptions."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from flint import fmpq
from matplotlib.figure import Figure

from mbrl.figures.style import styles
from proofs_checks.paper.appendix_a2_moments.moment_boxes import segments
from proofs_checks.report.pages.annotated.figures import LEARNERS, page_figures
from proofs_checks.report.pictures import PICTURES, PictureError, bounds, counterexample_region, draw_picture
from proofs_checks.report.pictures.counterexample_region import index_of_a1
from proofs_checks.report.pictures.moment_region import EPISODES
from tests.figure_text import hold_picture
from theory import ModelError
from theory.certified import Truth
from theory.paper import counterexample_m1, counterexample_m2


def test_segments_partition_the_discounts():
    for row in (segments(K, fmpq(2), fmpq(1, 50)) for K in EPISODES):
        assert row[0].low == 0
        assert row[-1].high == 1
        assert all(one.high == other.low and one.holds is not other.holds for one, other in pairwise(row))


def test_segments_match_known_borders():
    rows = {K: segments(K, fmpq(2), fmpq(1, 50)) for K in (1, 3)}
    assert [segment.holds for segment in rows[3]] == [Truth.YES]
    assert [segment.holds for segment in rows[1]] == [Truth.YES, Truth.UNDECIDED, Truth.NO]
    border = rows[1][1]  # (11 - sqrt 41)/10, a root of 5 (1-beta)^2 = 1 + beta
    assert 5 * (1 - border.low) ** 2 >= 1 + border.low
    assert 5 * (1 - border.high) ** 2 <= 1 + border.high


def test_bounds_are_none_outside_their_domains_and_ordered_inside():
    assert bounds.printed_lower(1, 1, 16, fmpq(0)) is None  # one arm
    assert bounds.printed_lower(4, 3, 63, fmpq(1, 2)) is None  # K < 16 S
    assert bounds.printed_lower(1, 3600, 16, fmpq(0)) == pytest.approx(4.0, rel=1e-12)  # sqrt(3600 * 16)/60
    for over in (0, 1):  # n S (1 - beta) is 3598 K, and a little more
        assert (bounds.printed_lower(1, 2 * 3598 * 16 + over, 16, fmpq(1, 2)) is None) == over
    assert bounds.sharper_lower(2, 1, 100, fmpq(1, 2)) is None
    values = [curve.value(4, 3, 10**18, fmpq(9, 10)) for curve in bounds.CURVES]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(("reward", "pi1", "pi2"), [(fmpq(316, 100), False, True), (fmpq(317, 100), True, True),
    (fmpq(42, 13), True, False), (fmpq(324, 100), True, False)])  # fmt: skip
def test_policies_fall_short_on_the_expected_side_of_each_border(reward, pi1, pi2):
    assert counterexample_region.falling_short(fmpq(1, 2), reward) == (pi1, pi2)


def test_index_curves_cross_the_printed_reward_at_known_discounts():
    assert index_of_a1(counterexample_m1(), fmpq(35, 79)) == fmpq(321, 100)
    assert index_of_a1(counterexample_m2(), fmpq(105, 158)) == fmpq(321, 100)


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_a_png_and_equals_its_pinned_description(tmp_path, monkeypatch, name):
    for axis, every in (("DISCOUNTS", 5), ("REWARDS", 3)):  # of 494 marks 42
        whole = getattr(counterexample_region, axis)
        monkeypatch.setattr(counterexample_region, axis, whole[::every])
    target, figures = tmp_path / "region.png", []
    write = Figure.savefig
    monkeypatch.setattr(
        Figure, "savefig", lambda figure, *words, **how: figures.append(figure) or write(figure, *words, **how)
    )
    draw_picture(name, target)
    assert target.read_bytes().startswith(b"\x89PNG")
    (legend,) = figures[0].legends
    inside = legend.get_window_extent()
    assert 0 <= inside.x0 < inside.x1 <= figures[0].bbox.x1, "the legend exceeds the picture"
    hold_picture(name, figures[0])
    for axes in figures[0].axes:
        filled = axes.dataLim.transformed(axes.transData).height / axes.bbox.height
        assert 0.85 < filled < 1, "the curves fill less of the frame than asked"
    if name == "moment":  # tick labels at the left and below only
        ticks = [axes.yaxis.get_tick_params() | axes.xaxis.get_tick_params() for axes in figures[0].axes]
        assert [each.get("labelleft", True) for each in ticks] == [True, False] * 2
    if name == "counterexample":  # both curves go as far as the marks
        assert {line.get_xdata()[-1] for line in axes.lines[:2]} == {float(counterexample_region.DISCOUNTS[-1])}


def test_draw_picture_refuses_wrong_names_and_targets(tmp_path):
    error = "no picture is called 'fig7'; the pictures are moment, counterexample, bounds, learners"
    with pytest.raises(PictureError, match=error):
        draw_picture("fig7", tmp_path / "x.png")
    with pytest.raises(ModelError, match="there is no folder"):
        draw_picture("moment", tmp_path / "missing" / "x.png")
    with pytest.raises(ModelError, match="the ending says the format"):
        draw_picture("moment", tmp_path / "x.nonsense")


def test_page_figures_use_the_styles_of_learners_and_their_pins(monkeypatch):
    figures, write = [], Figure.savefig
    monkeypatch.setattr(
        Figure, "savefig", lambda figure, *to, **how: figures.append(figure) or write(figure, *to, **how)
    )
    constants = {"psrl": "5/2", "ucrl2": "21/10", "ucbvi": "3"}
    drawn = page_figures([SimpleNamespace(constants=True, theorem={"parameters": constants})])
    assert [figure.name for figure in drawn] == ["sharpness", "bounds"]
    for figure, seen in zip(drawn, figures, strict=True):
        hold_picture(f"{figure.name} on the page", seen)
    for figure, size in zip(drawn, ("360 417.6", "360 756"), strict=True):  # inches, of 72 points
        assert f'viewBox="0 0 {size}"' in figure.svg
        assert "font-size: 10.5px" in figure.svg
    looks = styles(list(LEARNERS))
    colours = set(re.findall(r"stroke: (#[0-9a-f]{6})", drawn[0].svg))
    assert {look.colour.lower() for look in looks.values()} <= colours
    assert looks[bounds.LEARNER].colour.lower() in drawn[1].svg
