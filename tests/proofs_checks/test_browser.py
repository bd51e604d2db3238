"""The annotated paper in a browser without a network."""

from __future__ import annotations

import os
import shutil
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib import get_data_path
from matplotlib.image import imread

from proofs_checks.paper.section_6.priority_orders import attained_optima, try_all_orders
from proofs_checks.report.pages.annotated.entries import roots
from theory import best_vertex
from theory.paper import counterexample

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def launch():
    api = pytest.importorskip("playwright.sync_api", reason="the extra 'browser' is not installed")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as playwright:
        yield partial(playwright.chromium.launch, executable_path=program)


@pytest.fixture(scope="module")
def browser(launch):
    opened = launch()
    yield opened
    opened.close()


@pytest.fixture
def plain_browser(launch, tmp_path):
    """A browser on a system whose one font has no MATH table."""
    shutil.copy(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", tmp_path)
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}</cachedir></fontconfig>")
    opened = launch(env={**os.environ, "FONTCONFIG_FILE": str(fonts)})
    yield opened
    opened.close()


def least_root(browser, address):
    """Return the smallest share of its box's height that the root sign of a formula of Theorem 2 covers."""
    tab = browser.new_page(viewport={"width": 1400, "height": 1000}, color_scheme="light")
    tab.goto(f"{address}#thm:lower_bound")
    tab.wait_for_selector("html[data-ready]", state="attached")
    tab.evaluate("document.fonts.ready.then(() => 0)")
    shares = []
    for root in tab.locator('[id="thm:lower_bound"] msqrt:has(mfrac)').all():
        if root.is_visible():
            box, inside = root.bounding_box(), root.locator("xpath=./*[1]").bounding_box()
            picture = imread(BytesIO(root.screenshot()))[..., :3].min(axis=2)
            sign = picture[:, : max(1, int(inside["x"] - box["x"]))]
            shares.append(np.ptp(np.flatnonzero(sign.min(axis=1) < 0.6)) / len(picture))
    tab.close()
    assert len(shares) >= 3
    return min(shares)


def test_roots_cover_their_radicands_without_a_system_math_font(plain_browser, page, tmp_path):
    assert least_root(plain_browser, page.as_uri()) > 0.8
    without = tmp_path / "without.html"
    without.write_text(page.read_text(encoding="utf-8").replace('"Page Math", math', "math"), encoding="utf-8")
    assert least_root(plain_browser, without.as_uri()) < 0.6  # otherwise the test could not fail


