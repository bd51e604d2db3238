"""Figures: their data, labels, legends, scales and files."""

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from mbrl.agents.registry import AGENTS as REGISTERED
from mbrl.experiments.dataset import Saved
from mbrl.experiments.intervals import Interval
from mbrl.figures.curves import panels, policy_time, regret_with_bands
from mbrl.figures.printed import printed_over_ours
from mbrl.figures.style import Sheet, project_style, styles
from mbrl.notebook import plot as mbrl_plot
from mbrl.paper.comparison import Comparison, Point
from tests.figure_text import hold_picture
from tests.mbrl.command_line import content, mbrl, refused
from theory import BanditError


@pytest.fixture(autouse=True)
def _style():
    with project_style():
        yield


def saved(regrets, title="a title"):
    """Return a run with these regrets per episode, by learner: (simulations, episodes) each."""
    rows = np.array([np.atleast_2d(rows) for rows in regrets.values()], dtype=float)
    attributes = {"title": title, "regret_method": "expected", "discount": 0.99, "seed": 7}
    return Saved(list(regrets), rows, np.zeros(rows.shape[1]), attributes)


def random_run(agents, simulations=5, episodes=50, **options):
    rng = np.random.default_rng(1)
    return saved({agent: rng.random((simulations, episodes)) for agent in agents}, **options)


def texts(figure):
    found = [text.get_text() for text in figure.findobj(mpl.text.Text)]
    return " ".join(" ".join(text.split()) for text in found)


def borders(band):
    heights = band.get_paths()[0].vertices[:, 1]
    return [heights.min(), heights.max()]


def laid_out(figure):
    figure.draw_without_rendering()
    return figure


def test_plot_applies_a_matplotlib_style(tmp_path):
    lines = "figure.figsize: 5, 3\naxes.facecolor: eeeeee\naxes.prop_cycle: cycler('color', ['aa3311'])\n"
    (tmp_path / "mine.mplstyle").write_text(lines)
    figure = mbrl_plot(random_run(["mb-psrl", "mine:A"]).dataset("regret"), style=tmp_path / "mine.mplstyle")
    own, ours = (line.get_color() for line in figure.legends[0].get_lines()[::-1])
    assert (to_rgb(own), ours) == (to_rgb("#aa3311"), REGISTERED["mb-psrl"].colour)
    assert figure.get_figwidth() == 5
    assert figure.axes[0].get_facecolor() == pytest.approx((14 / 15,) * 3 + (1,))
    for wrong, words in (
        ({"style": "no such"}, "style no such: neither"),
        ({"font": "No Such"}, "font 'No Such': mat"),
    ):
        with pytest.raises(BanditError, match=words):
            mbrl_plot(random_run(["mb-psrl"]).dataset("regret"), **wrong)


def test_curves_are_mean_median_and_quantiles_of_cumulative_regret():
    run = random_run(["mb-psrl"], simulations=11)
    figure = regret_with_bands(run)
    totals = run.rows[0].cumsum(axis=1)
    mean, median, low, high = (line.get_ydata() for line in figure.axes[0].get_lines())
    np.testing.assert_allclose(mean, totals.mean(axis=0))
    np.testing.assert_allclose(median, np.median(totals, axis=0))
    np.testing.assert_allclose([low, high], np.quantile(totals, (0.1, 0.9), axis=0))
    mean, median, *thin = (line.get_linewidth() for line in figure.axes[0].get_lines())
    assert 0 < min(thin) <= max(thin) < median < mean
    three = regret_with_bands(random_run(["mine:A", "mine:B", "mine:C"])).axes[0]  # bands of more have no borders
    assert (len(three.get_lines()), len(three.collections)) == (12, 3)
    long = laid_out(regret_with_bands(random_run(["mb-psrl"], episodes=4000))).axes[0].get_lines()[0].get_xdata()
    assert (len(long), *long[:2], long[-1]) == (400, 1, 11, 4000)  # steps of 3999/399
    assert borders(figure.axes[0].collections[0]) == pytest.approx([low.min(), high.max()])


