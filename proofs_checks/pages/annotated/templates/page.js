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

  // -- search: places and titles first, then all that is said

  const WORDS = /(?:lemma|theorem|section|table|figure|line|appendix) \S+|equation \(?\d+\)?|\S+/g;
  const LABELS = [["theorem", "theorems"], ["section", "sections"], ["change", "changes"], ["claim", "claims"]];
  const KINDS = LABELS.map(([one]) => one);

  function finder(word) { // a place is one word, with its number: "lemma 3" is not in "lemma 31"
    const place = word.replace(/^equation \(?(\d+)\)?$/, "equation ($1)");
    if (!place.includes(" ")) return text => text.includes(place);
    const exactly = new RegExp(place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "(?![\\w.])");
    return text => exactly.test(text);
  }

  function fits(item) {
    return names.every(name => {
      const value = field(name).value, own = item[name] ?? "";
      return !value || own === value || (name === "section" && own.startsWith(value + "."));
    });
  }

  function search() {
    const query = field("q").value.trim().toLowerCase(), wanted = (query.match(WORDS) ?? []).map(finder);
    const filtering = names.some(name => field(name).value);
    document.body.classList.toggle("filtering", Boolean(query) || filtering);
    results.hidden = !query && !filtering;
    if (results.hidden) return;
    const hits = [];
    for (const item of index) {
      if (filtering && (!fits(item) || item.kind === "theorem" || item.kind === "section")) continue;
      const title = item.title.toLowerCase(), all = `${title} ${item.find}`;
      if (!wanted.every(finds => finds(all))) continue;
      const rank = !query ? 3 : title === query || item.id.toLowerCase() === query ? 0 : wanted.every(finds => finds(title)) ? 1
        : wanted.every(finds => finds(`${title} ${item.places}`)) ? 2 : 3;
      hits.push([rank, KINDS.indexOf(item.kind), hits.length, item]);
    }
    hits.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const counts = KINDS.map((kind, k) => [hits.filter(hit => hit[3].kind === kind).length, LABELS[k]]).filter(([count]) => count);
    found.textContent = hits.length ? counts.map(([count, [one, many]]) => `${count} ${count === 1 ? one : many}`).join(", ")
      : `Nothing found${query ? ` for “${field("q").value.trim()}”` : ""}${filtering ? " among what the filters leave" : ""}.`;
    results.querySelector("ol").replaceChildren(...hits.map(([, , , item]) => {
      const mark = item.verdict ? made("b", { class: `verdict v-${item.verdict.replaceAll(" ", "-")}` }, item.verdict)
        : item.severity ? made("span", { class: `severity s-${item.severity}` }, item.severity) : made("span", { class: "meta" }, item.kind);
      return made("li", {}, mark, made("div", {}, made("a", { href: `#${item.id}` }, item.title), made("span", { class: "words" }, item.told)));
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
