const color = (family) => "var(--series-" + family + ")";
const label = (x, y, text, properties = {}) => svg("text", { x, y, ...properties, text });
// MARK: Runs

const chartSize = { width: 560, left: 58, right: 12 };
const inner = chartSize.width - chartSize.left - chartSize.right;
const newChart = (height, description) => svg("svg", { class: "chart", viewBox: "0 0 " + chartSize.width + " " + height, role: "img", "aria-label": description });

/// A histogram of the run times.
function spreadChart(item) {
  const { left } = chartSize, top = 12, plotHeight = 150, height = top + plotHeight + 38;
  const sorted = [...item.runs].sort((first, second) => first - second);
  const low = sorted[0], slowest = sorted[sorted.length - 1], high = Math.max(slowest, low * 1.02 + 1e-9);
  const chart = newChart(height, plural(item.runs.length, "run") + ": median " + milliseconds(item.median) + ", fastest " + milliseconds(item.min) + ", slowest " + milliseconds(slowest));
  const x = (value) => left + ((value - low) / (high - low)) * inner;
  const bins = Math.max(8, Math.min(48, Math.round(Math.sqrt(item.runs.length) * 3)));
  const counts = new Array(bins).fill(0);
  for (const run of sorted) counts[Math.min(bins - 1, Math.floor(((run - low) / (high - low)) * bins))] += 1;
  const most = Math.max(...counts);
  const y = (number) => top + plotHeight * (1 - number / most);
  for (const value of ticks(most, 3)) if (Number.isInteger(value)) chart.append(svg("line", { class: "grid", x1: left, x2: left + inner, y1: y(value), y2: y(value) }), label(left - 8, y(value) + 4, count(value), { "text-anchor": "end" }));
  counts.forEach((number, bin) => {
    if (number === 0) return;
    const bar = svg("rect", { class: "column", x: (left + (bin / bins) * inner + 0.75).toFixed(2), width: (inner / bins - 1.5).toFixed(2), y: y(number).toFixed(2), height: (top + plotHeight - y(number)).toFixed(2), rx: 1.5 });
    chart.append(hoverable(bar, () => [plural(number, "run"), milliseconds(low + ((high - low) * bin) / bins) + " to " + milliseconds(low + ((high - low) * (bin + 1)) / bins)]));
  });
  chart.append(svg("line", { class: "axis", x1: left, x2: left + inner, y1: top + plotHeight, y2: top + plotHeight }));
  // The ends are labeled on one line, and the values between them on the next.
  const marks = [["fastest", item.min, "start", 15], ["slowest", slowest, "end", 15], ["median", item.median, "middle", 31], ["95 of 100", item.p95, "middle", 31]];
  let free = -Infinity;
  for (const [name, value, anchor, drop] of marks) {
    const at = x(value), text = name + " " + milliseconds(value), half = text.length * 3;
    chart.append(svg("line", { class: name === "median" ? "mark strong" : "mark", x1: at, x2: at, y1: top, y2: top + plotHeight + 4 }));
    if (anchor !== "middle") {
      chart.append(label(at, top + plotHeight + drop, text, { "text-anchor": anchor }));
      continue;
    }
    const middle = Math.min(Math.max(at, left + half), left + inner - half);
    if (middle - half < free) continue;
    free = middle + half + 8;
    chart.append(label(middle, top + plotHeight + drop, text, { "text-anchor": anchor, class: name === "median" ? "strong" : null }));
  }
  return chart;
}

/// Run times in order, which shows trends and variation.
function turnChart(item) {
  const { left } = chartSize, top = 12, plotHeight = 150, height = top + plotHeight + 38;
  const high = Math.max(...item.runs, 1e-9);
  const chart = newChart(height, "Time of each run, in order");
  const y = (value) => top + plotHeight * (1 - value / high);
  for (const value of ticks(high, 3)) chart.append(svg("line", { class: "grid", x1: left, x2: left + inner, y1: y(value), y2: y(value) }), label(left - 8, y(value) + 4, milliseconds(value), { "text-anchor": "end" }));
  chart.append(svg("line", { class: "mark strong", x1: left, x2: left + inner, y1: y(item.median), y2: y(item.median) }));
  // Up to 600 runs are drawn as points, more as a line.
  const at = (turn) => left + ((turn + 0.5) / item.runs.length) * inner;
  if (item.runs.length > 600) chart.append(svg("path", { class: "trace", d: "M" + item.runs.map((run, turn) => at(turn).toFixed(1) + " " + y(run).toFixed(1)).join("L") }));
  else item.runs.forEach((run, turn) => chart.append(hoverable(svg("circle", { class: "point", cx: at(turn).toFixed(1), cy: y(run).toFixed(1), r: item.runs.length > 150 ? 2 : 3 }), () => ["Run " + (turn + 1), milliseconds(run)])));
  chart.append(label(left, top + plotHeight + 18, "run 1"), label(left + inner, top + plotHeight + 18, "run " + count(item.runs.length), { "text-anchor": "end" }));
  return chart;
}