def test_axes_are_logarithmic_only_if_regrets_differ_widely():
    none = saved({"oracle": np.zeros((3, 3))})
    near = saved({"mb-psrl": np.ones((3, 50)), "mb-ucrl2": np.tile([100, 100, *[1] * 48], (3, 1))})  # far at first
    far = saved({"mb-psrl": np.ones((3, 50)) / 100, "mb-ucrl2": 50 * np.ones((3, 50)), "oracle": np.zeros((3, 50))})
    border = saved({"mb-psrl": np.ones((3, 50)), "mb-ucrl2": np.tile([9, *[10] * 48, 11], (3, 1))})  # at the end
    for run, scale in ((none, "linear"), (near, "linear"), (border, "log"), (far, "log")):
        figure = laid_out(regret_with_bands(run))
        assert (figure.axes[0].get_xscale(), figure.axes[0].get_yscale()) == (scale, scale)
        assert figure.axes[0].get_xlim()[0] == (0.9 if scale == "log" else 0)
        assert (figure.axes[0].get_ylim()[0] == 0) == (scale == "linear")
    assert all(tick == int(tick) for tick in regret_with_bands(none).axes[0].get_xticks())
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mb-psrl", "mb-ucrl2"]
    assert "oracle has no regret, which a logarithmic axis does not show" in texts(figure)
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert "1 000" in labels
    assert not any("$" in label for label in labels)


@pytest.mark.parametrize(("simulations", "episodes", "note"), [(3, 2, "band: "), (3, 1, "mark: mean"), (1, 5, "")])
def test_notes_name_a_band_only_where_one_is_drawn(simulations, episodes, note):
    run = random_run(["mb-psrl"], simulations=simulations, episodes=episodes)
    for told in map(texts, (regret_with_bands(run), policy_time(run))):
        assert ("band: " in told) == (note == "band: ")
    assert note in texts(regret_with_bands(run))


def test_times_are_quantiles_averaged_over_blocks_of_episodes():
    seconds = np.random.default_rng(4).random((2, 11, 121)) + 1
    timing = saved({"mb-psrl": seconds[0], "mb-ucrl2": seconds[1]})
    (axes,) = policy_time(timing).axes
    first = [*np.arange(0, 120, 2), 121]  # 60 blocks of two episodes, the last of three
    for rows, line, band in zip(1000 * seconds, axes.get_lines(), axes.collections, strict=True):
        three = np.quantile(rows, (0.1, 0.5, 0.9), axis=0)
        low, middle, high = np.transpose([three[:, a:b].mean(axis=1) for a, b in pairwise(first)])
        at = [(a + b + 1) / 2 for a, b in pairwise(first)]
        np.testing.assert_allclose(line.get_xydata(), np.transpose([at, middle]))
        assert borders(band) == pytest.approx([min(low), max(high)])
    few = policy_time(timing._replace(rows=timing.rows[:, :, :9]))
    assert len(few.axes[0].get_lines()[0].get_xdata()) == 9
    assert "quantile of the simulations 11 simulations; seed 7" in texts(few)


def judged(figure, agent, verdict):
    """Return a comparison of a printed curve of regret 6 per episode with ours of 7."""
    points = [Point(at, 6.0 * at, 20.0, Interval(7 * at, 0, at, 5), 5.0 * at, 8.0 * at) for at in (10, 20, 50)]
    return Comparison(figure, agent, verdict, "", 0.5, (0.25, 0.5), tuple(points))


NAMES = "mb-psrl mb-psrl-gaussian mb-ucrl2 mb-ucbvi mb-minimax psrl psrl-gaussian ucrl2 ucbvi gittins-q oracle random"
EVERY = [*NAMES.split(), "mb-ucbvi-bernstein", "mine:A", "mine:B", "mb-psrl/dirichlet=0.5"]
STEADY = {agent: np.outer([0.5, 1, 1.5, 2, 4], [1, 2, 0] * 20) * (k + 4) for k, agent in enumerate(EVERY)}
APART = saved({"mb-psrl": STEADY["mb-psrl"] / 90, "oracle": np.zeros((5, 60)), "mb-ucbvi": STEADY["mb-ucbvi"]})
PRINTED = [judged("fig:x_errorbar", "mb-psrl", "agrees"), judged("fig:y", "mb-psrl", "differs")]
ALONE = saved({"mb-psrl": np.arange(15.0), "mb-ucbvi": np.ones(15)}, title="model a$\\frac$ $x$.json")
LONG = "a scenario with a title that is so long that it does not fit into a single line above the axes of any figure"
NAMED = random_run(["mb-psrl", "mb-ucrl2/radii=appendix/largest_reward=1", "x " * 60, "mine:A"], title=LONG)
DRAWN = {
    "sixteen learners": lambda: regret_with_bands(saved(STEADY)),
    "five learners": lambda: regret_with_bands(saved(dict([*STEADY.items()][:5]))),
    "one simulation": lambda: regret_with_bands(ALONE),
    "long names": lambda: panels({"/" * 99: NAMED, "x " * 60: ALONE, "second": APART, "third": ALONE}),
    "narrow": lambda: regret_with_bands(NAMED),
    "without titles": lambda: panels({"a": ALONE, "b": ALONE, "c": ALONE}),
    "apart": lambda: regret_with_bands(APART),
    "times": lambda: policy_time(saved({agent: rows + 1 for agent, rows in STEADY.items()}, title="times")),
    "panels": lambda: panels({"all": saved(STEADY), "apart": APART}),
    "printed": lambda: printed_over_ours(saved(STEADY), [*PRINTED, judged("fig:z", "mb-ucbvi", "agrees")]),
}


