"use strict";
// Exact numbers in the browser: fractions of integers without limit, always in lowest terms.
const exact = (() => {
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const make = (p, q = 1n) => {
    if (q === 1n) return [p, q];
    if (q < 0n) [p, q] = [-p, -q];
    const g = gcd(p, q);
    return g > 1n ? [p / g, q / g] : [p, q];
  };
  const read = text => {
    const [whole, part = ""] = String(text).split("/");
    if (part) return make(BigInt(whole), BigInt(part));
    const [units, digits = ""] = whole.split(".");
    return make(BigInt(units + digits), 10n ** BigInt(digits.length));
  };
  const add = (a, b) => make(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
  const sub = (a, b) => make(a[0] * b[1] - b[0] * a[1], a[1] * b[1]);
  const mul = (a, b) => make(a[0] * b[0], a[1] * b[1]);
  const div = (a, b) => make(a[0] * b[1], a[1] * b[0]);
  const compare = (a, b) => { const d = a[0] * b[1] - b[0] * a[1]; return d > 0n ? 1 : d < 0n ? -1 : 0; };
  const power = (a, n) => make(a[0] ** BigInt(n), a[1] ** BigInt(n));
  const number = a => { // the nearest double, for the place of a mark only
    const shift = BigInt(Math.max(0, a[1].toString(2).length - 900));
    return Number((a[0] >> shift) * 10n ** 17n / ((a[1] >> shift) || 1n)) / 1e17;
  };
  const text = a => a[1] === 1n ? `${a[0]}` : `${a[0]}/${a[1]}`;
  const decimal = (a, digits = 6) => {
    const scaled = (a[0] < 0n ? -a[0] : a[0]) * 10n ** BigInt(digits) / a[1], body = scaled.toString().padStart(digits + 1, "0");
    return (a[0] < 0n ? "−" : "") + body.slice(0, -digits) + "." + body.slice(-digits);
  };
  return { make, read, add, sub, mul, div, compare, power, number, text, decimal, ZERO: [0n, 1n], ONE: [1n, 1n] };
})();

// The counterexample of Theorem 3. Arm a has the states A1, A2, A3, rewards 3, 4, 0, and balls of rows; arm b pays r in
// B1, then nothing (B2), or r for ever (B3). Whatever the order of the six states, play from (x, B3) or (x, B2) is: arm a
// while it is in a set C of states, those above B3 or B2, then arm b for ever. From (x, B1): arm a while above B1, then B1
// once, then as from B2. So an order is three sets, those of the states of arm a above B1, B2 and B3, of which each two
// are nested; its supremum over the bandits of the set is attained at a vertex of the three balls, one for each row.
const counterexample = (() => {
  const { read, make, add, sub, mul, div, compare, ZERO, ONE } = exact;
  const HALF = make(1n, 2n), REWARDS = [read(3), read(4), ZERO];
  const SETS = [...Array(8).keys()].map(bits => [0, 1, 2].filter(x => bits >> x & 1));
  const greatest = values => values.reduce((best, each) => compare(each, best) > 0 ? each : best);

  function balls(radius) {
    const moved = div(radius, read(2)), rest = sub(ONE, moved);
    const first = [[add(HALF, moved), sub(HALF, moved), ZERO], [sub(HALF, moved), add(HALF, moved), ZERO],
      [sub(HALF, moved), HALF, moved], [HALF, sub(HALF, moved), moved]];
    return [first, [[ZERO, ZERO, ONE], [moved, ZERO, rest], [ZERO, moved, rest]],
      [[ZERO, ZERO, ONE], [moved, ZERO, rest], [ZERO, moved, rest]]];
  }

  // Gauss-Jordan on (I - beta Q) over the states in C, with several right-hand sides at once
  function solve(rows, inside, beta, sides) {
    const size = inside.length, table = inside.map((x, i) => [
      ...inside.map((y, j) => sub(i === j ? ONE : ZERO, mul(beta, rows[x][y]))), ...sides[i]]);
    for (let k = 0; k < size; k++) { // the matrix is diagonally dominant: no pivot is zero
      const pivot = table[k][k];
      for (let j = k; j < table[k].length; j++) table[k][j] = div(table[k][j], pivot);
      for (let i = 0; i < size; i++) {
        const factor = table[i][k];
        if (i === k || factor[0] === 0n) continue;
        for (let j = k; j < table[k].length; j++) table[i][j] = sub(table[i][j], mul(factor, table[k][j]));
      }
    }
    return table.map(row => row.slice(size));
  }

  // for the vertex bandit with these rows and each set C: what playing arm a inside C earns, and the law of where it is left
  function outcomes(rows, beta) {
    return SETS.map(inside => {
      const outside = [0, 1, 2].filter(x => !inside.includes(x));
      const solution = solve(rows, inside, beta,
        inside.map(x => [REWARDS[x], ...outside.map(y => mul(beta, rows[x][y]))]));
      return { inside, outside, earned: solution.map(row => row[0]), left: solution.map(row => row.slice(1)) };
    });
  }

  function stopped(outcome, prize) { // the value from each state of arm a, where leaving C in y is worth prize[y]
    const values = [...prize];
    outcome.inside.forEach((x, i) => {
      values[x] = outcome.outside.reduce((sum, y, j) => add(sum, mul(outcome.left[i][j], prize[y])), outcome.earned[i]);
    });
    return values;
  }

  // values of all policies at all vertices, with r left open: each is u + w r, kept as [u, w]
  function explore(reward, radius, beta) {
    const [first, second, third] = balls(radius), remaining = sub(ONE, beta), forEver = div(reward, remaining);
    const one = SETS.map(() => [null, null, null]), rest = SETS.map(() => [null, null, null]);
    const pairs = new Map(); // C1, C2 -> the supremum from (x, B1) for each x
    const raise = (best, values) => values.forEach((v, x) => { if (!best[x] || compare(v, best[x]) > 0) best[x] = v; });
    for (const a of first) for (const b of second) for (const c of third) {
      const found = outcomes([a, b, c], beta);
      found.forEach((outcome, set) => raise(one[set], stopped(outcome, [forEver, forEver, forEver])));
      found.forEach((after, set2) => {
        const later = stopped(after, [ZERO, ZERO, ZERO]);
        raise(rest[set2], later);
        const prize = later.map(value => add(reward, mul(beta, value)));
        found.forEach((before, set1) => {
          const key = set1 * 8 + set2;
          if (!pairs.has(key)) pairs.set(key, [null, null, null]);
          raise(pairs.get(key), stopped(before, prize));
        });
      });
    }
    const best = lists => [0, 1, 2].map(x => greatest(lists.map(values => values[x])));
    const optima = { B1: best([...pairs.values()]), B2: best(rest), B3: best(one) };
    const reaches = (values, optimum) => values.every((value, x) => compare(value, optimum[x]) === 0);
    const above3 = [...SETS.keys()].filter(set => reaches(one[set], optima.B3));
    const nested = (a, b) => (a & b) === a || (a & b) === b;
    const survivors = [];
    for (const [key, values] of pairs) {
      const above1 = key >> 3, above2 = key & 7;
      if (!nested(above1, above2) || !reaches(values, optima.B1) || !reaches(rest[above2], optima.B2)) continue;
      for (const set of above3) if (nested(set, above1) && nested(set, above2)) survivors.push([above1, above2, set]);
    }
    // pi1 = A2 > A1 > B1 > B3 > A3 > B2 and pi2 = A2 > B1 > B3 > A1 > A3 > B2, as in Appendix C
    const pi1 = pairs.get(3 * 8 + 7)[0], pi2 = one[2][0];
    return { optima, survivors, pi1, pi2, optimum1: optima.B1[0], optimum3: optima.B3[0] };
  }

  // the weak order of the six states that three nested sets amount to, best first
  function orderText([above1, above2, above3]) {
    const marks = ["A1", "A2", "A3"].map((name, x) => [name, 2 * [above1, above2, above3].filter(set => set >> x & 1).length + 1]);
    const sizes = [above1, above2, above3].map(set => [0, 1, 2].filter(x => set >> x & 1).length);
    // a state of arm b comes after the states of its set; with equal sets they are side by side
    const chain = [...new Set([0, ...sizes])].sort((a, b) => a - b), pieces = [];
    let placed = 0;
    for (let size = 0; size <= 3; size++) {
      const bs = ["B1", "B2", "B3"].filter((_, i) => sizes[i] === size);
      if (bs.length || size === 3) {
        const set = size === 3 ? 7 : [above1, above2, above3][sizes.indexOf(size)];
        const as = [0, 1, 2].filter(x => set >> x & 1 && !(placed >> x & 1)).map(x => `A${x + 1}`);
        if (as.length) pieces.push(as.join(", "));
        if (bs.length) pieces.push(bs.join(", "));
        placed |= set;
      }
    }
    return pieces.join(" > ");
  }

  // the rewards for which both inequalities are strict, at one radius and discount: exactly, as an open interval
  function rewards(radius, beta) {
    const [first, second, third] = balls(radius), remaining = sub(ONE, beta);
    const pi1 = [], all = [];
    let top = null; // the largest Gittins index of A1 over the set
    for (const a of first) for (const b of second) for (const c of third) {
      const found = outcomes([a, b, c], beta), alone = stopped(found[7], [ZERO, ZERO, ZERO]);
      for (const set of [0, 1, 3, 5, 7]) {
        const outcome = found[set], later = alone.map(value => mul(beta, value));
        const u = stopped(outcome, later)[0], w = stopped(outcome, [ONE, ONE, ONE])[0];
        const earned = stopped(outcome, [ZERO, ZERO, ZERO])[0];
        const weight = sub(w, earned); // E[beta^T]
        const line = [u, weight];
        all.push(line);
        if (set === 3) pi1.push(line);
        if (set !== 0) {
          const index = div(mul(earned, remaining), sub(ONE, weight));
          if (!top || compare(index, top) > 0) top = index;
        }
      }
    }
    return { top, ...short(pi1, all, top) };
  }

  // where the upper envelope of `some` lines lies strictly below that of all, for arguments from 0 to top
  function short(some, all, top) {
    const at = (lines, r) => greatest(lines.map(([u, w]) => add(u, mul(w, r))));
    const under = r => compare(at(some, r), at(all, r)) < 0;
    const corners = envelope(all, top), own = envelope(some, top);
    const points = [...new Map([...corners, ...own, ZERO, top].map(p => [exact.text(p), p])).values()].sort(compare);
    const pieces = []; // open intervals on which pi1 falls short
    for (let i = 0; i + 1 < points.length; i++) {
      const middle = div(add(points[i], points[i + 1]), read(2));
      if (!under(middle)) continue;
      const last = pieces[pieces.length - 1];
      if (last && compare(last[1], points[i]) === 0 && under(points[i])) last[1] = points[i + 1];
      else pieces.push([points[i], points[i + 1]]);
    }
    return { pieces };
  }

  function envelope(lines, top) { // the arguments between 0 and top at which another line becomes the highest
    const found = [];
    let r = ZERO, current = lines.reduce((best, line) => {
      const order = compare(line[0], best[0]) || compare(line[1], best[1]);
      return order > 0 ? line : best;
    });
    for (;;) {
      let next = null, at = top;
      for (const line of lines) {
        if (compare(line[1], current[1]) <= 0) continue;
        const crossing = div(sub(current[0], line[0]), sub(line[1], current[1])), order = compare(crossing, at);
        if (compare(crossing, r) >= 0 && (order < 0 || (order === 0 && next && compare(line[1], next[1]) > 0))) { at = crossing; next = line; }
      }
      if (!next) return found;
      found.push(at);
      r = at;
      current = next;
    }
  }

  return { explore, rewards, orderText };
})();

// Lemma 4: E[max H^alpha] <= 5 + 5 (log K/(1-beta))^alpha, exactly where alpha is an integer
const moments = (() => {
  const { make, add, sub, mul, div, power, ZERO, ONE } = exact;
  const choose = (n, k) => { let c = 1n; for (let i = 0; i < k; i++) c = c * BigInt(n - i) / BigInt(i + 1); return c; };
  // E[G^alpha] of a geometric law on 1, 2, ... with P(G > m) = q^m
  const ofGeometric = [null, q => div(ONE, sub(ONE, q)), q => div(add(ONE, q), power(sub(ONE, q), 2))];
  function left(K, alpha, beta) { // inclusion and exclusion: the least of j lengths is geometric with beta^j
    let sum = ZERO;
    for (let j = 1; j <= K; j++) {
      const term = mul(make(choose(K, j)), ofGeometric[alpha](power(beta, j)));
      sum = j % 2 ? add(sum, term) : sub(sum, term);
    }
    return sum;
  }
  const right = (logarithm, alpha, beta) => add(make(5n), mul(make(5n), power(div(logarithm, sub(ONE, beta)), alpha)));
  return { left, right };
})();
