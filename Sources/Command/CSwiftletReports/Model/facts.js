function drawModel() {
  const section = byId("view-model");
  if (section.childElementCount > 0) return;
  const operators = model.graphs.reduce((sum, graph) => sum + graph.operators.length, 0);
  section.replaceChildren(...[
    el("div", { class: "card" }, el("h2", {}, named(model.name)), model.description ? el("p", { class: "clamp" }, el("bdi", {}, model.description)) : null,
      el("dl", { class: "facts" },
        ...pair("File", bytes(model.bytes)), ...pair("Schema version", String(model.version)), ...pair("Subgraphs", count(model.graphs.length)), ...pair("Operators", count(operators)),
        ...pair("Constants", bytes(model.constants)), ...(model.packed !== undefined ? pair("Packed constants", bytes(model.packed)) : []), ...(model.arena ? pair("Arena", bytes(model.arena.bytes)) : []),
        ...pair("Runs on this engine", model.supported ? "yes" : "no")),
      model.problem ? el("p", { class: "note bad" }, el("bdi", {}, model.problem)) : null),
    model.unsupported.length ? el("div", { class: "card" }, el("h2", {}, plural(model.unsupported.length, "operator") + " not supported"), missingTable()) : null,
    bundleCard(), kindCard(), quantizationCard(), entryCard(), metadataCard(), labelCard(),
  ].filter(Boolean));
}
const head = (...titles) => el("thead", {}, el("tr", {}, ...titles.map((title) => el("th", { scope: "col", class: title.startsWith("#") ? "number" : null }, title.replace("#", "")))));
const wide = (table) => el("div", { class: "scroll" }, table);

function missingTable() {
  return wide(el("table", {}, head("Operator", "Version", "Problem"), el("tbody", {}, ...model.unsupported.slice(0, 1000).map((item) =>
    el("tr", {}, el("td", {}, model.graphs[item.graph]?.operators[item.index] ? operatorLink(item.graph, item.index) : named(item.op)), el("td", {}, String(item.version)), el("td", {}, el("bdi", {}, item.reason)))))));
}

/// The members of the bundle that contains the model.
function bundleCard() {
  if (!bundle) return null;
  const rows = bundle.members.map((member) => el("tr", {},
    el("td", {}, member.model === undefined ? named(member.name) : el("a", { href: "#model=" + member.model }, named(member.name))), el("td", {}, member.kind), el("td", { class: "number" }, bytes(member.bytes)),
    el("td", {}, member.problem ? el("bdi", {}, member.problem) : "")));
  return el("div", { class: "card" }, el("h2", {}, named(bundle.bundle)), wide(el("table", {}, head("Member", "Kind", "#Size", ""), el("tbody", {}, ...rows))),
    bundle.memberCount > rows.length ? el("p", { class: "muted" }, "and " + count(bundle.memberCount - rows.length) + " more") : null);
}

function kindCard() {
  const all = { operators: model.graphs.flatMap((graph) => graph.operators) };
  if (all.operators.length === 0) return null;
  const kinds = new Map();
  for (const graph of model.graphs) for (const kind of kindsOf(graph)) {
    const sum = kinds.get(kind.name) ?? { ...kind, count: 0, constants: 0, problems: 0 };
    for (const key of ["count", "constants", "problems"]) sum[key] += kind[key];
    kinds.set(kind.name, sum);
  }
  const rows = [...kinds.values()].sort((first, second) => second.count - first.count);
  return el("div", { class: "card" }, el("h2", {}, "Kinds of operators"), wide(el("table", {}, head("Operator", "Family", "#Number", "#Constants", ""), el("tbody", {}, ...rows.map((kind) =>
    el("tr", {}, el("td", {}, dot(kind.family), named(kind.name), kind.problems ? [" ", chip(plural(kind.problems, "time") + " not supported", "bad")] : []), el("td", { class: "muted family" }, model.families[kind.family]),
      el("td", { class: "number" }, count(kind.count)), el("td", { class: "number" }, kind.constants ? bytes(kind.constants) : ""),
      el("td", { class: "meter" }, el("span", { style: { width: ((kind.count / rows[0].count) * 100).toFixed(1) + "%", background: "var(--series-" + kind.family + ")" } }))))))));
}