SHEETS = {"narrow": Sheet(2.5, "serif"), "without titles": Sheet(5.2, "serif", titles=False)}


@pytest.mark.parametrize("name", DRAWN)
def test_figures_equal_their_pinned_descriptions_and_overlap_nothing(name):
    sheet = SHEETS.get(name, Sheet())
    with project_style(sheet):
        figure = laid_out(DRAWN[name]())
        family = sheet.font or mpl.rcParams["font.family"][0]
    hold_picture(name, figure)
    texts = figure.findobj(mpl.text.Text)
    assert {text.get_fontfamily()[0] for text in texts} == {family}
    assert not any(text.get_parse_math() for text in texts)  # dollar signs are drawn
    boxes = [legend.get_window_extent() for legend in figure.legends]
    boxes += [part for axes in figure.axes for part in (axes.get_window_extent(), axes.title.get_window_extent())]
    assert [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])] == []
    for box in (*boxes, *(axes.get_tightbbox() for axes in figure.axes)):
        assert min(box.x0, box.y0, figure.bbox.x1 + 1 - box.x1, figure.bbox.y1 + 1 - box.y1) >= 0


def test_styles_of_learners_differ_even_in_grey_and_ignore_other_learners():
    names = ["mb-psrl", "mb-psrl-gaussian", "mb-psrl/dirichlet=0.5", "mb-ucrl2", "mb-ucbvi", "my:A", "my:B", "random"]
    made, own = styles(names), styles(list(REGISTERED))
    assert len({look.marker for look in made.values()}) == len(names)
    assert made["mb-psrl"].colour == made["mb-psrl/dirichlet=0.5"].colour
    for (first, one), (second, other) in combinations(own.items(), 2):
        for look in ("colour", "marker"):
            assert getattr(one, look) != getattr(other, look), (
                f"{second} has the {look} of {first}: give its entry in mbrl/agents/registry.py another one"
            )
    assert all(styles([name])[name] == made[name] == own[name] for name in names if name in own)
    several = styles({"mb-psrl, first": "mb-psrl", "mb-psrl, second": "mb-psrl"})
    assert several["mb-psrl, first"] == own["mb-psrl"]
    assert several["mb-psrl, second"].dashes != own["mb-psrl"].dashes


SMALL = ("--simulations", 2, "--episodes", 12, "--jobs", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "first"
    mbrl("run", "random-models", "--out", folder, *SMALL, "--agents", "mb-psrl,mb-psrl-gaussian")
    return folder


def test_plot_writes_the_same_figures_again_in_three_formats(folder, tmp_path):
    printed = mbrl("plot", folder).stdout.split()
    expected = {f"{name}.{form}" for name in ("regret", "policy-time") for form in ("pdf", "svg", "png")}
    drawn = content(folder / "figures")
    assert {path.rpartition("/")[2] for path in printed} == expected == drawn.keys()
    assert (drawn["regret.pdf"][:4], b"<svg" in drawn["regret.svg"]) == (b"%PDF", True)
    assert imread(folder / "figures" / "regret.png").shape[1] == round(7.4 * 200)  # inches by dots per inch
    mbrl("plot", folder, "--out", tmp_path / "new" / "figures")
    assert content(tmp_path / "new" / "figures") == drawn


def test_plot_draws_chosen_learners_of_several_runs(folder, tmp_path):
    mbrl("run", "random-walk", "--out", tmp_path / "second", *SMALL, "--agents", "mb-psrl,mb-psrl-gaussian")
    both = ("plot", folder, tmp_path / "second")
    assert "panels.png" in mbrl(*both, "--out", tmp_path / "new", "--agents", "mb-psrl-gaussian").stdout
    drawn = (tmp_path / "new" / "panels.svg").read_text()
    assert (">mb-psrl-gaussian<" in drawn, ">mb-psrl<" in drawn) == (True, False)
    assert "give it with --out" in refused(*both)
    assert "no learner called 'random'; it has mb-psrl, mb" in refused("plot", folder, "--agents", "random")
    assert "a run comes twice" in refused("plot", folder, folder, "--out", tmp_path / "figures")
    assert "holds no results" in refused("plot", folder, tmp_path, "--out", tmp_path / "figures")
