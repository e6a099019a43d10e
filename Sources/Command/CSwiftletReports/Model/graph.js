const canvas = byId("canvas"), world = byId("world"), edges = byId("edges"), nodes = byId("nodes");
/// The graph on display: its index, boxes by node, and lines by tensor.
const drawn = { graph: -1, boxes: [], lines: new Map() };

/// Nodes are the inputs, the operators, and the outputs, in this order.
function nodeOfOperator(graph, index) { return graph.inputs.length + index; }
function describe(graph, node) {
  const first = graph.inputs.length, last = first + graph.operators.length;
  if (node >= first && node < last) return { op: node - first, operation: graph.operators[node - first] };
  return { tensor: node < first ? graph.inputs[node] : graph.outputs[node - last], end: node < first ? "input" : "output" };
}

function drawGraph() {
  if (drawn.graph === state.graph) return false;
  const graph = model.graphs[state.graph];
  drawn.graph = state.graph;
  drawn.boxes = graph.nodes.map((rectangle, node) => nodeBox(graph, node, rectangle));
  nodes.replaceChildren(...drawn.boxes);
  for (const [name, value] of [["width", graph.width], ["height", graph.height], ["viewBox", "0 0 " + graph.width + " " + graph.height]]) edges.setAttribute(name, value);
  world.style.width = graph.width + "px";
  world.style.height = graph.height + "px";
  drawn.lines = new Map(graph.routes.map((route) => [route.tensor, line(graph, route)]));
  edges.replaceChildren(...drawn.lines.values());
  drawLegend(graph);
  drawOverview(graph);
  return true;
}

function nodeBox(graph, node, [x, y, width, height]) {
  const { op, operation, tensor, end } = describe(graph, node);
  const box = el("button", { class: "node", "data-node": node, tabindex: -1, style: { left: x + "px", top: y + "px", width: width + "px", height: height + "px" } });
  if (operation) {
    const output = graph.tensors[operation.outputs[0]];
    const label = operation.problem ? "Operator " + op + ", " + operation.op + ", not supported" : "Operator " + op + ", " + operation.op;
    set(box, { "data-op": op, title: operation.op + " #" + op, "aria-label": label });
    box.style.setProperty("--family", "var(--series-" + operation.family + ")");
    if (operation.problem) box.classList.add("problem");
    box.append(el("span", { class: "name" }, el("span", { class: "kind" }, named(operation.op)), el("span", { class: "index" }, operation.problem ? "⚠ " : "", "#" + op)));
    if (operation.summary) box.append(el("span", { class: "detail" }, el("bdi", {}, operation.summary)));
    if (output) box.append(el("span", { class: "shape" }, shapeText(output.shape)));
  } else {
    const value = graph.tensors[tensor];
    set(box, { "data-tensor": tensor, title: end + " " + value.name, "aria-label": "Model " + end + " " + value.name });
    box.classList.add("end", end);
    box.append(el("span", { class: "name" }, el("span", { class: "kind" }, named(value.name)), el("span", { class: "index" }, end === "input" ? "in" : "out")), el("span", { class: "shape" }, shapeText(value.shape) + " " + value.type));
  }
  return box;
}

function line(graph, route) {
  const tensor = graph.tensors[route.tensor];
  let path = "", heads = "", stubs = "";
  for (const points of route.lines ?? []) {
    path += "M" + points[0] + " " + points[1];
    for (let at = 2; at < points.length; at += 2) {
      const [fromX, fromY, x, y] = points.slice(at - 2, at + 2);
      const middle = (fromY + y) / 2;
      path += fromX === x ? "V" + y : "C" + fromX + " " + middle + " " + x + " " + middle + " " + x + " " + y;
    }
  }
  const ends = route.ends ?? [];
  for (let at = 0; at < ends.length; at += 2) heads += "M" + ends[at] + " " + ends[at + 1] + "l-4 -7h8z";
  // Edges that would be too long have only their two ends drawn.
  const maker = tensor.maker !== null ? nodeOfOperator(graph, tensor.maker) : graph.inputs.indexOf(route.tensor);
  for (const reader of route.omitted ?? []) {
    const from = graph.nodes[maker], to = graph.nodes[reader];
    stubs += "M" + (from[0] + from[2] - 16) + " " + (from[1] + from[3]) + "v12M" + (to[0] + 16) + " " + (to[1] - 12) + "v12";
  }
  const group = svg("g", { class: "edge", "data-tensor": route.tensor }, svg("path", { class: "hit", d: path }), svg("path", { class: "stroke", d: path }), svg("path", { class: "head", d: heads }));
  if (stubs) group.append(svg("path", { class: "stub", d: stubs }));
  return group;
}

