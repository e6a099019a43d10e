/// Draws the histogram of a tensor's values, with the range that its type can represent and the reference's values.
/// Heights are logarithmic, because most activations have a peak at zero that would hide all other values.
function histogramChart(tensor, width) {
  const values = valuesOfTensor.get(tensor);
  const { histogram, reference_histogram: reference, representable } = values;
  const top = 32, floor = 104, height = 122;
  const [low, high] = histogramDomain(histogram, representable);
  const x = (value) => ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (width - 2) + 1;
  const most = Math.max(1, ...histogram.counts, ...(reference?.counts ?? []));
  const y = (number) => floor - (Math.log1p(number) / Math.log1p(most)) * (floor - top);
  const chart = svg("svg", { class: "histogram", width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": histogramText(tensor) });
  const label = (place, row, text) => svg("text", { x: place < width / 2 ? place + 3 : place - 3, y: row, "text-anchor": place < width / 2 ? "start" : "end", text });
  if (representable) {
    const [first, last] = representable.map(x);
    for (const [start, end] of [[0, first], [last, width]]) if (end - start > 1) chart.append(svg("rect", { class: "outside", x: start, y: top, width: end - start, height: floor - top }));
  }
  chart.append(svg("path", { class: "values", d: stairs(histogram, x, y) + "V" + floor + "H" + x(histogram.minimum).toFixed(1) + "Z" }));
  if (reference) chart.append(svg("path", { class: "reference", d: stairs(reference, x, y) }));
  chart.append(svg("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }));
  // Each label has its own row, so that the labels of a narrow range don't overlap.
  for (const [end, name, row] of [[0, "lowest ", 10], [1, "highest ", 23]]) {
    if (!representable) continue;
    const limit = representable[end], place = x(limit), isInside = limit >= low && limit <= high;
    if (isInside) chart.append(svg("line", { class: "limit", x1: place, x2: place, y1: row - 8, y2: floor }));
    chart.append(label(place, row, isInside ? name + digits(limit, 3) : end === 0 ? "← " + name + digits(limit, 3) : name + digits(limit, 3) + " →"));
  }
  chart.append(label(0, height - 4, digits(low, 3)), label(width, height - 4, digits(high, 3)));
  return chart;
}
/// Returns the drawn range: the values and what the type can represent, unless the latter is so wide that the values
/// would be a line.
function histogramDomain(histogram, representable) {
  let { minimum: low, maximum: high } = histogram;
  if (!(high > low)) {
    const margin = Math.abs(low) / 20 || 0.5;
    [low, high] = [low - margin, low + margin];
  }
  const most = (high - low) * 2;
  if (representable && low - representable[0] < most) low = Math.min(low, representable[0]);
  if (representable && representable[1] - high < most) high = Math.max(high, representable[1]);
  return [low, high];
}
function stairs({ minimum, maximum, counts }, x, y) {
  const size = (maximum - minimum) / counts.length;
  let path = "M" + x(minimum).toFixed(1) + " " + y(0).toFixed(1);
  // The bin of a tensor with a single value has no width.
  if (!(size > 0)) return path + "H" + (x(minimum) - 2).toFixed(1) + "V" + y(Math.max(...counts)).toFixed(1) + "h4V" + y(0).toFixed(1);
  counts.forEach((number, bin) => { path += "V" + y(number).toFixed(1) + "H" + x(minimum + (bin + 1) * size).toFixed(1); });
  return path + "V" + y(0).toFixed(1);
}
function histogramText(tensor) {
  const values = valuesOfTensor.get(tensor);
  return "Histogram of " + (model.graphs[0].tensors[tensor].name || "the tensor") + ": " + shown(values.minimum, (value) => digits(value, 3)) + " to " + shown(values.maximum, (value) => digits(value, 3)) +
    (values.representable ? ", representable " + values.representable.map((limit) => digits(limit, 3)).join(" to ") + ", " + percent(values.at_lowest ?? 0) + " at the lowest value, " + percent(values.at_highest ?? 0) + " at the highest" : "") +
    (values.reference_histogram ? ", with the reference" : "");
}
/// A histogram with its legend.
function histogramFigure(tensor, width = 320) {
  const values = valuesOfTensor.get(tensor);
  if (!values.histogram?.counts?.length || !isKnown(values.histogram.minimum) || !isKnown(values.histogram.maximum)) return el("p", { class: "muted" }, "No values.");
  const [low, high] = histogramDomain(values.histogram, values.representable);
  const hasOutside = values.representable && (low < values.representable[0] || high > values.representable[1]);
  return el("div", { class: "histogram-figure" }, histogramChart(tensor, width), el("p", { class: "histogram-key" },
    el("span", {}, el("span", { class: "swatch values" }), "this model"), values.reference_histogram ? el("span", {}, el("span", { class: "swatch reference" }), "reference") : null,
    hasOutside ? el("span", {}, el("span", { class: "swatch outside" }), "not representable") : null, el("span", {}, "heights logarithmic")));
}

// MARK: Tooltip

/// Returns the lines of a graph node's tooltip, or null without a diagnosis.
function nodeTip(box) {
  if (!diagnosis || state.graph !== 0) return null;
  const graph = model.graphs[0];
  const what = describe(graph, Number(box.dataset.node));
  const tensor = what.operation ? what.operation.outputs.find((output) => valuesOfTensor.has(output)) : what.tensor;
  const layer = what.operation ? layerOfOperator.get(what.op) : null;
  const lines = layer ? Object.values(colorScales).map((scale) => [scale.title, scale.measure(layer)]).filter(([, measured]) => measured).map(([title, measured]) => title + ": " + measured.long) : [];
  return [what.operation ? ["#" + what.op + " ", named(what.operation.op)] : named(graph.tensors[tensor].name), ...lines, ...(valuesOfTensor.has(tensor) ? [histogramFigure(tensor, 260)] : [])];
}
/// Returns what a diagnosis adds to the tooltip of a tensor's line.
const edgeTip = (tensor) => (state.graph === 0 && valuesOfTensor.has(tensor) ? [histogramFigure(tensor, 260)] : []);
function showNodeTip(event, box) {
  const lines = nodeTip(box);
  if (lines) showTip(event, ...lines);
  return lines !== null;
}
if (diagnosis) {
  tip.classList.add("figure");
  canvas.addEventListener("focusin", (event) => {
    const box = event.target.closest(".node");
    if (!box?.matches(":focus-visible")) return;
    const place = box.getBoundingClientRect();
    if (showNodeTip({ clientX: place.left - 14, clientY: place.bottom - 10 }, box)) box.setAttribute("aria-describedby", "tip");
  });
  canvas.addEventListener("focusout", (event) => {
    event.target.removeAttribute("aria-describedby");
    hideTip();
  });
  // Runs before the keys move the graph or the focus.
  for (const name of ["keydown", "wheel"]) canvas.addEventListener(name, hideTip, { capture: true, passive: true });
}
