"use strict";
// Draws the story of a run. The numbers come from the page's JSON; nothing about a scheduler is
// decided here. Each chart is a canvas over the same span of time; the marked iteration and the
// selected one are elements above them, so that they can be found, read and tested.
(() => {
  const story = JSON.parse(document.getElementById("story").textContent);
  const byId = (id) => document.getElementById(id);
  const charts = byId("charts"), area = byId("area"), readout = byId("readout");
  const LEFT = 96, RIGHT = 14, ROW = 22, TALL = 440;

  // Arrays, from the differences and counts in the JSON.
  const stretches = (() => {
    const { gap, length, count, tokens } = story.stretches, start = [], end = [], first = [];
    let time = story.origin, index = story.first, served = story.served;
    const before = [], duration = [], each = 10 ** (story.unit.iterations - story.unit.tokens);
    gap.forEach((wait, k) => {
      time += wait;
      start.push(time); first.push(index); before.push(served); duration.push(length[k] / count[k]);
      time += length[k]; index += count[k]; served += tokens[k] * count[k] * each;
      end.push(time);
    });
    return { ...story.stretches, duration, start, end, first, served: before, size: gap.length };
  })();
  const last = stretches.size ? stretches.first.at(-1) + stretches.count.at(-1) - 1 : -1;
  const lives = story.lives.number.map((number, row) => ({
    number, arrive: story.lives.arrive[row], first: story.lives.first[row],
    joined: story.lives.joined[row], ended: story.lives.ended[row],
    prompt: story.lives.prompt[row], output: story.lives.output[row], chunks: [],
  }));
  const rowOf = new Map(lives.map((life) => [life.number, life]));
  for (let k = 0; k < story.prefills.length; k += 3)
    rowOf.get(story.prefills[k + 1]).chunks.push([story.prefills[k], story.prefills[k + 2]]);
  const chosen = new Map(story.chosen.map(([place, numbers]) => [place, new Set(numbers)]));
  let earliest = 0; // a clock may run backwards
  for (const times of [stretches.start, stretches.end])
    for (const time of times) earliest = Math.min(earliest, time);
  const BEGIN = earliest, END = Math.max(story.end, BEGIN + 1), SPAN = END - BEGIN;
  for (const life of lives) life.gone = life.ended ?? END;

  let view = { from: BEGIN, to: END }, cursor = null, colours = {}, patterns = {};

  // Numbers for a person.
  const UNITS = [[1e6, "s"], [1e3, "ms"], [1, "µs"]];
  const powers = (exponent) => exponent ? ` × 10^${exponent}` : "";
  const exact = !story.unit.time;
  function timeText(time, span) {
    if (!exact) return `${big(time)}${powers(story.unit.time)} µs`;
    const [size, name] = UNITS.find(([unit]) => span >= 4 * unit) ?? UNITS[2];
    const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(size) - Math.log10(span / 8))));
    return `${(time / size).toLocaleString("en", { maximumFractionDigits: digits })} ${name}`;
  }
  const big = (n) => Math.abs(n) < 1e7 ? n.toLocaleString("en")
    : n.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
  const micro = (n) => `${n.toLocaleString("en")}${powers(story.unit.time)} µs`;
  const nth = (n) => `${n.toLocaleString("en")}${powers(story.unit.iterations)}`;

  // The place of the last of some rising values that is at most n; -1 where none is.
  function lastUpTo(values, n) {
    let low = 0, high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= n) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  const placeAt = (time) => lastUpTo(stretches.start, time);
  const placeOf = (index) => lastUpTo(stretches.first, index);
  function iteration(index) {
    const k = placeOf(index), i = index - stretches.first[k], many = stretches.count[k] - 1;
    const start = stretches.start[k] + i * stretches.duration[k];
    const slack = many ? stretches.slack[k] + (stretches.slack_last[k] - stretches.slack[k]) * i / many
      : stretches.slack[k];
    return { k, index, start, end: start + stretches.duration[k], slack,
      served: stretches.served[k] + i * stretches.tokens[k] };
  }
  const modeOf = (k) => !stretches.prefilled[k] ? "decode" : stretches.decoders[k] ? "mixed" : "prefill";

  // Drawing: one context a chart, in CSS pixels.
  function open(id, height) {
    const canvas = byId(id), width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    pen.textBaseline = "middle";
    return { pen, width, height, room: width - LEFT - RIGHT };
  }
  const xOf = (time, room, v = view) => LEFT + (time - v.from) / (v.to - v.from) * room;
  function pattern(base, ink, draw) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.fillStyle = base; pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = pen.fillStyle = ink;
    draw(pen);
    return pen.createPattern(tile, "repeat");
  }
  function dress() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["paper", "ink", "faint", "line", "prefill", "decode", "stalled", "waiting",
      "edge", "mark", "slack"]) colours[name] = style.getPropertyValue(`--${name}`).trim();
    patterns.decode = pattern(colours.decode, "#00000073", (pen) => {
      pen.lineWidth = 1.4;
      pen.beginPath();
      for (const shift of [-8, 0, 8]) { pen.moveTo(shift - 1, 9); pen.lineTo(shift + 9, -1); }
      pen.stroke();
    });
    patterns.waiting = pattern(colours.waiting, colours.edge, (pen) => {
      pen.fillRect(1, 1, 1.3, 1.3); pen.fillRect(5, 5, 1.3, 1.3);
    });
  }
  function steps(low, high, most) {
    const raw = Math.max((high - low) / most, 1e-300), power = 10 ** Math.floor(Math.log10(raw));
    const size = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
    const found = [];
    for (let n = Math.ceil(low / size); n * size <= high; n += 1) found.push(n * size);
    return found;
  }
  function grid({ pen, height, room }) {
    pen.strokeStyle = colours.line; pen.lineWidth = 1;
    for (const time of steps(view.from, view.to, Math.min(9, room / 90))) {
      const x = Math.round(xOf(time, room)) + .5;
      pen.beginPath(); pen.moveTo(x, 0); pen.lineTo(x, height); pen.stroke();
    }
  }
  function level({ pen, room }, y, text, dashed = false) {
    pen.strokeStyle = dashed ? colours.edge : colours.line; pen.setLineDash(dashed ? [5, 4] : []);
    pen.beginPath(); pen.moveTo(LEFT, Math.round(y) + .5); pen.lineTo(LEFT + room, Math.round(y) + .5);
    pen.stroke(); pen.setLineDash([]);
    pen.fillStyle = colours.faint; pen.textAlign = "right"; pen.fillText(text, LEFT - 8, y);
  }
  const seen = () => {
    const found = [];
    for (let k = Math.max(0, placeAt(view.from)); k < stretches.size; k += 1) {
      if (stretches.start[k] > view.to) break;
      if (stretches.end[k] >= view.from) found.push(k);
    }
    return found;
  };

  function drawAxis() {
    const chart = open("axis", 20), { pen, room } = chart;
    pen.fillStyle = colours.ink; pen.textAlign = "center";
    for (const time of steps(view.from, view.to, Math.min(9, room / 90))) {
      const text = timeText(time, view.to - view.from), half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(xOf(time, room), LEFT + room + RIGHT - half), 10);
    }
  }

  // The most decodes in each pixel of the whole run: the same however the reader moves.
  const all = { from: BEGIN, to: END };
  let tops = null;
  function heights(room) {
    const found = new Float64Array(Math.ceil(room) + 1);
    for (let k = 0; k < stretches.size; k += 1) {
      const a = Math.floor(xOf(stretches.start[k], room, all) - LEFT);
      const b = Math.floor(xOf(stretches.end[k], room, all) - LEFT);
      for (let x = Math.max(0, a); x <= Math.min(b, found.length - 1); x += 1)
        found[x] = Math.max(found[x], stretches.decoding[k]);
    }
    return found;
  }
  function drawOverview() {
    const chart = open("overview", 44), { pen, room, height } = chart;
    if (tops?.length !== Math.ceil(room) + 1) tops = heights(room);
    const most = tops.reduce((a, b) => Math.max(a, b), 1);
    pen.fillStyle = colours.decode;
    tops.forEach((d, x) => pen.fillRect(LEFT + x, height - 4 - (height - 8) * d / most, 1, (height - 8) * d / most));
    level(chart, 6, big(most)); level(chart, height - 4, "0");
    pen.strokeStyle = colours.ink; pen.lineWidth = 2;
    const a = xOf(view.from, room, all), b = xOf(view.to, room, all);
    pen.strokeRect(a, 1, Math.max(b - a, 3), height - 3);
    if (story.mark) {
      const x = xOf(story.mark.start, room, all);
      pen.fillStyle = colours.mark;
      pen.beginPath(); pen.moveTo(x - 6, 0); pen.lineTo(x + 6, 0); pen.lineTo(x, 11); pen.fill();
    }
  }

  function drawSessions(places) {
    const rows = lives.filter((life) => life.arrive <= view.to && life.gone >= view.from);
    const tall = Math.min(ROW, TALL / Math.max(rows.length, 1));
    const chart = open("sessions", Math.max(rows.length * tall, 8)), { pen, room } = chart;
    const fine = tall >= 4, detail = fine && places.length <= 4000;
    byId("rows").textContent =
      `(${rows.length.toLocaleString("en")} of ${lives.length.toLocaleString("en")} in view` +
      `${detail ? "" : "; zoom in to see which decodes a batch leaves out"})`;
    grid(chart);
    const right = LEFT + room, thick = fine ? tall - Math.min(4, tall / 4) : Math.max(tall, 1);
    const clip = (time) => Math.min(Math.max(xOf(time, room), LEFT), right);
    const bar = (from, to, y, fill, edge = false) => {
      const a = clip(from), b = Math.max(clip(to), a + (to > from ? .8 : 0));
      pen.fillStyle = fill; pen.fillRect(a, y, b - a, thick);
      if (edge && fine && b - a > 3) {
        pen.strokeStyle = colours.edge; pen.lineWidth = 1;
        pen.strokeRect(a + .5, y + .5, b - a - 1, thick - 1);
      }
    };
    pen.save();
    pen.beginPath(); pen.rect(LEFT, 0, room, chart.height); pen.clip();
    rows.forEach((life, row) => {
      const y = row * tall;
      const first = life.first ?? (life.prompt ? life.gone : life.arrive);
      const joined = life.joined ?? life.gone;
      if (first > life.arrive) bar(life.arrive, first, y, fine ? patterns.waiting : colours.waiting, true);
      if (joined > first) bar(first, joined, y, fine ? patterns.waiting : colours.waiting, true);
      for (const [k] of life.chunks) {
        if (stretches.end[k] < view.from || stretches.start[k] > view.to) continue;
        bar(stretches.start[k], stretches.end[k], y, colours.prefill);
        const wide = stretches.duration[k] / (view.to - view.from) * room;
        if (fine && wide >= 4) {
          pen.fillStyle = colours.paper; // a gap between two chunks
          for (let i = 0; i < stretches.count[k]; i += 1) {
            const x = xOf(stretches.start[k] + (i + 1) * stretches.duration[k], room);
            if (x >= LEFT && x <= right) pen.fillRect(x - 1, y, 1, thick);
          }
        }
      }
      if (life.gone > joined) {
        bar(joined, life.gone, y, detail ? colours.stalled : colours.decode, true);
        if (!detail) return;
        let from = null, to = null;
        for (const k of places) {
          if (stretches.end[k] <= joined || stretches.start[k] >= life.gone) continue;
          const some = stretches.decoders[k] > 0 && stretches.decoders[k] < stretches.decoding[k];
          const served = some ? chosen.get(k)?.has(life.number) : stretches.decoders[k] > 0;
          if (!served) continue;
          if (to === stretches.start[k]) { to = stretches.end[k]; continue; }
          if (from !== null) bar(from, to, y, patterns.decode, true);
          [from, to] = [stretches.start[k], stretches.end[k]];
        }
        if (from !== null) bar(from, to, y, patterns.decode, true);
      }
    });
    pen.restore();
    const every = Math.max(1, Math.ceil(14 / tall));
    pen.fillStyle = colours.ink; pen.textAlign = "right";
    rows.forEach((life, row) => {
      if (row % every === Math.min(every >> 1, rows.length - 1))
        pen.fillText(`session ${life.number}`, LEFT - 8, row * tall + thick / 2);
    });
    drawSessions.rows = rows; drawSessions.tall = tall;
  }

  // Stretches narrower than a pixel are gathered by pixel: a mean for areas, ends for lines.
  function gather(places, room, values) {
    const bins = new Map();
    for (const k of places) {
      const a = xOf(Math.max(stretches.start[k], view.from), room);
      const b = xOf(Math.min(stretches.end[k], view.to), room);
      if (b - a >= 1) { bins.set(k, { a, b, wide: true, sum: values(k), weight: 1 }); continue; }
      const pixel = `p${Math.floor(a)}`, bin = bins.get(pixel);
      const weight = Math.max(b - a, 1e-9), sum = values(k).map((value) => value * weight);
      if (bin) { bin.weight += weight; bin.sum = bin.sum.map((s, i) => s + sum[i]); }
      else bins.set(pixel, { a: Math.floor(a), b: Math.floor(a) + 1, sum, weight });
    }
    return [...bins.values()].map(({ a, b, sum, weight, wide }) =>
      ({ a, b, wide, values: sum.map((s) => s / weight) }));
  }

  function drawBatches(places) {
    const chart = open("batches", 150), { pen, room, height } = chart, { b_col, b_lcm } = story.deployment;
    grid(chart);
    let most = Math.max(b_col, Math.min(b_lcm, 64 * b_col));
    for (const k of places) most = Math.max(most, stretches.tokens[k]);
    most = Math.ceil(most / b_col) * b_col * 1.04;
    const yOf = (tokens) => height - 4 - tokens / most * (height - 10);
    for (const { a, b, values: [decode, prefill], wide } of
      gather(places, room, (k) => [stretches.decoders[k], stretches.prefilled[k]])) {
      const gap = wide && b - a > 4 ? 1 : 0;
      pen.fillStyle = wide ? patterns.decode : colours.decode;
      pen.fillRect(a, yOf(decode), b - a - gap, yOf(0) - yOf(decode));
      pen.fillStyle = colours.prefill;
      pen.fillRect(a, yOf(decode + prefill), b - a - gap, yOf(decode) - yOf(decode + prefill));
    }
    for (const k of places) { // where one batch ends and the next begins, if there is room to see it
      const wide = stretches.duration[k] / (view.to - view.from) * room;
      if (wide < 5 || stretches.count[k] * wide > 3 * room) continue;
      pen.fillStyle = colours.paper;
      for (let i = 1; i < stretches.count[k]; i += 1)
        pen.fillRect(xOf(stretches.start[k] + i * stretches.duration[k], room) - 1, 0, 1, height - 4);
    }
    const tiles = Math.round(most / 1.04 / b_col), every = Math.ceil(tiles / 4);
    for (let n = 0; n <= tiles; n += every)
      level(chart, yOf(n * b_col), n === 1 ? `b_col ${big(b_col)}` : big(n * b_col), n > 0);
  }

  function line(chart, places, yOf, first, lastValue) {
    const { pen, room } = chart;
    pen.beginPath();
    let open_ = null;
    for (const k of places) {
      const a = Math.max(xOf(stretches.start[k], room), LEFT - 1e4);
      const last = Math.min(xOf(stretches.end[k] - stretches.duration[k], room), LEFT + room + 1e4);
      const b = Math.min(xOf(stretches.end[k], room), LEFT + room + 1e4);
      if (open_ === null || stretches.start[k] > open_) pen.moveTo(a, yOf(first(k)));
      else pen.lineTo(a, yOf(first(k)));
      pen.lineTo(Math.max(a, last), yOf(lastValue(k))); // as the last iteration starts, and then flat
      pen.lineTo(b, yOf(lastValue(k)));
      open_ = stretches.end[k];
    }
    pen.stroke();
  }

  function drawDecodes(places) {
    const chart = open("decodes", 132), { pen, room, height } = chart, { b_col } = story.deployment;
    grid(chart);
    let most = 1;
    for (const k of places) most = Math.max(most, stretches.decoding[k]);
    const near = most >= b_col / 4;
    if (near) most = Math.max(most, b_col);
    const floor = height - 26, yOf = (d) => floor - d / most * (floor - 8);
    level(chart, yOf(0), "0"); level(chart, yOf(most), near && most === b_col ? `b_col ${big(b_col)}` : big(most), near && most === b_col);
    if (near && most > b_col) level(chart, yOf(b_col), `b_col ${big(b_col)}`, true);
    pen.save();
    pen.beginPath(); pen.rect(LEFT, 0, room, height); pen.clip();
    pen.strokeStyle = colours.ink; pen.lineWidth = 1.5;
    line(chart, places, yOf, (k) => stretches.decoding[k], (k) => stretches.decoding[k]);
    for (const { a, b, wide, values: [decode, prefill] } of gather(places, room, (k) => {
      const mode = modeOf(k);
      return mode === "mixed" ? [.5, .5] : [+(mode === "decode"), +(mode === "prefill")];
    })) {
      const parts = [[decode, wide ? patterns.decode : colours.decode], [prefill, colours.prefill]];
      let y = height - 2;
      for (const [share, fill] of parts) {
        pen.fillStyle = fill; pen.fillRect(a, y - 14 * share, b - a, 14 * share);
        y -= 14 * share;
      }
    }
    pen.restore();
    pen.fillStyle = colours.faint; pen.textAlign = "right"; pen.fillText("mode", LEFT - 8, height - 9);
    pen.textAlign = "center"; pen.lineWidth = 3; pen.strokeStyle = colours.paper;
    for (const k of places) {
      const a = Math.max(xOf(stretches.start[k], room), LEFT), b = Math.min(xOf(stretches.end[k], room), LEFT + room);
      const text = modeOf(k);
      if (b - a < 52) continue;
      pen.strokeText(text, (a + b) / 2, height - 9);
      pen.fillStyle = colours.ink; pen.fillText(text, (a + b) / 2, height - 9);
    }
  }

  function drawSlack(places) {
    const chart = open("slack", 116), { pen, room, height } = chart;
    grid(chart);
    let low = 0, high = 1;
    for (const k of places) {
      low = Math.min(low, stretches.slack[k], stretches.slack_last[k]);
      high = Math.max(high, stretches.slack[k], stretches.slack_last[k]);
    }
    const yOf = (value) => height - 10 - (value - low) / (high - low) * (height - 20);
    const powers_ = powers(story.unit.slack);
    level(chart, yOf(high), big(high) + powers_);
    if (low < 0) level(chart, yOf(low), big(low) + powers_);
    level(chart, yOf(0), "0", true);
    pen.save();
    pen.beginPath(); pen.rect(LEFT, 0, room, height); pen.clip();
    if (low < 0) {
      pen.fillStyle = colours.mark; pen.globalAlpha = .15;
      pen.fillRect(LEFT, yOf(0), room, height - yOf(0)); pen.globalAlpha = 1;
    }
    pen.strokeStyle = colours.slack; pen.lineWidth = 1.8; pen.fillStyle = colours.slack;
    line(chart, places, yOf, (k) => stretches.slack[k], (k) => stretches.slack_last[k]);
    pen.restore();
  }

  function put(element, from, to, least) {
    const room = charts.clientWidth - LEFT - RIGHT;
    const a = xOf(from, room), b = Math.max(xOf(to, room), a + least);
    const away = b < LEFT - 1 || a > LEFT + room + 1;
    const left = Math.min(Math.max(a, LEFT), LEFT + room), right = Math.max(Math.min(b, LEFT + room), left);
    element.style.left = `${left}px`; element.style.width = `${Math.max(right - left, least)}px`;
    return { away, before: b < LEFT, left };
  }
  function place() {
    const mark = byId("mark");
    mark.hidden = !story.mark;
    if (story.mark) {
      const { away, before, left } = put(mark, story.mark.start, story.mark.end, 3);
      mark.classList.toggle("away", away);
      mark.classList.toggle("flip", left > charts.clientWidth * .6);
      const text = story.mark.text;
      mark.firstElementChild.textContent = !away ? text : before ? `◀ ${text}` : `${text} ▶`;
    }
    const at = byId("cursor");
    at.hidden = cursor === null;
    if (cursor !== null) {
      const { start, end } = iteration(cursor);
      at.hidden = put(at, start, end, 1).away;
    }
  }
  function tellCursor() {
    for (const row of document.querySelectorAll("tr[data-index]"))
      row.classList.toggle("chosen", Number(row.dataset.index) === cursor);
    if (cursor === null) {
      readout.textContent = stretches.size ? "No iteration is chosen: click one, or press → ." : "No iteration.";
      return;
    }
    const { k, start, end, served, slack } = iteration(cursor), { b_col } = story.deployment;
    const tokens = stretches.tokens[k], room = Math.ceil(tokens / b_col) * b_col;
    readout.textContent = `Iteration ${nth(cursor)}: ${modeOf(k)}, from ${micro(start)} to ${micro(end)}; ` +
      `${big(tokens)} token${tokens === 1 ? "" : "s"} (${big(stretches.decoders[k])} decode, ${big(stretches.prefilled[k])} prefill) fill ` +
      `${(100 * tokens / room).toLocaleString("en", { maximumFractionDigits: 1 })} % of ${big(room / b_col)} tile${room === b_col ? "" : "s"}; ` +
      `|D| ${big(stretches.decoding[k])} of ${big(stretches.residents[k])} residents; ${big(served)}${powers(story.unit.tokens)} served before; slack ${big(slack)}${powers(story.unit.slack)}.`;
  }
  function draw() {
    const places = seen();
    drawOverview(); drawAxis(); drawSessions(places); drawBatches(places); drawDecodes(places);
    drawSlack(places); place(); tellCursor();
  }
  let asked = false;
  function later() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  }

  // Navigation.
  const LEAST = Math.min(SPAN, 8);
  function show(from, to) {
    const span = Math.min(Math.max(to - from, LEAST), SPAN);
    const start = Math.min(Math.max((from + to - span) / 2, BEGIN), END - span);
    view = { from: start, to: start + span };
    later();
  }
  function zoom(factor, at) {
    const middle = at ?? (cursor !== null ? iteration(cursor).start : (view.from + view.to) / 2);
    const held = Math.min(Math.max(middle, view.from), view.to), share = (held - view.from) / (view.to - view.from);
    const span = Math.min(Math.max((view.to - view.from) * factor, LEAST), SPAN);
    show(held - share * span, held + (1 - share) * span);
  }
  function near(index, around) {
    const low = Math.max(index - around, story.first), high = Math.min(index + around, last);
    if (low > high) return;
    const times = [iteration(low).start, iteration(low).end, iteration(high).start, iteration(high).end];
    if (story.mark) times.push(story.mark.start, story.mark.end);
    show(Math.min(...times), Math.max(...times));
  }
  function choose(index) {
    if (!stretches.size) return;
    cursor = Math.min(Math.max(index, story.first), last);
    const { start, end } = iteration(cursor);
    if (start < view.from || end > view.to) {
      const span = view.to - view.from;
      show(start - span / 3, start + span * 2 / 3);
    }
    later();
  }
  function toMark() {
    if (!story.mark) return;
    cursor = stretches.size && story.mark.index <= last && story.mark.index >= story.first ? story.mark.index : cursor;
    near(story.mark.index, 20);
  }
  const slide = (share) => show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
  const actions = {
    whole: () => show(BEGIN, END), mark: toMark, in: () => zoom(.5), out: () => zoom(2),
    left: () => slide(-.3), right: () => slide(.3),
    previous: () => choose(cursor === null ? Math.max(story.first, last) : cursor - 1),
    next: () => choose(cursor === null ? story.first : cursor + 1),
    copy: () => {
      const range = document.createRange();
      range.selectNodeContents(byId("command"));
      getSelection().removeAllRanges(); getSelection().addRange(range);
      byId("copied").textContent = document.execCommand("copy") ? "copied" : "selected; copy it with the keyboard";
    },
  };
  const keys = { "0": "whole", m: "mark", "+": "in", "=": "in", "-": "out", a: "left", d: "right",
    ArrowLeft: "previous", ArrowRight: "next" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target.closest("tr[data-index]");
    if (row && event.key === "Enter") { choose(Number(row.dataset.index)); return; }
    if (event.target.matches("pre, .wide")) return; // where the arrows scroll
    const action = keys[event.key];
    if (action) { event.preventDefault(); actions[action](); }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]"), row = event.target.closest("tr[data-index]");
    if (button) actions[button.dataset.do]();
    else if (row) choose(Number(row.dataset.index));
  });
  const timeAt = (event, v = view) => {
    const box = event.target.getBoundingClientRect();
    return v.from + (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT) * (v.to - v.from);
  };
  let held = null;
  area.addEventListener("pointerdown", (event) => {
    if (event.target.tagName !== "CANVAS") return;
    const overview = event.target.id === "overview";
    held = { overview, time: timeAt(event), x: event.clientX, moved: overview };
    event.target.setPointerCapture(event.pointerId);
    if (overview) jump(event);
  });
  function jump(event) {
    const time = timeAt(event, all), half = (view.to - view.from) / 2;
    show(time - half, time + half);
  }
  area.addEventListener("pointermove", (event) => {
    if (event.target.tagName !== "CANVAS") return;
    if (held?.overview) { jump(event); return; }
    if (held) {
      held.moved ||= Math.abs(event.clientX - held.x) > 3;
      if (held.moved) { const by = held.time - timeAt(event); show(view.from + by, view.to + by); }
      return;
    }
    if (event.target.id === "sessions" && drawSessions.rows) {
      const box = event.target.getBoundingClientRect();
      const life = drawSessions.rows[Math.floor((event.clientY - box.top) / drawSessions.tall)];
      event.target.title = life ? `session ${life.number}: arrives ${micro(life.arrive)}, prompt ${big(life.prompt)}, output ${big(life.output)}, ` +
        (life.ended === null ? "not ended" : `ended ${micro(life.ended)}`) : "";
    }
  });
  area.addEventListener("pointerup", (event) => {
    if (held && !held.moved && stretches.size) {
      const time = timeAt(event), k = Math.max(0, placeAt(time));
      const i = Math.floor((time - stretches.start[k]) / Math.max(stretches.duration[k], 1e-9));
      choose(stretches.first[k] + Math.min(Math.max(i, 0), stretches.count[k] - 1));
    }
    held = null;
  });
  area.addEventListener("pointercancel", () => { held = null; });
  area.addEventListener("wheel", (event) => {
    if (event.target.tagName !== "CANVAS" || !event.ctrlKey) return; // plain scrolling stays the page's
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : .8, timeAt(event));
  }, { passive: false });
  window.addEventListener("resize", later);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { dress(); later(); });

  dress();
  const narrow = story.mark && (story.mark.end - story.mark.start) / SPAN * (charts.clientWidth - LEFT - RIGHT) < 3;
  if (narrow) toMark();
  if (story.mark && story.mark.index <= last) cursor = story.mark.index;
  draw();
  document.documentElement.dataset.ready = "true";
})();