function drawLegend(graph) {
  if (drawScaleLegend()) return;
  const present = [...new Set(graph.operators.map((operation) => operation.family))].sort();
  byId("legend").replaceChildren(...present.map((family) => el("span", {}, dot(family), model.families[family])));
}

// MARK: Selection

const marked = [];
function mark(element, name) {
  element?.classList.add(name);
  if (element) marked.push([element, name]);
}
function drawSelection() {
  for (const [element, name] of marked.splice(0)) {
    element.classList.remove(name);
    element.removeAttribute("aria-current");
  }
  const graph = model.graphs[state.graph];
  canvas.classList.toggle("has-selection", state.op !== null || state.tensor !== null);
  if (state.op !== null) {
    const operation = graph.operators[state.op];
    mark(drawn.boxes[nodeOfOperator(graph, state.op)], "chosen");
    drawn.boxes[nodeOfOperator(graph, state.op)].setAttribute("aria-current", "true");
    for (const tensor of operation.inputs) if (tensor >= 0) markLine(graph, tensor, "incoming");
    for (const tensor of operation.outputs) markLine(graph, tensor, "outgoing");
  } else if (state.tensor !== null) {
    markLine(graph, state.tensor, "outgoing");
    for (const reader of graph.tensors[state.tensor].readers) mark(drawn.boxes[nodeOfOperator(graph, reader)], "near");
  }
  // Only one node at a time is in the tab order.
  for (const box of drawn.boxes) if (box.tabIndex === 0) box.tabIndex = -1;
  const focus = state.op !== null ? drawn.boxes[nodeOfOperator(graph, state.op)] : state.tensor !== null ? boxOfTensor(graph, state.tensor) : drawn.boxes[0];
  if (focus) focus.tabIndex = 0;
}
/// Returns the node that produces a tensor, or its first consumer.
function boxOfTensor(graph, index) {
  const tensor = graph.tensors[index];
  if (tensor.maker !== null) return drawn.boxes[nodeOfOperator(graph, tensor.maker)];
  if (tensor.isInput) return drawn.boxes[graph.inputs.indexOf(index)];
  return tensor.readers.length ? drawn.boxes[nodeOfOperator(graph, tensor.readers[0])] : null;
}
function markLine(graph, tensor, name) {
  const line = drawn.lines.get(tensor);
  mark(line, name);
  if (line) edges.append(line);
  mark(boxOfTensor(graph, tensor), "near");
  if (name === "outgoing") for (const reader of graph.tensors[tensor].readers) mark(drawn.boxes[nodeOfOperator(graph, reader)], "near");
}

// MARK: Overview

const overview = byId("overview"), overviewCanvas = byId("overview-canvas"), overviewFrame = byId("overview-frame");
const overviewScale = { x: 1, y: 1 };
function drawOverview(graph) {
  const width = Math.max(48, Math.min(120, graph.width / 8)), height = Math.max(90, Math.min(canvas.clientHeight * 0.6, graph.height / 8));
  overviewScale.x = width / graph.width;
  overviewScale.y = height / graph.height;
  overviewCanvas.style.width = width + "px";
  overviewCanvas.style.height = height + "px";
  const ratio = Math.min(devicePixelRatio || 1, 2);
  overviewCanvas.width = width * ratio;
  overviewCanvas.height = height * ratio;
  const context = overviewCanvas.getContext("2d");
  context.scale(ratio * overviewScale.x, ratio * overviewScale.y);
  const style = getComputedStyle(document.documentElement);
  const colors = model.families.map((_, family) => style.getPropertyValue("--series-" + family));
  const plain = style.getPropertyValue("--line-strong"), bad = style.getPropertyValue("--bad");
  // Boxes that are too small to be visible get the size of a pixel.
  const least = { x: 3 / overviewScale.x, y: 1.2 / overviewScale.y };
  graph.nodes.forEach(([x, y, width, height], node) => {
    const { op, operation } = describe(graph, node);
    const rectangle = [x, y, Math.max(width, least.x), Math.max(height * 0.8, least.y)];
    if (operation && colorOnMap(context, style, op, rectangle)) return;
    context.fillStyle = !operation ? plain : operation.problem ? bad : colors[operation.family];
    context.fillRect(...rectangle);
  });
}
