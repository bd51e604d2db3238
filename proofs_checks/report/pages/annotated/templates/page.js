"use strict";
(() => {
  const bar = document.getElementById("bar"), results = document.getElementById("results"), found = document.getElementById("found");
  const index = JSON.parse(document.getElementById("index").textContent), byId = new Map(index.map(each => [each.id, each]));
  const names = ["verdict", "severity", "cause", "grade", "section", "origin"];
  const field = name => bar.elements[name];
  const made = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // -- what is folded is built when it is opened

  function build(details) {
    const template = details.querySelector(":scope > template");
    if (!template) return;
    template.replaceWith(template.content);
    if (details.id === "explore") {
      window.startExplorers();
      window.restoreExplored(new URLSearchParams(location.search));
    }
  }

  function holder(id, within = document) { // the template that holds an element which is not built yet
    for (const template of within.querySelectorAll("template"))
      if (template.content.getElementById(id) || holder(id, template.content)) return template;
    return null;
  }

  function reach(id) { // the element of this name, built with all that it lies in
    for (let target; ;) {
      target = document.getElementById(id);
      const template = target ? null : holder(id);
      if (!template) return target;
      build(template.parentElement);
    }
  }

  function lookup(id, within = document) { // the same, with nothing built
    const here = within.getElementById(id);
    if (here) return here;
    for (const template of within.querySelectorAll("template")) {
      const there = lookup(id, template.content);
      if (there) return there;
    }
    return null;
  }

  // -- search: titles and places first, then verdicts and grades, then all that is said

  const LABELS = [["theorem", "theorems"], ["section", "sections"], ["change", "changes"], ["claim", "claims"],
    ["withdrawn claim", "withdrawn claims"], ["other part of this page", "other parts of this page"]];
  const KINDS = LABELS.map(([one]) => one), ORIGINS = ["printed", "implied", "ours"];
  const kind = item => item.verdict === "withdrawn" ? "withdrawn claim" : item.kind === "part" ? "other part of this page" : item.kind;
  const ALSO = { undecided: "open", kernel: "rocq coq", change: "mistake erratum errata" };
  const WORDS = /(?:lemma|theorem|section|table|figure|algorithm|line|appendix) \S+|equation \(\d+\)|\S+/g;
  const SHORT = [[/\b(?:thms?\.?|theorem) *(?=\d)/g, "theorem "], [/\blem(?:ma)?\.? *(?=\d)/g, "lemma "], [/(?:\bsect?\.?|§) *(?=[\da-f]\b)/g, "section "],
    [/\b(?:app\.?|appx\.?|section) *(?=[a-f]\b)/g, "appendix "], [/\bfig\.? *(?=\d)/g, "figure "], [/\balg\.? *(?=\d)/g, "algorithm "],
    [/\b(?:l\.|lines?) *(?=\d)/g, "line "], [/\b(?:eqs?|eqn|equations?)\.? *\(?(\d+)\)?|^\((\d+)\)$/g, "equation ($1$2)"]];
  const GREEK = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", pi: "π", phi: "ϕφ", rho: "ρ", sigma: "σ", tau: "τ" };
  const plain = text => text.toLowerCase().replaceAll("″", "′′").replace(/['’]/g, "′").replaceAll("<=", "≤").replaceAll(">=", "≥").replace(/ *([=<>≤≥]) */g, "$1");

  function finder(word) { // numbers are whole, "lemma 3" is not in "lemma 31"; a section holds its subsections
    if (GREEK[word]) return new RegExp(`(?<![a-z])${word}(?![a-z])|[${GREEK[word]}]`);
    const more = /^(?:section|appendix) /.test(word) ? "(?!\\w)" : /\d$/.test(word) ? "(?!\\.?\\d)" : "";
    return new RegExp((/^\d/.test(word) ? "(?<![\\d.])" : "") + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + more);
  }

  let texts; // of each item: title and places; these with what was found of it; all
  const searched = () => texts ??= index.map(item => {
    const at = plain(`${item.title} ${item.places}`), states = [item.kind, item.verdict, item.grade, item.severity, item.origin];
    const state = `${at} ${states.map(each => each ? `${each} ${ALSO[each] ?? ""}` : "").join(" ")}`;
    return [at, state, `${state} ${plain(item.find)}`];
  });

  function fits(item) {
    return names.every(name => {
      const value = field(name).value, own = item[name] ?? "";
      return !value || own === value || (name === "section" && own.startsWith(value + "."));
    });
  }

  function matches(query, filtering) {
    const wanted = (query.match(WORDS) ?? []).map(finder), phrase = finder(query), hits = [];
    index.forEach((item, number) => {
      if (filtering && (!fits(item) || !["change", "claim"].includes(item.kind))) return;
      let rank = 1 + searched()[number].findIndex(text => wanted.every(finds => finds.test(text)));
      if (!rank) return;
      if ([item.title, item.id].some(each => plain(each) === query)) rank = 0;
      if (rank === 3 && !phrase.test(searched()[number][2])) rank = 4;
      hits.push({ item, wanted, keys: [Number(rank > 0 && item.verdict === "withdrawn"), rank, KINDS.indexOf(kind(item)), ORIGINS.indexOf(item.origin), number] });
    });
    return hits.sort((a, b) => a.keys.map((key, at) => key - b.keys[at]).find(Boolean));
  }

  function around({ item, wanted, keys }) { // the words that are shown, and, where they are not among them, those that were found
    const find = plain(item.find), met = wanted.find(finds => !finds.test(plain(`${item.title} ${item.places} ${item.told}`)));
    const at = keys[1] > 2 && met ? find.search(met) : -1;
    return item.told + (at < 0 ? "" : ` […] ${find.slice(Math.max(0, find.lastIndexOf(" ", at - 40) + 1), find.indexOf(" ", at + 60) + 1 || find.length)} […]`);
  }

  function search() {
    const query = SHORT.reduce((told, [short, long]) => told.replace(short, long), plain(field("q").value.trim()));
    const filtering = names.some(name => field(name).value);
    document.body.classList.toggle("filtering", Boolean(query) || filtering);
    results.hidden = !query && !filtering;
    if (results.hidden) return;
    let hits = matches(query, filtering), nearest = "";
    const line = Number(query.match(/^(?:line )?(\d+)$/)?.[1]);
    if (!hits.length && line) { // nothing stands there: what stands before it, if anything comes after it
      const lines = index.flatMap(item => [...item.places.matchAll(/line (\d+)/g)].map(each => Number(each[1])));
      const before = Math.max(...lines.filter(each => each < line));
      if (before > 0 && lines.some(each => each > line)) hits = matches(`line ${before}`, filtering);
      if (hits.length) nearest = `Nothing at line ${line}; before it, at line ${before}: `;
    }
    const counts = KINDS.map((one, k) => [hits.filter(hit => kind(hit.item) === one).length, LABELS[k]]).filter(([count]) => count);
    found.textContent = hits.length ? nearest + counts.map(([count, [one, many]]) => `${count} ${count === 1 ? one : many}`).join(", ")
      : `Nothing found${query ? ` for “${field("q").value.trim()}”` : ""}${filtering ? " among what the filters leave" : ""}.`;
    results.querySelector("ol").replaceChildren(...hits.map(hit => {
      const item = hit.item, mark = item.verdict ? made("b", { class: `verdict v-${item.verdict.replaceAll(" ", "-")}` }, item.verdict)
        : item.severity ? made("span", { class: `severity s-${item.severity}` }, item.severity) : made("span", { class: "meta" }, item.kind);
      return made("li", {}, mark, made("div", {}, made("a", { href: `#${item.id}` }, item.title), made("span", { class: "words" }, around(hit))));
    }));
  }

  // -- what a link points to

  let linked = null;
  function reveal(scroll, hash = location.hash) {
    const id = decodeURIComponent(hash.slice(1)), target = id ? reach(id) : null;
    linked?.classList.remove("linked");
    linked = target;
    if (!target) return;
    target.classList.add("linked");
    const own = target.matches("details") ? target : target.querySelector(":scope > details.entry-body");
    for (let each = own ?? target; each; each = each.parentElement) if (each.tagName === "DETAILS") { open(each); }
    if (scroll) {
      target.scrollIntoView();
      const focused = own?.querySelector("summary") ?? target;
      if (!focused.matches("summary")) focused.tabIndex = -1;
      focused.focus({ preventScroll: true });
    }
  }

  function open(details) {
    fill(details);
    details.open = true;
  }

  function fill(details) {
    if (details.matches(".lazy, .entry-body")) build(details);
    if (details.matches(".tree") && details.childElementCount === 1) details.append(branch(details.dataset.root, new Set()));
    if (details.matches(".check") && details.childElementCount === 1) details.append(checked(details.dataset));
  }

  function branch(id, above) { // what an entry rests on, each level built when it is opened
    const below = byId.get(id).uses;
    if (!below.length) return made("p", { class: "meta" }, "Its evidence uses no other entry.");
    return made("ul", {}, ...below.map(other => {
      const item = byId.get(other), told = [made("a", { href: `#${other}` }, made("code", {}, other)), " ",
        made("b", { class: `verdict v-${item.verdict.replaceAll(" ", "-")}` }, item.verdict), " ",
        ...(item.grade ? [made("span", { class: `grade g-${item.grade}` }, item.grade)] : [])];
      if (!item.uses.length) return made("li", {}, ...told);
      const summary = made("summary", {}, ...told, made("span", { class: "meta" }, ` +${item.uses.length}`));
      const details = made("details", { class: "branch", "data-root": other }, summary);
      details.addEventListener("toggle", () => { if (details.open && details.childElementCount === 1) details.append(branch(other, above)); });
      return made("li", {}, details);
    }));
  }

  function checked({ entry, method }) { // what a step's check is: the entry that says it, or a way of checking
    const told = made("div");
    if (entry) {
      const summary = lookup(entry).querySelector("summary");
      for (const part of summary.querySelectorAll(":scope > .statement, :scope > .state")) told.append(part.cloneNode(true));
      told.append(made("a", { href: `#${entry}` }, "Open this entry"));
    } else {
      const [name, meaning] = lookup(method).children;
      told.append(...name.cloneNode(true).childNodes, ". ", ...meaning.cloneNode(true).childNodes);
    }
    return told;
  }

  // -- the address

  function toAddress() {
    const kept = new URLSearchParams();
    for (const name of ["q", ...names]) if (field(name).value) kept.set(name, field(name).value);
    for (const [name, value] of Object.entries(window.explored?.() ?? {})) kept.set(name, value);
    const query = kept.toString();
    history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
  }

  function fromAddress() {
    const given = new URLSearchParams(location.search);
    for (const name of ["q", ...names]) {
      const value = given.get(name) ?? "";
      field(name).value = value;
      if (field(name).value !== value) field(name).value = ""; // a choice that does not exist
    }
    window.restoreExplored?.(given);
    if (names.some(name => field(name).value)) bar.querySelector(".filters").open = true;
    search();
  }

  function changed() {
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    toAddress();
    search();
  }

  bar.addEventListener("input", changed);
  bar.addEventListener("submit", event => event.preventDefault());
  bar.addEventListener("reset", () => setTimeout(changed));
  document.addEventListener("toggle", event => { if (event.target.open) fill(event.target); }, true);
  document.addEventListener("click", event => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const address = link.getAttribute("href");
    if (link.dataset.filter !== undefined) {
      event.preventDefault();
      history.pushState(null, "", address);
      fromAddress();
      bar.scrollIntoView();
    } else if (address.startsWith("#") && decodeURIComponent(address) === decodeURIComponent(location.hash)) reveal(true);
  });
  document.getElementById("everything").addEventListener("click", () => {
    for (let closed; (closed = [...document.querySelectorAll("main details:not([open]):not(.check):not(.branch)")]).length;) closed.forEach(open);
  });
  addEventListener("hashchange", () => reveal(true));
  addEventListener("popstate", () => { fromAddress(); reveal(true); });
  addEventListener("keydown", event => {
    if (event.key === "/" && !event.target.matches("input, select, textarea")) { event.preventDefault(); field("q").focus(); }
    if (event.key === "Escape" && event.target === field("q")) { field("q").value = ""; changed(); }
  });
  window.keepAddress = toAddress;
  window.showAddress = { reveal: hash => reveal(false, hash) }; // for the tests
  fromAddress();
  reveal(Boolean(location.hash));
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