@pytest.fixture
def view(browser, page):
    """Return a function that opens the page at an address; assert at the end that there was no error and no request."""
    messages, requests = [], []
    tab = browser.new_page(viewport={"width": 1400, "height": 1000})
    tab.on("console", lambda message: messages.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.on("request", lambda request: requests.append(request.url))

    def opened(address=""):
        tab.goto("about:blank")
        tab.goto(page.as_uri() + address)
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield opened
    tab.close()
    assert messages == []
    assert all(address.startswith((page.as_uri(), "data:", "about:")) for address in requests), requests


def shown(tab, selector):
    return tab.evaluate("s => [...document.querySelectorAll(s)].filter(e => e.checkVisibility()).length", selector)


def test_page_has_few_elements_and_loads_fast(view):
    tab = view()
    assert tab.evaluate("document.querySelectorAll('*').length") < 15_000
    assert tab.evaluate("Number(document.documentElement.dataset.ready)") < 5_000  # on a busy machine, too


def test_every_internal_link_reveals_its_target(view):
    tab = view()
    failures, walked = tab.evaluate(
        """() => {
          const links = new Set();
          const gather = within => {
            for (const a of within.querySelectorAll('a[href^="#"]')) links.add(a.getAttribute("href"));
            for (const template of within.querySelectorAll("template")) gather(template.content);
          };
          gather(document);
          links.delete("#");
          const failures = [];
          for (const hash of links) {
            window.showAddress.reveal(hash);
            const target = document.getElementById(decodeURIComponent(hash.slice(1)));
            if (!target?.checkVisibility()) failures.push(hash);
            const body = target?.querySelector(":scope > details.entry-body");
            if (body && !(body.open && body.querySelector(".body"))) failures.push(hash);
          }
          return [failures, links.size];
        }"""
    )
    assert failures == []
    assert walked > 250


def test_link_to_an_entry_opens_it_and_scrolls_there(view, ledger):
    tab = view("?severity=slip")
    hidden = next(entry["id"] for entry in ledger if not entry["severity"] and entry["depends_on"])
    tab.evaluate("id => { location.hash = id }", hidden)
    target = tab.locator(f'[id="{hidden}"]')
    target.locator(".body").wait_for(state="visible")
    assert 0 <= target.bounding_box()["y"] < 1000
    assert tab.evaluate("location.search") == "?severity=slip"


def results(tab):
    """Return the summary line of a search and the ids that its result links point to."""
    links = "[...document.querySelectorAll('#results a')].map(a => decodeURIComponent(a.hash.slice(1)))"
    return tab.locator("#found").inner_text(), tab.evaluate(links)


def test_severity_filter_lists_its_entries_and_sets_the_address(view, ledger):
    tab = view()
    tab.locator(".filters > summary").click()
    tab.select_option("[name=severity]", "gap")
    failing = [e for e in ledger if e["severity"] == "gap" and e["verdict"] in ("fails", "holds in part")]
    status, listed = results(tab)
    assert {each for each in listed if not each.startswith("cause-")} == {e["id"] for e in failing}
    assert status.endswith(f", {len(failing)} claims")
    assert tab.evaluate("location.search") == "?severity=gap"
    again = view("?severity=gap")
    assert results(again) == (status, listed)
    again.locator("#bar [type=reset]").click()
    again.wait_for_function("location.search === ''")
    assert not again.locator("#results").is_visible()


def test_verdict_count_lists_as_many_entries(view, ledger):
    tab = view()
    count = sum(entry["origin"] == "printed" and entry["verdict"] == "fails" for entry in ledger)
    tab.get_by_text(f"{count} fails", exact=True).first.click()
    status, listed = results(tab)
    assert (status, len(listed)) == (f"{count} claims", count)


def test_search_lists_the_named_item_first(view, ledger):
    names = {f"theorem {number}": f"summary-theorem-{number}" for number in "123"}
    places = {"eq. 12": "summary-theorem-2", "thm:no_OFU": "thm:no_OFU", "line 810": "cause-moment-lemma"}
    places |= {"eq. 5": "section-4.2", "Figure 2": "section-C"}  # no claim has that place
    for query, first in (names | places | {"4951/1950": "eq:EVI/shared-rows", "K=1": "cause-log-of-zero"}).items():
        assert results(view(f"?q={query}"))[1][0] == first, query
    undecided = {entry["id"] for entry in ledger if entry["verdict"] == "undecided"}
    assert set(results(view("?q=undecided"))[1][: len(undecided)]) == undecided


def test_search_without_results_prints_a_message(view):
    assert results(view("?q=zzzz")) == ("Nothing found for “zzzz”.", [])
    assert results(view("?q=zzzz&verdict=fails"))[0] == "Nothing found for “zzzz” among what the filters leave."


def test_section_filter_includes_subsections_and_search_finds_words(view, ledger):
    tab = view("?section=A")
    within = [entry["id"] for entry in ledger if entry["section"].startswith("A")]
    assert set(within) <= set(results(tab)[1])
    tab.keyboard.press("/")
    tab.keyboard.type("lemma 3")
    known = {entry["id"]: entry for entry in ledger}
    found = [each for each in results(tab)[1] if each in known]
    assert "lem:sum" in found[:3]
    assert "Lemma 3" in known[found[0]]["location"]["environment"]
    tab.keyboard.press("Escape")
    assert set(within) <= set(results(tab)[1])


def test_tree_unfolds_to_all_foundations_of_its_root(view, ledger):
    root = max(roots(ledger), key=lambda entry: len(entry["foundations"]))
    assert len(root["foundations"]) > 3
    tab = view(f"#tree-{root['id']}")
    tree = tab.locator(f'[id="tree-{root["id"]}"]')
    while tree.locator("details:not([open])").count():
        tree.evaluate("tree => tree.querySelectorAll('details:not([open])').forEach(each => { each.open = true; })")
        tab.wait_for_timeout(50)
    drawn = tree.evaluate("tree => [...tree.querySelectorAll('a')].map(a => decodeURIComponent(a.hash.slice(1)))")
    assert set(drawn) == set(root["foundations"])


def test_printed_page_is_short_unless_everything_is_opened(view):
    tab = view()
    pages = tab.pdf(format="A4").count(b"/Type /Page\n")
    assert 1 < pages <= 40
    tab.locator("#everything").click()
    assert shown(tab, ".body") > 300


@pytest.mark.parametrize("width", [390, 1400])
def test_page_does_not_scroll_sideways(view, width):
    tab = view()
    tab.set_viewport_size({"width": width, "height": 844})
    tab.locator("#everything").click()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_enter_key_opens_an_entry(view):
    tab = view("#section-5.1")
    summary = tab.locator(".entry > details > summary").first
    summary.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.parentElement.open")


def explored(tab, name):
    return tab.locator(f"[data-value={name}]").inner_text()


def test_explorer_shows_exact_values_of_the_counterexample(view):
    tab = view("#explore-counterexample")
    tab.wait_for_selector("[data-filled='0.2']", state="attached", timeout=60_000)
    values = {name: explored(tab, name) for name in ("pi1", "pi2", "optimum1", "optimum3")}
    # the values of an exact model checker on the product chain, and of extended value iteration
    assert values["pi1"].startswith("41117/6900 = 5.958985")
    assert values["pi2"].startswith("321/50")
    assert values["optimum1"].startswith("1799/300")
    assert values["optimum3"].startswith("49167/7600 = 6.469342")
    assert "19/6" in explored(tab, "rewards")
    assert "81/25" in explored(tab, "rewards")
    assert tab.locator("[data-value=orders] li").all_inner_texts() == ["A2 > B1 > A1 > B3 > A3 > B2"]
    assert tab.locator("#explore-counterexample .region").count() > 10
    ink = "getComputedStyle(document.querySelector('.explorer text')).fill === getComputedStyle(document.body).color"
    assert tab.evaluate(ink)  # so that a dark page shows it


@pytest.mark.parametrize(
    ("reward", "radius", "beta"), [("3.21", "0.2", "0.5"), ("3.1", "0.3", "0.6"), ("3.3", "0.1", "0.4")]
)
def test_explorer_equals_exact_computation_in_python(view, reward, radius, beta):
    """Python tries all orders and vertices on the product chain; the browser uses stopping sets of one arm."""
    estimates = counterexample(reward, radius, beta)
    trial = try_all_orders(estimates)
    first = best_vertex(estimates, ("A2", "A1", "B1", "B3", "A3", "B2"), ("A1", "B1")).value
    tab = view(f"?c-reward={reward}&c-radius={radius}&c-beta={beta}#explore-counterexample")
    tab.wait_for_selector("[data-filled]", state="attached", timeout=60_000)
    assert explored(tab, "pi1").split(" ")[0] == str(first)
    optima = attained_optima(estimates)
    assert explored(tab, "optimum1").split(" ")[0] == str(optima[0, 0])
    assert explored(tab, "optimum3").split(" ")[0] == str(optima[0, 2])
    assert explored(tab, "count").startswith(f"{len(trial.survivors)} of {trial.tried} orders")


def test_moment_explorer_shows_exact_value_and_verdict(view):
    tab = view("?m-K=2&m-alpha=2&m-discount=0.5#explore-moments")
    tab.wait_for_function("document.querySelector('[data-value=left]').textContent !== ''")
    assert explored(tab, "left").startswith("88/9")  # 2 E[G^2] - E[min^2] = 12 - 20/9 for two fair geometric lengths
    assert "holds" in explored(tab, "holds")
    tab = view("?m-K=1&m-alpha=2&m-discount=0.46#explore-moments")
    tab.wait_for_function("document.querySelector('[data-value=left]').textContent !== ''")
    assert "fails" in explored(tab, "holds")  # (1 + beta)/(1 - beta)^2 > 5 from beta = 0.4597 on
