const names = { size_bytes: "File", schema_version: "Schema version", subgraphs: "Subgraphs", operators: "Operators", tensors: "Tensors", constant_bytes: "Constants", multiply_adds: "Multiply-adds per run", arena_bytes: "Arena", supported: "Supported" };
function factText(what, value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (what === "multiply_adds" && value >= 1e5) return digits(value / 1e6) + " M";
  return what.endsWith("_bytes") ? bytes(value) : count(value);
}
function factTable() {
  const rows = data.facts.map((fact) => {
    const growth = typeof fact.a === "number" && typeof fact.b === "number" && fact.a > 0 && fact.a !== fact.b ? (fact.b > fact.a ? "+" : "−") + percent(Math.abs(fact.b - fact.a) / fact.a) : "";
    return el("tr", { class: fact.a === fact.b ? null : "differs" }, el("th", { scope: "row" }, names[fact.what] ?? fact.what), el("td", { class: "number" }, factText(fact.what, fact.a)), el("td", { class: "number" }, factText(fact.what, fact.b), el("small", { class: "growth" }, growth)));
  });
  return el("section", { class: "card" }, el("h2", {}, "The models"), scrolled(el("table", { class: "changes" }, heads(["", "A", "B"], [1, 2]), el("tbody", {}, ...rows)), "Sizes of both models"));
}

function changeTable(title, changes) {
  if (changes.length === 0) return [];
  const cell = (value) => el("td", {}, el("bdi", {}, shown(value)));
  return [el("section", { class: "card" }, el("h2", {}, title), scrolled(el("table", { class: "changes" }, heads(["", "A", "B"]), el("tbody", {}, ...changes.map((change) => el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, change.what)), cell(change.a), cell(change.b))))), title))];
}
const cut = (given, total) => (given < total ? [el("p", { class: "muted small" }, "The first " + count(given) + " of " + count(total) + "; the JSON has all of them.")] : []);

function tensorTable(title, graph) {
  if (graph.tensors.length === 0) return [];
  const rows = graph.tensors.map((tensor, index) => ({ index, tensor, words: tensor.name_a + " " + tensor.name_b + " " + tensor.changes.map((change) => change.what).join(" ") }));
  const columns = [
    { title: "Name", key: (row) => row.tensor.name_b, show: (row) => el("bdi", { title: row.tensor.name_b }, row.tensor.name_b) },
    { title: "Changed", key: (row) => row.tensor.changes[0].what, show: (row) => changeList(row.tensor.changes) },
    { title: "A", number: true, key: (row) => row.tensor.a, show: (row) => "#" + row.tensor.a },
    { title: "B", number: true, key: (row) => row.tensor.b, show: (row) => "#" + row.tensor.b },
  ];
  return [makeTable(title, columns, rows, { sort: 2, down: false, limit: 60 }, (found) => count(found.length) + " of " + count(rows.length)).element, ...cut(graph.tensors.length, graph.differing_tensors)];
}

const comparedWords = { bytes: "bytes", incomparable: "other form", omitted: "not compared" };
function constantTable(title, graph) {
  if (graph.constants.length === 0) return [];
  const rows = graph.constants.map((constant, index) => ({ index, constant, words: constant.name }));
  const numbers = (constant) => (constant.values_a !== null && constant.values_b !== null ? [el("bdi", { class: "old" }, constant.values_a), " → ", el("bdi", {}, constant.values_b)] : comparedWords[constant.compared] ?? "");
  const columns = [
    { title: "B", number: true, key: (row) => row.constant.b, show: (row) => "#" + row.constant.b },
    { title: "Name", key: (row) => row.constant.name, show: (row) => el("bdi", { title: row.constant.name }, row.constant.name) },
    { title: "Elements", number: true, key: (row) => row.constant.elements, show: (row) => count(row.constant.elements) },
    { title: "Differ", number: true, key: (row) => row.constant.share ?? -1, show: (row) => (row.constant.share === null ? "–" : percent(row.constant.share)) },
    { title: "", key: (row) => row.constant.share ?? -1, show: (row) => el("span", { class: "meter" }, el("span", { style: { width: (row.constant.share ?? 0) * 100 + "%" } })) },
    { title: "Maximum difference", number: true, key: (row) => row.constant.max_abs ?? -1, show: (row) => (row.constant.max_abs === null ? "–" : digits(row.constant.max_abs, 3)) },
    { title: "Values", key: (row) => row.constant.values_b ?? "", show: (row) => numbers(row.constant) },
  ];
  return [makeTable(title, columns, rows, { sort: 5, down: true, limit: 60 }, (found) => count(found.length) + " of " + count(graph.differing_constants) + " that differ, " + count(graph.compared_constants) + " compared").element];
}

function onlyList(title, graph) {
  const rows = [["A", graph.only_a, graph.only_a_tensors], ["B", graph.only_b, graph.only_b_tensors]].filter(([, list]) => list.length > 0);
  if (rows.length === 0) return [];
  const line = (tensor) => el("tr", {}, el("td", { class: "number" }, "#" + tensor.index), el("td", {}, el("bdi", {}, tensor.name)), el("td", {}, tensor.dtype + " " + shown(tensor.shape)), el("td", {}, tensor.constant ? "constant" : ""));
  return [el("section", { class: "card" }, el("h2", {}, title), ...rows.flatMap(([side, list, total]) => [el("h3", {}, "Only in ", el("span", { class: "side" }, side), " " + count(total)), scrolled(el("table", {}, el("tbody", {}, ...list.slice(0, 200).map(line))), "Tensors only in " + side), ...cut(Math.min(list.length, 200), total)]))];
}

function graphSections(graph) {
  const only = graph.name_a === null ? "B" : graph.name_b === null ? "A" : null;
  const title = data.subgraphs.length > 1 ? "Subgraph " + graph.index + ": " : "";
  if (only) return [el("section", { class: "card" }, el("h2", {}, title + "only in ", el("span", { class: "side" }, only)), el("p", {}, plural(graph.operator_count_a ?? graph.operator_count_b, "operator")))];
  const facts = el("dl", { class: "facts" }, pair("Same operators", count(graph.same_operators)), pair("Different operators", count(graph.differing_operators)), pair("Changed tensors", count(graph.differing_tensors)), pair("Renamed tensors", count(graph.renamed_tensors)), pair("Tensors in only one model", count(graph.only_a_tensors + graph.only_b_tensors)), pair("Different constants", count(graph.differing_constants)));
  return [
    el("section", { class: "card" }, el("h2", {}, title + "Operators"), facts, ...(graph.differing_operators > 0 ? operatorSteps(graph) : [])),
    ...changeTable(title + "Inputs and outputs", graph.inputs_outputs), ...changeTable(title + "Kinds of operators", graph.kinds), ...tensorTable(title + "Changed tensors", graph), ...constantTable(title + "Different constants", graph), ...onlyList(title + "Tensors in only one model", graph),
  ];
}

byId("title").append("Differences between two models");
showSides(data.a, data.b);
byId("main").append(
  ...(data.identical ? [el("p", { class: "note" }, data.same_bytes ? "The files are the same, byte for byte." : "The models are the same; only the layout of the files differs.")] : []),
  factTable(), ...changeTable("Metadata and labels", data.metadata), ...changeTable("Signatures", data.signatures), ...data.subgraphs.flatMap(graphSections));
document.body.dataset.ready = "true";
