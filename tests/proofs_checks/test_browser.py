"""The annotated paper: what a browser without a network makes of it."""

from __future__ import annotations

import shutil

import pytest

from proofs_checks.computations.priority_orders import attained_optima, try_all_orders
from theory import best_vertex
from theory.paper import counterexample

FILTERS = ("verdict", "severity", "cause", "grade", "section", "origin")

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="the extra 'page' is not installed")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program)
        yield opened
        opened.close()


@pytest.fixture
def view(browser, page):
    """Open the page at an address; in the end there was no error and no request but for the file itself."""
    told, requests = [], []
    tab = browser.new_page(viewport={"width": 1400, "height": 1000})
    tab.on("console", lambda message: told.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: told.append(str(error)))
    tab.on("request", lambda request: requests.append(request.url))

    def opened(address=""):
        tab.goto("about:blank")
        tab.goto(page.as_uri() + address)
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield opened
    tab.close()
    assert told == []
    assert all(address.startswith((page.as_uri(), "data:", "about:")) for address in requests), requests


def shown(tab, selector):
    return tab.evaluate("s => [...document.querySelectorAll(s)].filter(e => e.checkVisibility()).length", selector)


def test_every_internal_link_reveals_its_target_under_every_filter(view):
    tab = view()
    failures, walked = tab.evaluate(
        """names => {
          const links = [...new Map([...document.querySelectorAll('a[href^="#"]')].map(a => [a.getAttribute("href"), a])).keys()];
          const choices = [["", ""]];
          for (const name of names)
            for (const option of document.querySelectorAll(`[name=${name}] option`))
              if (option.value) choices.push([name, option.value]);
          choices.push(["q", "no such words anywhere"]);
          const failures = [];
          let walked = 0;
          for (const [name, value] of choices) {
            window.showAddress.filter(name ? `?${name}=${encodeURIComponent(value)}` : "?");
            for (const hash of links) {
              window.showAddress.reveal(hash);
              const target = document.getElementById(decodeURIComponent(hash.slice(1)));
              const details = target.matches(".entry") ? target.querySelector("details") : null;
              // what is hidden is marked so, or in closed details; the browser itself is asked under the last filter
              const hides = target.closest("[hidden]") || target.parentElement.closest("details:not([open])");
              if (hides || (details && !details.open)) failures.push([name, value, hash]);
              if (name === "q" && !target.checkVisibility()) failures.push([name, value, hash]);
              if (details) details.open = false;
              walked++;
            }
          }
          return [failures, walked];
        }""",
        FILTERS,
    )
    assert failures == []
    assert walked > 10_000


def test_a_click_on_a_link_reveals_opens_and_scrolls(view, ledger):
    tab = view("?severity=slip")
    hidden = next(entry["id"] for entry in ledger if not entry["severity"] and entry["depends_on"])
    tab.evaluate("id => { location.hash = id }", hidden)
    target = tab.locator(f'[id="{hidden}"]')
    target.locator(".body").wait_for(state="visible")
    assert 0 <= target.bounding_box()["y"] < 1000
    assert tab.evaluate("location.search") == "?severity=slip"


def test_filters_show_what_they_say_and_the_address_holds_them(view, ledger):
    tab = view()
    tab.locator(".filters > summary").click()
    tab.select_option("[name=severity]", "gap")
    expected = [
        e["id"] for e in ledger if e["severity"] == "gap" and e["verdict"] in ("fails", "holds on a smaller domain")
    ]
    assert tab.evaluate("[...document.querySelectorAll('.entry:not([hidden])')].map(e => e.id).sort()") == sorted(
        expected
    )
    assert tab.evaluate("location.search") == "?severity=gap"
    address = tab.url
    again = view(address.removeprefix(tab.url.split("?")[0]))
    assert shown(again, ".entry") == len(expected)
    again.locator("#bar [type=reset]").click()
    again.wait_for_function("location.search === ''")
    assert shown(again, ".entry") == len(ledger)


