const panel = byId("panel");
const operatorLink = (graph, index) => {
  const operation = model.graphs[graph].operators[index];
  return link({ graph, op: index }, "#" + index + " ", named(operation.op));
};
const tensorLink = (graph, index) => link({ graph, tensor: index }, named(model.graphs[graph].tensors[index].name));
function link(target, ...content) {
  return el("a", { href: "#" + addressOf({ ...state, ...target }), class: "link", onclick: (event) => {
    event.preventDefault();
    go(target);
  } }, ...content);
}
const chip = (text, kind = "") => el("span", { class: "chip " + kind }, text);
const fact = (name, ...value) => [el("dt", {}, name), el("dd", {}, ...value)];
const block = (title, ...content) => el("section", {}, el("h3", {}, title), ...content);

function drawPanel() {
  const graph = model.graphs[state.graph];
  const content = state.op !== null ? operatorPanel(graph, state.op) : state.tensor !== null ? tensorPanel(graph, state.tensor) : overviewPanel(graph);
  panel.replaceChildren(...content);
  panel.scrollTop = 0;
}

function overviewPanel(graph) {
  const kinds = kindsOf(graph).slice(0, 12);
  return [
    el("h2", {}, "This model"),
    el("p", {}, model.supported ? chip("runs on this engine", "good") : chip(model.unsupported.length ? plural(model.unsupported.length, "operator") + " missing" : "cannot be run", "bad")),
    model.description ? el("p", { class: "clamp" }, el("bdi", {}, model.description)) : null,
    el("dl", { class: "pairs" },
      ...fact("File", bytes(model.bytes)), ...fact("Constants", bytes(model.constants)),
      ...(model.arena ? fact("Memory of a run", bytes(model.arena.bytes)) : []),
      ...fact("Operators", count(graph.operators.length)), ...fact("Tensors", count(graph.tensors.length))),
    block("Inputs", portList(graph.inputs)), block("Outputs", portList(graph.outputs)),
    model.unsupported.length ? block("Missing", el("ul", { class: "plain" }, ...model.unsupported.slice(0, 50).map((item) => el("li", {}, operatorLink(item.graph, item.index))))) : null,
    block("Most frequent operators", el("ul", { class: "bars" }, ...kinds.map((kind) => barRow(dot(kind.family), named(kind.name), count(kind.count), kind.count / kinds[0].count, kind.family)))),
    el("p", { class: "muted hint" }, "Select an operator or a tensor in the graph to see its details. Esc returns to this panel."),
  ].filter(Boolean);
}
function portList(tensors) {
  return el("ul", { class: "plain" }, ...tensors.map((index) => {
    const tensor = model.graphs[state.graph].tensors[index];
    return el("li", {}, tensorLink(state.graph, index), el("span", { class: "line muted mono" }, shapeText(tensor.shape) + " " + tensor.type));
  }));
}
function barRow(mark, label, value, share, family) {
  return el("li", {}, el("span", { class: "bar-label" }, mark, label), el("span", { class: "bar-value" }, value),
    el("span", { class: "bar-track" }, el("span", { style: { width: (share * 100).toFixed(1) + "%", background: "var(--series-" + family + ")" } })));
}
function kindsOf(graph) {
  const kinds = new Map();
  for (const operation of graph.operators) {
    const kind = kinds.get(operation.op) ?? { name: operation.op, family: operation.family, count: 0, problems: 0, constants: 0 };
    kind.count += 1;
    kind.constants += constantBytes(graph, operation);
    if (operation.problem) kind.problems += 1;
    kinds.set(operation.op, kind);
  }
  return [...kinds.values()].sort((first, second) => second.count - first.count);
}