// MARK: Operators

/// The run as one bar, split by family, by kind, and by operator. Widths are times.
function flameChart(item, choose) {
  const total = item.total;
  const root = { name: "one run", us: total, children: [] };
  const families = new Map();
  for (const operation of item.operators) {
    const family = families.get(operation.family) ?? { name: data.families[operation.family], family: operation.family, us: 0, kinds: new Map() };
    const kind = family.kinds.get(operation.op) ?? { name: operation.op, family: operation.family, us: 0, children: [] };
    family.us += operation.us;
    kind.us += operation.us;
    kind.children.push({ name: operation.name, family: operation.family, us: operation.us, operation });
    family.kinds.set(operation.op, kind);
    families.set(operation.family, family);
  }
  const byTime = (first, second) => second.us - first.us;
  root.children = [...families.values()].sort(byTime);
  for (const family of root.children) family.children = [...family.kinds.values()].sort(byTime);
  const rows = [[], [], [], []];
  place(root, 0, 0);
  function place(part, start, level) {
    rows[level].push({ ...part, start });
    let at = start;
    for (const child of [...(part.children ?? [])].sort(byTime)) {
      place(child, at, level + 1);
      at += child.us;
    }
  }
  const chart = el("div", { class: "flame", role: "img", "aria-label": "Time by family: " + root.children.map((family) => family.name + " " + percent(family.us / total)).join(", ") });
  rows.forEach((row, level) => {
    const line = el("div", { class: "flame-row level-" + level });
    for (const part of row) {
      const share = part.us / total;
      if (share < 0.0008) continue;
      const box = el("div", { class: "flame-part", style: { left: (part.start / total) * 100 + "%", width: share * 100 + "%" } }, share > 0.018 ? el("span", {}, el("bdi", {}, level === 3 ? "#" + part.operation.index : part.name), share > 0.05 && level < 3 ? el("small", {}, time(part.us) + " · " + percent(share)) : null) : null);
      if (part.family !== undefined) box.style.setProperty("--family", color(part.family));
      hoverable(box, () => [level === 3 ? "#" + part.operation.index + " " + part.operation.op : part.name, ...(level === 3 ? [part.name] : []), time(part.us) + ", " + percent(share) + " of a run"]);
      if (part.operation) box.addEventListener("click", () => choose(part.operation));
      line.append(box);
    }
    chart.append(line);
  });
  return chart;
}

/// One column per operator, in execution order.
function orderChart(item, choose) {
  const left = 62, right = 12, top = 14, inner = Math.max(Math.min(1190, innerWidth - 82) - left - right, item.operators.length * 3.5, 240), plotHeight = 190, height = top + plotHeight + 26, width = left + inner + right;
  const chart = svg("svg", { class: "chart", width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "Time of each operator, in execution order" });
  const most = Math.max(...item.operators.map((operation) => operation.us), 1e-9);
  const y = (us) => top + plotHeight * (1 - us / most);
  for (const value of ticks(most, 4)) chart.append(svg("line", { class: "grid", x1: left, x2: left + inner, y1: y(value), y2: y(value) }), label(left - 8, y(value) + 4, time(value), { "text-anchor": "end" }));
  const step = inner / item.operators.length;
  item.operators.forEach((operation, turn) => {
    const x = left + turn * step;
    const column = svg("rect", { class: "operator", "data-turn": turn, x: (x + Math.min(step * 0.1, 2)).toFixed(2), width: Math.max(step * 0.8, step - 4, 1).toFixed(2), y: y(operation.us).toFixed(2), height: Math.max(top + plotHeight - y(operation.us), 0.8).toFixed(2), rx: step > 8 ? 2 : 0 });
    column.style.setProperty("--family", color(operation.family));
    const area = svg("rect", { class: "hit", x, width: step, y: top, height: plotHeight });
    area.addEventListener("click", () => choose(operation));
    chart.append(column, hoverable(area, () => ["#" + operation.index + " " + operation.op, operation.name, time(operation.us) + ", " + percent(operation.us / item.total) + (operation.gops > 0 ? ", " + operation.gops.toFixed(1) + " GOP/s" : "")]));
  });
  const every = Math.max(1, Math.ceil(44 / step));
  for (let turn = 0; turn < item.operators.length; turn += every) chart.append(label(left + (turn + 0.5) * step, height - 8, "#" + item.operators[turn].index, { "text-anchor": "middle" }));
  return chart;
}