def test_sections_hold_their_subsections_and_words_are_searched(view, ledger):
    tab = view("?section=A")
    within = [entry for entry in ledger if entry["section"].startswith("A")]
    assert len(within) <= shown(tab, ".entry") < len(ledger)
    tab.keyboard.press("/")
    tab.keyboard.type("lemma 3")
    found = tab.evaluate("[...document.querySelectorAll('.entry:not([hidden])')].map(e => e.id)")
    assert "lem:sum" in found
    assert all("Lemma 3" in entry["location"]["environment"] for entry in ledger if entry["id"] in found)
    tab.keyboard.press("Escape")
    assert shown(tab, ".entry") >= len(within)


def test_the_depth_of_the_trees_can_be_changed_and_linked(view):
    tab = view("#trees")
    deepest = tab.evaluate("Number(document.getElementById('depth').max)")
    drawn = []
    for depth in range(1, deepest + 1):
        tab = view(f"?depth={depth}#trees")
        drawn.append(shown(tab, ".drawing rect"))
        assert shown(tab, ".drawing") == shown(tab, ".tree")
    assert drawn == sorted(drawn)
    assert drawn[-1] > drawn[0]


@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_window(view, width):
    tab = view()
    tab.set_viewport_size({"width": width, "height": 844})
    tab.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_keyboard_alone_opens_an_entry(view):
    tab = view()
    summary = tab.locator(".entry > details > summary").first
    summary.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.parentElement.open")


def test_controls_and_drawings_have_names(view):
    tab = view()
    nameless = tab.evaluate(
        """() => [...document.querySelectorAll('input, select, button, svg[role]')].filter(e =>
             !(e.labels?.length || e.getAttribute('aria-label') || e.textContent.trim())).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []


def test_a_step_opens_its_check(view, ledger):
    ids = {entry["id"] for entry in ledger}
    argued = next(
        e["id"] for e in ledger if len({step["by"] in ids for step in e["steps"] if step["by"] != "hand"}) == 2
    )
    tab = view(f"#{argued}")
    steps = tab.locator(f'[id="{argued}"] .check')
    assert steps.count() > 0
    for number in range(steps.count()):
        steps.nth(number).locator("summary").focus()
        tab.keyboard.press("Enter")
        steps.nth(number).locator("div").first.wait_for(state="visible")
        assert len(steps.nth(number).inner_text()) > 40


def explored(tab, name):
    return tab.locator(f"[data-value={name}]").inner_text()


def test_the_counterexample_is_explored_in_exact_fractions(view):
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


@pytest.mark.parametrize(
    ("reward", "radius", "beta"), [("3.21", "0.2", "0.5"), ("3.1", "0.3", "0.6"), ("3.3", "0.1", "0.4")]
)
def test_what_is_explored_is_what_exact_computation_finds(view, reward, radius, beta):
    """All orders, every vertex, in Python and on the product chain; in the browser by stopping sets of one arm."""
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


def test_dragging_moves_the_values_and_the_address(view):
    tab = view("#explore-counterexample")
    tab.wait_for_selector("[data-filled]", state="attached", timeout=60_000)
    before = explored(tab, "pi1")
    reward = tab.locator("#explore-counterexample [name=reward]")
    reward.focus()
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    tab.wait_for_function("b => document.querySelector('[data-value=pi1]').textContent !== b", arg=before)
    assert "c-reward=3.26" in tab.url
    tab.locator("#explore-counterexample svg").scroll_into_view_if_needed()
    box = tab.locator("#explore-counterexample svg").bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3, steps=3)
    tab.mouse.up()
    tab.wait_for_function("location.search.includes('c-beta=')")


def test_the_moment_lemma_is_explored_exactly(view):
    tab = view("?m-K=2&m-alpha=2&m-discount=0.5#explore-moments")
    tab.wait_for_function("document.querySelector('[data-value=left]').textContent !== ''")
    assert explored(tab, "left").startswith("88/9")  # 2 E[G^2] - E[min^2] = 12 - 20/9 for two fair geometric lengths
    assert "holds" in explored(tab, "holds")
    tab = view("?m-K=1&m-alpha=2&m-discount=0.46#explore-moments")
    tab.wait_for_function("document.querySelector('[data-value=left]').textContent !== ''")
    assert "fails" in explored(tab, "holds")  # (1 + beta)/(1 - beta)^2 > 5 from beta = 0.4597 on
