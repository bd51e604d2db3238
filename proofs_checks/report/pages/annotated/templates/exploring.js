"use strict";
window.startExplorers = () => {
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const { read, compare, text, decimal, number } = exact;
  const SPACE = { left: 46, right: 22, top: 10, bottom: 40, width: 420, height: 330 };
  const scale = (low, high, from, to) => value => from + (value - low) / (high - low) * (to - from);

  const shapes = svg => (tag, attributes, content) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (content !== undefined) made.textContent = content;
    return svg.appendChild(made);
  };

  function axes(svg, draw, { x, xTicks, xTitle, y, yTicks, yTitle }) {
    const bottom = SPACE.height - SPACE.bottom, right = SPACE.width - SPACE.right;
    for (const [value, label] of xTicks) {
      draw("line", { class: "grid", x1: x(value), x2: x(value), y1: SPACE.top, y2: bottom });
      draw("text", { x: x(value), y: bottom + 17, "text-anchor": "middle" }, label);
    }
    for (const [value, label] of yTicks) {
      draw("line", { class: "grid", x1: SPACE.left, x2: right, y1: y(value), y2: y(value) });
      draw("text", { x: SPACE.left - 5, y: y(value) + 4, "text-anchor": "end" }, label);
    }
    draw("path", { class: "axis", d: `M${SPACE.left} ${SPACE.top}V${bottom}H${right}` });
    draw("text", { x: (SPACE.left + right) / 2, y: SPACE.height - 8, "text-anchor": "middle" }, xTitle);
    draw("text", { x: 12, y: (SPACE.top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(SPACE.top + bottom) / 2})` }, yTitle);
  }

  // an explorer: its form, its picture, what it tells
  function explorer(id, prefix) {
    const root = document.getElementById(id), form = root.querySelector("form"), svg = root.querySelector("svg");
    const controls = [...form.elements].filter(each => each.name);
    const first = Object.fromEntries(controls.map(each => [each.name, each.value]));
    const tell = (name, told) => { root.querySelector(`[data-value=${name}]`).textContent = told; };
    const value = name => form.elements[name].value;
    function set(name, wanted) { form.elements[name].value = wanted; }
    function outputs() { for (const each of controls) if (each.nextElementSibling?.tagName === "OUTPUT") each.nextElementSibling.value = each.value; }
    const kept = () => controls.filter(each => each.value !== first[each.name]).map(each => [prefix + each.name, each.value]);
    function restore(given) {
      for (const each of controls) each.value = given.get(prefix + each.name) ?? first[each.name];
    }
    return { root, form, svg, tell, value, set, outputs, kept, restore };
  }

  const fraction = value => { // exactly where it is short, and the first decimals
    if (value[1] === 1n) return text(value);
    const ends = 10n ** 6n % value[1] === 0n;
    const decimals = ends ? decimal(value).replace(/0+$/, "") : `${decimal(value)}…`;
    return text(value).length > 60 ? decimals : `${text(value)} = ${decimals}`;
  };

  // -- the counterexample

  const one = explorer("explore-counterexample", "c-");
  const x1 = scale(0.3, 0.8, SPACE.left, SPACE.width - SPACE.right), y1 = scale(3, 3.5, SPACE.height - SPACE.bottom, SPACE.top);
  const columns = new Map(); // by radius and discount: the exact rewards
  const STEPS = [...Array(51).keys()].map(i => (0.3 + i / 100).toFixed(2));
  const column = (radius, beta) => {
    const key = `${radius} ${beta}`;
    if (!columns.has(key)) columns.set(key, counterexample.rewards(read(radius), read(beta)));
    return columns.get(key);
  };
  const inView = pieces => pieces.map(([low, high]) => [number(low), number(high)])
    .map(([low, high]) => [Math.max(low, 3), Math.min(high, 3.5)]).filter(([low, high]) => low < high);

  function drawRegion(radius) {
    one.svg.replaceChildren();
    const draw = shapes(one.svg);
    axes(one.svg, draw, { x: x1, y: y1, xTitle: "discount β", yTitle: "reward of B₁ and B₃",
      xTicks: [0.3, 0.4, 0.5, 0.6, 0.7, 0.8].map(v => [v, String(v)]), yTicks: [3, 3.1, 3.2, 3.3, 3.4, 3.5].map(v => [v, v.toFixed(1)]) });
    const width = x1(0.31) - x1(0.3);
    for (const beta of STEPS) {
      const found = columns.get(`${radius} ${beta}`);
      if (found) for (const [low, high] of inView(found.pieces)) {
        const left = Math.max(x1(beta) - width / 2, SPACE.left), right = Math.min(x1(beta) + width / 2, SPACE.width - SPACE.right);
        draw("rect", { class: "region", x: left, width: right - left, y: y1(high), height: y1(low) - y1(high) });
      }
    }
    draw("circle", { class: "here", cx: x1(0.5), cy: y1(3.21), r: 4 });
    draw("circle", { class: "present", cx: x1(one.value("beta")), cy: y1(one.value("reward")), r: 7 });
  }

  let filling = 0;
  function fill(radius) { // the columns of one radius, a few at a time so that the page stays at hand
    const mine = ++filling, missing = STEPS.filter(beta => !columns.has(`${radius} ${beta}`));
    const some = () => {
      if (mine !== filling) return;
      const until = performance.now() + 30;
      while (missing.length && performance.now() < until) column(radius, missing.shift());
      drawRegion(radius);
      if (missing.length) setTimeout(some);
      else one.root.dataset.filled = radius;
    };
    some();
  }

  function showCounterexample() {
    const reward = one.value("reward"), radius = one.value("radius"), beta = one.value("beta");
    const found = counterexample.explore(read(reward), read(radius), read(beta));
    one.outputs();
    for (const name of ["pi1", "pi2", "optimum1", "optimum3"]) one.tell(name, fraction(found[name]));
    for (const [name, reached, best] of [["short1", found.pi1, found.optimum1], ["short3", found.pi2, found.optimum3]])
      one.tell(name, compare(reached, best) < 0 ? `yes, by ${fraction(exact.sub(best, reached))}` : "no");
    const pieces = column(radius, beta).pieces.filter(([, high]) => number(high) > 1);
    one.tell("rewards", pieces.length
      ? `At this radius and discount both are strict exactly for rewards ${pieces.map(([low, high]) => `between ${fraction(low)} and ${fraction(high)}`).join(", or ")}.`
      : "At this radius and discount both are strict for no reward above 1.");
    const orders = [...new Set(found.survivors.map(counterexample.orderText))];
    one.tell("count", `${orders.length} of 230 orders ${orders.length === 1 ? "is" : "are"} optimistic from every initial state with the arms a and b alone${orders.length ? " (a third arm excludes it: see the change about equal indices)" : ""}:`);
    one.root.querySelector("[data-value=orders]").replaceChildren(...orders.sort().map(order => Object.assign(document.createElement("li"), { textContent: order })));
    fill(radius);
  }

  // -- Lemma 4

  const two = explorer("explore-moments", "m-");
  const LEAST = 1e-3, x2 = beta => scale(0, Math.log(LEAST), SPACE.left, SPACE.width - SPACE.right)(Math.log(Math.max(1 - beta, LEAST)));
  const y2 = scale(0.4, 8.6, SPACE.height - SPACE.bottom, SPACE.top);

  function showMoments() {
    const K = Number(two.value("K")), power = two.value("alpha"), beta = two.value("discount"), rows = data.moments[power];
    two.outputs();
    two.svg.replaceChildren();
    const draw = shapes(two.svg), height = y2(1) - y2(1.8);
    const pattern = draw("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    shapes(pattern)("line", { class: "hatching", x1: 0, x2: 0, y1: 0, y2: 5 });
    axes(two.svg, draw, { x: x2, y: y2, xTitle: "discount β", yTitle: "number of episodes K",
      xTicks: [0, 0.5, 0.9, 0.99, 0.999].map(v => [v, String(v)]), yTicks: [1, 2, 3, 4, 5, 6, 7, 8].map(v => [v, v]) });
    for (const [episodes, row] of Object.entries(rows)) for (const [low, high, holds] of row) {
      const left = x2(low), right = x2(high);
      if (holds !== "undecided" && right > left)
        draw("rect", { class: holds === "yes" ? "holding" : "fails", x: left, width: right - left, y: y2(Number(episodes)) - height / 2, height });
    }
    draw("circle", { class: "present", cx: x2(Number(beta)), cy: y2(K), r: 7 });
    let verdict;
    if (power === "1" || power === "2") {
      const at = read(beta), alpha = Number(power), left = moments.left(K, alpha, at);
      const [low, high] = data.logarithms[K].map(each => moments.right(read(each), alpha, at));
      two.tell("left", fraction(left));
      two.tell("right", K === 1 ? "5, as log 1 = 0" : `${decimal(low, 9)}…`);
      verdict = compare(left, low) <= 0 ? "yes" : compare(left, high) > 0 ? "no" : "undecided";
    } else {
      two.tell("left", "no fraction: the power is not an integer");
      two.tell("right", "see the certified table");
      verdict = rows[K].find(([low, high]) => low <= Number(beta) && Number(beta) < high)[2];
    }
    two.tell("holds", { yes: "The lemma holds here.", no: "The lemma fails here.", undecided: "Within an undecided sliver of the table." }[verdict]);
  }

  // -- both

  function live(explorer, show, place) {
    let asked = false;
    const soon = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; show(); }); } };
    explorer.form.addEventListener("input", soon);
    explorer.form.addEventListener("change", () => window.keepAddress());
    explorer.form.addEventListener("submit", event => event.preventDefault());
    explorer.form.addEventListener("reset", () => setTimeout(() => { show(); window.keepAddress(); }));
    const drag = event => {
      if (!event.buttons) return;
      const box = explorer.svg.getBoundingClientRect();
      place((event.clientX - box.left) / box.width * SPACE.width, (event.clientY - box.top) / box.height * SPACE.height);
      soon();
    };
    explorer.svg.addEventListener("pointerdown", event => { explorer.svg.setPointerCapture(event.pointerId); drag(event); });
    explorer.svg.addEventListener("pointermove", drag);
    explorer.svg.addEventListener("pointerup", () => window.keepAddress());
    new IntersectionObserver((seen, observer) => { // nothing is computed before it is looked at
      if (seen.some(each => each.isIntersecting)) { observer.disconnect(); show(); }
    }, { rootMargin: "300px" }).observe(explorer.root);
  }
  const back = (from, to, low, high) => at => Math.min(high, Math.max(low, low + (at - from) / (to - from) * (high - low)));
  live(one, showCounterexample, (x, y) => {
    one.set("beta", back(SPACE.left, SPACE.width - SPACE.right, 0.3, 0.8)(x).toFixed(2));
    one.set("reward", back(SPACE.height - SPACE.bottom, SPACE.top, 3, 3.5)(y).toFixed(2));
  });
  live(two, showMoments, (x, y) => {
    two.set("discount", (1 - Math.exp(back(SPACE.left, SPACE.width - SPACE.right, 0, 1)(x) * Math.log(LEAST))).toFixed(3));
    two.set("K", Math.round(back(SPACE.height - SPACE.bottom, SPACE.top, 0.4, 8.6)(y)));
  });
  window.explored = () => Object.fromEntries([...one.kept(), ...two.kept()]);
  window.restoreExplored = given => { one.restore(given); two.restore(given); one.outputs(); two.outputs(); };
};