function operatorPanel(graph, index) {
  const operation = graph.operators[index];
  const runs = state.graph === 0 && model.arena && !turnOfOperator.has(index);
  return [
    closeButton(),
    el("p", { class: "muted" }, "Operator " + index + (model.graphs.length > 1 ? " of subgraph " + state.graph : "")),
    el("h2", {}, dot(operation.family), named(operation.op)),
    el("p", {}, chip("version " + operation.version), " ", chip(model.families[operation.family]), operation.problem ? [" ", chip("not supported", "bad")] : []),
    operation.problem ? el("p", { class: "note bad" }, el("bdi", {}, operation.problem.reason)) : null,
    operation.summary ? el("p", {}, el("bdi", {}, operation.summary)) : null,
    operation.kernel ? el("p", { class: "muted" }, "Computed by " + operation.kernel) : null,
    runs ? el("p", { class: "muted" }, model.arena.deferred > 0 ? "Is fused with another operator, was computed when the model was loaded, or has shapes that are known only at run time." : "Is not a separate step of a run: it is fused with another operator, or was computed when the model was loaded.") : null,
    ...operatorDiagnosis(index),
    operation.options.length ? block("Options", el("table", { class: "options" }, el("tbody", {}, ...operation.options.map(([name, value]) =>
      el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, name)), el("td", { class: "mono" }, el("bdi", {}, value))))))) : null,
    operation.callees.length ? block("Called subgraphs", el("ul", { class: "plain" }, ...operation.callees.filter((callee) => model.graphs[callee]).map((callee) =>
      el("li", {}, link({ graph: callee, op: null, tensor: null }, named(model.graphs[callee].title)))))) : null,
    block("Inputs", tensorRows(graph, operation.inputs, true)),
    block("Outputs", tensorRows(graph, operation.outputs, false)),
  ].filter(Boolean);
}
function tensorRows(graph, tensors, isInput) {
  if (tensors.length === 0) return el("p", { class: "muted" }, "none");
  return el("ol", { class: "plain ports", start: 0 }, ...tensors.map((index) => {
    if (index < 0) return el("li", { class: "muted" }, "omitted");
    const tensor = graph.tensors[index];
    const neighbors = isInput ? (tensor.maker === null ? [] : [tensor.maker]) : tensor.readers;
    return el("li", {},
      tensorLink(state.graph, index),
      el("span", { class: "line mono" }, shapeText(tensor.shape) + " " + tensor.type, tensor.bytes !== undefined ? el("span", { class: "muted" }, "  " + bytes(tensor.bytes)) : null),
      tensor.quantization ? el("span", { class: "line muted" }, quantizationText(tensor)) : null,
      tensor.values ? el("span", { class: "line muted mono" }, "= ", el("bdi", {}, tensor.values)) : null,
      el("span", { class: "line" }, tensor.role !== "computed" ? chip(tensor.role) : null, tensor.isInput ? chip("model input") : null, tensor.isOutput ? chip("model output", "good") : null,
        ...(neighbors.length ? [el("span", { class: "muted" }, isInput ? "from " : "to "), ...joined(neighbors.slice(0, 40).map((item) => operatorLink(state.graph, item)))] : []),
        neighbors.length > 40 ? " and " + count(neighbors.length - 40) + " more" : null));
  }));
}
const joined = (items) => items.flatMap((item, index) => (index === 0 ? [item] : [", ", item]));
const closeButton = () => el("button", { class: "close", title: "Close (Esc)", "aria-label": "Close", onclick: () => go({ op: null, tensor: null }) }, "✕");

function tensorPanel(graph, index) {
  const tensor = graph.tensors[index];
  const place = state.graph === 0 && blockOfTensor.has(index) ? model.arena.blocks[blockOfTensor.get(index)] : null;
  const range = realRange(tensor);
  const value = tensor.quantization;
  return [
    closeButton(),
    el("p", { class: "muted" }, "Tensor " + index + (model.graphs.length > 1 ? " of subgraph " + state.graph : "")),
    el("h2", { class: "long" }, named(tensor.name)),
    el("p", {}, chip(roleText(tensor)), " ", chip(tensor.type)),
    el("dl", { class: "pairs" },
      ...fact("Shape", el("span", { class: "mono" }, shapeText(tensor.shape))),
      ...(signatureText(tensor) ? fact("Shape signature", el("span", { class: "mono" }, signatureText(tensor))) : []),
      ...fact("Elements", count(tensor.shape.reduce((product, size) => product * size, 1))),
      ...(tensor.bytes !== undefined ? fact("Size", bytes(tensor.bytes)) : [])),
    tensor.note ? el("p", { class: "muted" }, el("bdi", {}, tensor.note)) : null,
    tensor.values ? block("Values", el("p", { class: "mono" }, el("bdi", {}, tensor.values))) : null,
    ...tensorDiagnosis(index),
    value ? block("Quantization", el("dl", { class: "pairs" },
      ...(value.channels === 1
        ? [...fact("Scale", digits(value.scales[1], 6)), ...fact("Zero point", String(value.zeros[0])), ...(range ? fact("Range", digits(range[0], 4) + " to " + digits(range[1], 4)) : [])]
        : [...fact("Channels", count(value.channels) + ", along axis " + value.axis), ...fact("Scales", digits(value.scales[0], 4) + " to " + digits(value.scales[2], 4)),
           ...fact("Median", digits(value.scales[1], 4)), ...fact("Zero points", value.zeros[0] === value.zeros[1] ? String(value.zeros[0]) : value.zeros.join(" to "))]))) : null,
    block("Produced by", tensor.maker !== null ? el("p", {}, operatorLink(state.graph, tensor.maker)) : el("p", { class: "muted" }, tensor.isInput ? "the caller (model input)" : tensor.role === "constant" ? "stored in the file" : tensor.role === "variable" ? "a variable, kept between runs" : "no operator")),
    block("Read by", tensor.readers.length || tensor.isOutput
      ? el("ul", { class: "plain" }, ...tensor.readers.slice(0, 200).map((reader) => el("li", {}, operatorLink(state.graph, reader))), tensor.isOutput ? el("li", { class: "muted" }, "the caller (model output)") : null)
      : el("p", { class: "muted" }, "no operator")),
    place ? block("In memory", el("p", {}, bytes(place.bytes) + " at byte " + count(place.offset) + ", " + turns(place) + ". ", link({ view: "memory" }, "Show"))) : null,
  ].filter(Boolean);
}
const turnName = (turn) => "#" + model.arena.operators[turn][1] + " " + model.arena.operators[turn][2];
const turns = (block) => (block.first === block.last ? "during " + turnName(block.first) : "from " + turnName(block.first) + " to " + turnName(block.last));