/// Tensors grouped by type and quantization, with their sizes and scales.
function quantizationCard() {
  const groups = new Map();
  for (const graph of model.graphs) for (const tensor of graph.tensors) {
    const kind = !tensor.quantization ? "none" : tensor.quantization.channels === 1 ? "per tensor" : "per channel";
    const key = tensor.type + " " + kind;
    const group = groups.get(key) ?? { type: tensor.type, kind, tensors: 0, constants: 0, bytes: 0, low: Infinity, high: 0 };
    group.tensors += 1;
    if (tensor.role === "constant") {
      group.constants += 1;
      group.bytes += tensor.bytes ?? 0;
    }
    if (tensor.quantization) {
      group.low = Math.min(group.low, tensor.quantization.scales[0]);
      group.high = Math.max(group.high, tensor.quantization.scales[2]);
    }
    groups.set(key, group);
  }
  const rows = [...groups.values()].sort((first, second) => second.bytes - first.bytes || second.tensors - first.tensors);
  return el("div", { class: "card" }, el("h2", {}, "Types and quantization"), wide(el("table", {}, head("Type", "Quantization", "Scales", "#Tensors", "#Constants", "#Bytes of constants"), el("tbody", {}, ...rows.map((group) =>
    el("tr", {}, el("td", { class: "mono" }, group.type), el("td", {}, group.kind), el("td", {}, group.kind === "none" ? "" : digits(group.low, 3) + " to " + digits(group.high, 3)),
      el("td", { class: "number" }, count(group.tensors)), el("td", { class: "number" }, count(group.constants)), el("td", { class: "number" }, group.bytes ? bytes(group.bytes) : "")))))));
}

function entryCard() {
  const ends = (graph, tensors, names) => el("ul", { class: "plain" }, ...tensors.map((index, place) => {
    const tensor = model.graphs[graph].tensors[index];
    return el("li", {}, names ? [named(names[place]), " = "] : [], tensorLink(graph, index), el("span", { class: "line muted mono" }, (signatureText(tensor) ?? shapeText(tensor.shape)) + " " + tensor.type));
  }));
  const rows = model.graphs.map((graph, index) => el("tr", {}, el("td", {}, link({ graph: index, op: null, tensor: null, view: "graph" }, named(graph.title))), el("td", {}, ends(index, graph.inputs)), el("td", {}, ends(index, graph.outputs)), el("td", { class: "number" }, count(graph.operators.length)), el("td", { class: "number" }, count(graph.tensors.length))));
  const signatures = model.signatures.filter((item) => model.graphs[item.graph]).map((item) => el("tr", {}, el("td", {}, named(item.key ?? "")), el("td", {}, link({ graph: item.graph, op: null, tensor: null, view: "graph" }, named(model.graphs[item.graph].title))),
    el("td", {}, ends(item.graph, (item.inputs ?? []).map((port) => port.tensor), (item.inputs ?? []).map((port) => port.name))), el("td", {}, ends(item.graph, (item.outputs ?? []).map((port) => port.tensor), (item.outputs ?? []).map((port) => port.name)))));
  return el("div", { class: "card" }, el("h2", {}, "Subgraphs"), wide(el("table", {}, head("Subgraph", "Inputs", "Outputs", "#Operators", "#Tensors"), el("tbody", {}, ...rows))),
    signatures.length ? [el("h2", {}, "Signatures"), wide(el("table", {}, head("Key", "Subgraph", "Inputs", "Outputs"), el("tbody", {}, ...signatures)))] : []);
}

function metadataCard() {
  if (!model.metadata) return null;
  return el("div", { class: "card" }, el("h2", {}, "Metadata"), tree(model.metadata));
}
/// Shows JSON as nested lists. Empty values are omitted.
function tree(value) {
  if (Array.isArray(value)) {
    if (value.every((item) => item === null || typeof item !== "object")) return el("span", { class: "mono" }, el("bdi", {}, value.join(", ")));
    return el("ol", { class: "tree" }, ...value.map((item) => el("li", {}, tree(item))));
  }
  if (value === null || typeof value !== "object") return el("bdi", { class: "prewrap" }, String(value));
  return el("dl", { class: "pairs" }, ...Object.entries(value).filter(([, item]) => item !== null && item !== "" && !(Array.isArray(item) && item.length === 0)).flatMap(([key, item]) => fact(key.replaceAll("_", " "), tree(item))));
}

function labelCard() {
  if (model.labels.length === 0) return null;
  const list = el("ol", { class: "labels", start: 0 }, ...model.labels.map((label) => el("li", {}, el("bdi", {}, label))));
  return el("div", { class: "card" }, el("details", { open: model.labels.length <= 100 }, el("summary", {}, el("h2", {}, plural(model.labelCount, "label"))), list,
    model.labelCount > model.labels.length ? el("p", { class: "muted" }, "and " + count(model.labelCount - model.labels.length) + " more") : null));
}
