const sizeOf = (tensor) => (tensor ? tensor.shape.reduce((product, size) => product * size, 1) : 0);
const firstOutput = (row) => row.graph.tensors[row.item.outputs[0]];
const tableKinds = {
  operators: {
    columns: [
      { title: "#", number: true, key: (row) => row.index, show: (row) => String(row.index) },
      { title: "Operator", key: (row) => row.item.op, show: (row) => [dot(row.item.family), operatorLink(state.graph, row.index), row.item.problem ? [" ", chip("not supported", "bad")] : []] },
      { title: "How", key: (row) => row.item.summary, show: (row) => el("bdi", {}, row.item.summary) },
      { title: "Makes", key: (row) => firstOutput(row)?.name ?? "", show: (row) => (firstOutput(row) ? tensorLink(state.graph, row.item.outputs[0]) : "") },
      { title: "Shape", key: (row) => sizeOf(firstOutput(row)), show: (row) => el("span", { class: "mono" }, firstOutput(row) ? shapeText(firstOutput(row).shape) : "") },
      { title: "Type", key: (row) => firstOutput(row)?.type ?? "", show: (row) => firstOutput(row)?.type ?? "" },
      { title: "Constants", number: true, key: (row) => row.constants, show: (row) => (row.constants ? bytes(row.constants) : "") },
      { title: "Version", number: true, key: (row) => row.item.version, show: (row) => String(row.item.version) },
    ],
    rows: (graph) => graph.operators.map((item, index) => ({ graph, item, index, constants: constantBytes(graph, item), words: "#" + index + " " + item.op + " " + item.summary + " " + item.kernel + " " + item.outputs.map((tensor) => graph.tensors[tensor].name).join(" ") })),
  },
  tensors: {
    columns: [
      { title: "#", number: true, key: (row) => row.index, show: (row) => String(row.index) },
      { title: "Tensor", key: (row) => row.item.name, show: (row) => tensorLink(state.graph, row.index) },
      { title: "Role", key: (row) => roleText(row.item), show: (row) => roleText(row.item) },
      { title: "Shape", key: (row) => sizeOf(row.item), show: (row) => el("span", { class: "mono" }, signatureText(row.item) ?? shapeText(row.item.shape)) },
      { title: "Type", key: (row) => row.item.type, show: (row) => row.item.type },
      { title: "Size", number: true, key: (row) => row.item.bytes ?? 0, show: (row) => (row.item.bytes !== undefined ? bytes(row.item.bytes) : "") },
      { title: "Quantization", key: (row) => row.item.quantization?.channels ?? 0, show: (row) => quantizationText(row.item) },
      { title: "Read by", number: true, key: (row) => row.item.readers.length, show: (row) => (row.item.readers.length ? count(row.item.readers.length) : "") },
    ],
    rows: (graph) => graph.tensors.map((item, index) => ({ graph, item, index, words: "#" + index + " " + item.name + " " + roleText(item) + " " + item.type })),
  },
};
const tables = { operators: { graph: -1 }, tensors: { graph: -1 } };

function drawTable(name) {
  const shown = tables[name], kind = tableKinds[name];
  if (shown.graph !== state.graph) {
    const title = el("span", {}, name === "operators" ? "Operators" : "Tensors", model.graphs.length > 1 ? [" of ", named(model.graphs[state.graph].title)] : []);
    shown.graph = state.graph;
    shown.table = makeTable(title, kind.columns, kind.rows(model.graphs[state.graph]), { sort: 0, down: false, limit: 400 }, (found, all) => (found.length === all.length ? count(all.length) : count(found.length) + " of " + count(all.length)));
    byId("view-" + name).replaceChildren(shown.table.element);
  }
  const chosen = name === "operators" ? state.op : state.tensor;
  shown.table.choose((row) => row.index === chosen);
}
