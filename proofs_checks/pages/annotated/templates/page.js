"use strict";
(() => {
  const bar = document.getElementById("bar"), found = document.getElementById("found");
  const items = [...document.querySelectorAll(".item")];
  const groups = [...document.querySelectorAll(".group")];
  const fronts = [...document.querySelectorAll(".front")];
  const names = ["verdict", "severity", "cause", "grade", "section", "origin"];
  const depth = document.getElementById("depth"), depthTold = document.getElementById("depth-told");
  const exempted = []; // what is shown although it is filtered out: what the address points to, and what holds it
  let linked = null;

  const field = name => bar.elements[name];
  // a place is one word, with its number: "lemma 3", "section A.2", "equation (31)"
  const WORDS = /(?:lemma|theorem|section|table|figure|line) \S+|equation \(?\d+\)?|\S+/g;
  function words() {
    return (field("q").value.toLowerCase().match(WORDS) ?? []).map(word => {
      const place = word.replace(/^equation \(?(\d+)\)?$/, "equation ($1)");
      if (!place.includes(" ")) return text => text.includes(place);
      const exactly = new RegExp(place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "(?![\\w.])");
      return text => exactly.test(text);
    });
  }

  function matches(item, wanted) {
    for (const name of names) {
      const value = field(name).value, own = item.dataset[name] ?? "";
      if (value && own !== value && !(name === "section" && own.startsWith(value + "."))) return false;
    }
    return wanted.every(found => found(item.dataset.find));
  }

  function apply() {
    const wanted = words(), filtering = wanted.length > 0 || names.some(name => field(name).value);
    const holding = new Set(); // groups with something to show
    let entries = 0, causes = 0;
    for (const item of items) {
      const right = !filtering || matches(item, wanted);
      item.hidden = !right;
      if (!right) continue;
      item.classList.contains("cause") ? causes++ : entries++;
      for (let each = item.parentElement; each; each = each.parentElement) holding.add(each);
    }
    for (const group of groups) group.hidden = filtering && !holding.has(group);
    for (const front of fronts) front.hidden = filtering;
    found.textContent = filtering
      ? `${entries} ${entries === 1 ? "entry" : "entries"}, ${causes} ${causes === 1 ? "change" : "changes"}` : "";
    document.body.classList.toggle("filtering", filtering);
    exempted.length = 0;
    exempt();
  }

  function exempt() { // what the address points to is shown whatever is filtered
    for (const each of exempted.splice(0)) each.hidden = true;
    if (!linked) return;
    const inside = linked.matches(".group, .front") ? [...linked.querySelectorAll(".item, .group")] : [];
    const within = inside.some(each => !each.hidden) ? [] : inside;
    for (let each = linked; each; each = each.parentElement) within.push(each);
    for (const each of within)
      if (each.hidden && each.matches(".item, .group, .front")) { each.hidden = false; exempted.push(each); }
  }

  function reveal(scroll, hash = location.hash) {
    const id = decodeURIComponent(hash.slice(1)), target = id ? document.getElementById(id) : null;
    linked?.classList.remove("linked");
    linked = target;
    exempt();
    if (!target) return;
    target.classList.add("linked");
    const own = target.matches(".entry") ? target.querySelector("details") : null;
    for (let each = own ?? target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    if (scroll) {
      target.scrollIntoView();
      (own?.querySelector("summary") ?? target).focus({ preventScroll: true });
    }
  }

  function toAddress() {
    const kept = new URLSearchParams();
    for (const name of ["q", ...names]) if (field(name).value) kept.set(name, field(name).value);
    if (depth && depth.value !== depth.defaultValue) kept.set("depth", depth.value);
    for (const [name, value] of Object.entries(window.explored?.() ?? {})) kept.set(name, value);
    const query = kept.toString();
    history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
  }

  function fromAddress(search = location.search) {
    const given = new URLSearchParams(search);
    for (const name of ["q", ...names]) {
      const value = given.get(name) ?? "";
      field(name).value = value;
      if (field(name).value !== value) field(name).value = ""; // a choice that does not exist
    }
    if (depth && given.has("depth")) depth.value = given.get("depth");
    window.restoreExplored?.(given);
    if (names.some(name => field(name).value)) bar.querySelector(".filters").open = true;
    grow();
    apply();
  }

  function grow() {
    if (!depth) return;
    depthTold.value = depth.value;
    for (const drawing of document.querySelectorAll(".drawing[data-depth]")) {
      const own = Number(drawing.dataset.depth), wanted = Number(depth.value);
      drawing.hidden = own !== wanted && !(drawing.dataset.last && own < wanted);
    }
  }

  function changed() {
    if (location.hash) { // a new question: what a link pointed to no longer matters
      history.replaceState(null, "", location.pathname + location.search);
      linked?.classList.remove("linked");
      linked = null;
    }
    toAddress();
    apply();
  }

  bar.addEventListener("input", changed);
  bar.addEventListener("submit", event => event.preventDefault());
  bar.addEventListener("reset", () => setTimeout(changed));
  depth?.addEventListener("input", () => { grow(); toAddress(); });
  document.addEventListener("click", event => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const address = link.getAttribute("href");
    if (link.dataset.filter !== undefined) {
      event.preventDefault();
      history.pushState(null, "", address);
      fromAddress();
      reveal(false);
      bar.scrollIntoView();
    } else if (address.startsWith("#") && decodeURIComponent(address) === decodeURIComponent(location.hash)) reveal(true);
  });
  addEventListener("hashchange", () => reveal(true));
  addEventListener("popstate", () => { fromAddress(); reveal(true); });
  addEventListener("keydown", event => {
    if (event.key === "/" && !event.target.matches("input, select, textarea")) { event.preventDefault(); field("q").focus(); }
    if (event.key === "Escape" && event.target === field("q")) { field("q").value = ""; changed(); }
  });
  document.addEventListener("toggle", event => { // a step's check is filled in when it is opened
    const step = event.target;
    if (!step.open || !step.matches(".check") || step.childElementCount > 1) return;
    const { entry, method } = step.dataset, source = document.getElementById(entry ?? method), told = document.createElement("div");
    if (entry) {
      const summary = source.querySelector("summary"), link = document.createElement("a");
      for (const part of summary.querySelectorAll(":scope > .statement, :scope > .state")) told.append(part.cloneNode(true));
      told.append(Object.assign(link, { href: `#${entry}`, textContent: "Open this entry" }));
    } else {
      const [name, meaning] = source.children;
      told.append(...name.cloneNode(true).childNodes, ". ", ...meaning.cloneNode(true).childNodes);
    }
    step.append(told);
  }, true);
  const closed = [];
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not([open]):not(.check):not(.kernel):not(.cause .source)")) { closed.push(each); each.open = true; }
  });
  addEventListener("afterprint", () => { for (const each of closed.splice(0)) each.open = false; });
  window.keepAddress = toAddress;
  window.showAddress = { filter: fromAddress, reveal: hash => reveal(false, hash) }; // for the tests
  if (matchMedia("(max-width: 68rem)").matches) document.querySelector(".contents details").open = false;
  fromAddress();
  reveal(Boolean(location.hash));
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
