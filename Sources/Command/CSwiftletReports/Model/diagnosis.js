/// The diagnosis by `swiftlet doctor`, or null on the page of another command. It is about the main graph.
const diagnosis = model.graphs.length > 0 ? model.diagnosis ?? null : null;
for (const key of ["findings", "culprits", "layers", "tensors"]) if (diagnosis) diagnosis[key] ??= [];
const layerOfOperator = new Map((diagnosis?.layers ?? []).map((layer) => [layer.operator, layer]));
const culpritOfOperator = new Map((diagnosis?.culprits ?? []).map((culprit) => [culprit.operator, culprit]));
const valuesOfTensor = new Map((diagnosis?.tensors ?? []).map((values) => [values.index, values]));
const hasReference = Boolean(diagnosis?.reference);

const isKnown = (value) => value !== null && value !== undefined;
const shown = (value, text) => (isKnown(value) ? text(value) : "");
const decibels = (value) => value.toFixed(1) + " dB";
/// Returns the signal-to-noise ratio as a number: infinite without an error, and null if it isn't known. A ratio of
/// values that aren't finite is lower than all others.
function ratioOf(figures) {
  if (!figures) return null;
  return isKnown(figures.snr_db) ? figures.snr_db : figures.largest_error === 0 ? Infinity : -Infinity;
}
const ratioText = (ratio) => (ratio === Infinity ? "exact" : ratio === -Infinity ? "not finite" : ratio.toFixed(1));

if (diagnosis) {
  // The controls exist only on the page of a diagnosis.
  document.querySelector(".tabs").prepend(el("button", { role: "tab", "data-view": "diagnosis", "aria-controls": "view-diagnosis" }, "Diagnosis"));
  document.querySelector("main").prepend(el("section", { id: "view-diagnosis", class: "view page", role: "tabpanel", "aria-label": "Diagnosis", hidden: true }));
  document.body.classList.add("diagnosed");
}

// MARK: View

const layers = { table: null };
function drawDiagnosis() {
  if (!layers.table) {
    layers.table = layerTable();
    layers.table.element.firstChild.after(el("p", { class: "muted" }, hasReference
      ? "SNR is the signal-to-noise ratio: the lower, the larger the error. A layer inherits an error from its inputs, and adds its own. The excess is the difference between the SNR that quantization explains and the SNR of the added error."
      : "The errors of layers are not known without a reference."));
    byId("view-diagnosis").replaceChildren(...[findingCard(), culpritCard(), costCard(), layers.table.element].filter(Boolean));
  }
  layers.table.choose((row) => state.graph === 0 && row.index === state.op);
}

/// The reference and the inputs of the diagnosis, as a sentence.
function contextText() {
  const { inputs } = diagnosis;
  const over = inputs ? plural(inputs.count, inputs.source === "synthetic" ? "synthetic input" : "input") : "the inputs";
  return hasReference ? ["Compared with ", named(diagnosis.reference.split("/").pop()), " over " + over + "."] : ["Run with " + over + ", without a reference."];
}
/// The time and memory of a run.
function costCard() {
  const { memory, time: duration } = diagnosis;
  const facts = [
    ...(isKnown(duration?.total_ms) ? pair("Time", time(duration.total_ms * 1000)) : []),
    ...(isKnown(duration?.peak_gops) ? pair("Peak of the CPU", digits(duration.peak_gops) + " GOP/s") : []),
    ...(isKnown(duration?.bandwidth_gbs) ? pair("Memory bandwidth", digits(duration.bandwidth_gbs) + " GB/s") : []),
    ...(isKnown(memory?.arena_bytes) ? pair("Arena", bytes(memory.arena_bytes)) : []),
    ...(model.graphs[0].operators[memory?.peak_operator] ? pair("Peak memory during", el("span", { class: "peak-turn" }, operatorLink(0, memory.peak_operator))) : []),
  ];
  return facts.length ? el("div", { class: "card" }, el("h2", {}, "Cost"), el("dl", { class: "facts" }, ...facts)) : null;
}

const severities = { error: ["✕ Error", "bad"], warning: ["⚠ Warning", "warn"], note: ["ℹ Note", ""] };
function findingCard() {
  return el("div", { class: "card" }, el("h2", {}, "Findings"), el("p", { class: "muted" }, ...contextText()),
    diagnosis.findings.length ? longList("ul", diagnosis.findings, "findings", findingItem) : el("p", {}, "No findings."));
}
function findingItem(finding) {
  const [text, kind] = severities[finding.severity] ?? severities.note;
  return el("li", {}, el("p", { class: "finding-head" }, chip(text, kind), " ", el("span", { class: "muted" }, causeText(finding.kind))),
    el("p", {}, el("bdi", {}, finding.message)), finding.advice ? el("p", { class: "advice" }, el("bdi", {}, finding.advice)) : null, placeLinks(finding, finding.subgraph ?? 0));
}
const causeText = (cause) => (cause ?? "").replaceAll("-", " ");
/// Links that select an operator and a tensor in the graph.
function placeLinks(item, subgraph) {
  const graph = model.graphs[subgraph];
  const operation = isKnown(item.operator) ? graph?.operators[item.operator] : null;
  const tensor = isKnown(item.tensor_index) ? graph?.tensors[item.tensor_index] : null;
  if (!operation && !tensor) return null;
  const target = { graph: subgraph, op: null, tensor: null, view: "graph" };
  return el("p", { class: "places" }, ...joined([
    ...(operation ? [link({ ...target, op: item.operator }, "#" + item.operator + " ", named(operation.op))] : []),
    ...(tensor ? [link({ ...target, tensor: item.tensor_index }, named(tensor.name))] : [])]), el("span", { class: "muted" }, " in the graph"));
}
/// A list whose items after the first 40 are in a closed part.
function longList(tag, items, name, show) {
  const limit = 40;
  const list = (part, start) => el(tag, { class: name, start: tag === "ol" ? start + 1 : null }, ...part.map(show));
  if (items.length <= limit) return list(items, 0);
  return [list(items.slice(0, limit), 0), el("details", {}, el("summary", {}, count(items.length - limit) + " more"), list(items.slice(limit), limit))];
}

function culpritCard() {
  if (!hasReference) return null;
  if (diagnosis.culprits.length === 0) return el("div", { class: "card" }, el("h2", {}, "Culprits"), el("p", {}, chip("✓ Agrees", "good"), " The model agrees with its reference; no layer adds more error than quantization explains."));
  return el("div", { class: "card" }, el("h2", {}, "Culprits"), el("p", { class: "muted" }, "Layers that add more error than quantization explains, by what they add to the model’s outputs."),
    longList("ol", diagnosis.culprits, "findings culprits", culpritItem));
}
function culpritItem(culprit) {
  return el("li", {}, el("p", { class: "finding-head" }, el("strong", {}, culprit.rank + ". ", named(culprit.op ?? "")), " ", chip(causeText(culprit.cause), "bad")),
    el("p", {}, el("bdi", {}, culprit.message)), culprit.advice ? el("p", { class: "advice" }, el("bdi", {}, culprit.advice)) : null,
    el("dl", { class: "facts" }, ...ratioPairs([["Added SNR", culprit.added_snr_db], ["Expected SNR", culprit.expected_snr_db], ["Output SNR", culprit.output_snr_db]], pair)), placeLinks(culprit, 0));
}
const ratioPairs = (ratios, form) => ratios.filter(([, ratio]) => isKnown(ratio)).flatMap(([name, ratio]) => form(name, decibels(ratio)));

function layerTable() {
  const number = (title, key, show, isLowFirst = false) => ({ title, number: true, ascending: isLowFirst, key: (row) => key(row.layer) ?? null, show: (row) => shown(key(row.layer), show) });
  const small = (value) => digits(value, 3);
  const columns = [
    { title: "#", number: true, key: (row) => row.index, show: (row) => String(row.index) },
    { title: "Operator", key: (row) => row.operation.op, show: (row) => [dot(row.operation.family), operatorLink(0, row.index)] },
    { title: "Tensor", key: (row) => row.tensor?.name ?? "", show: (row) => (row.tensor ? tensorLink(0, row.layer.tensor_index) : "") },
    number("Total SNR (dB)", (layer) => ratioOf(layer.total), ratioText, true),
    number("Inherited SNR (dB)", (layer) => ratioOf(layer.inherited), ratioText, true),
    number("Added SNR (dB)", (layer) => ratioOf(layer.added), ratioText, true),
    number("Expected SNR (dB)", (layer) => layer.expected_snr_db, ratioText, true),
    number("Excess (dB)", (layer) => layer.excess_db, ratioText),
    number("Output SNR (dB)", (layer) => layer.output_snr_db, ratioText, true),
    number("Cosine", (layer) => layer.total?.cosine, (value) => value.toFixed(4), true),
    number("Largest error", (layer) => layer.total?.largest_error, small),
    number("Mean shift", (layer) => layer.total?.mean_shift, small),
    number("Time", (layer) => layer.time_ms, (value) => time(value * 1000)),
    number("Share of time", (layer) => layer.time_share, percent),
    number("Share of roofline", (layer) => layer.roofline_share, percent, true),
    { title: "Kernel", key: (row) => row.layer.kernel ?? "", show: (row) => el("bdi", {}, row.layer.kernel ?? "") },
  ].filter((column) => column.number !== true || column.title === "#" || diagnosis.layers.some((layer) => column.key({ layer }) !== null));
  const graph = model.graphs[0];
  const rows = diagnosis.layers.filter((layer) => graph.operators[layer.operator]).map((layer) => {
    const operation = graph.operators[layer.operator], tensor = graph.tensors[layer.tensor_index];
    return { layer, operation, tensor, index: layer.operator, words: "#" + layer.operator + " " + operation.op + " " + (tensor?.name ?? "") + " " + (layer.kernel ?? "") };
  });
  const excess = columns.findIndex((column) => column.title === "Excess (dB)");
  return makeTable("Layers", columns, rows, { sort: Math.max(excess, 0), down: excess > 0, limit: 400 }, (found, all) => (found.length === all.length ? count(all.length) : count(found.length) + " of " + count(all.length)));
}

// MARK: Side panel

/// The figures of an operator, for the side panel.
function operatorDiagnosis(index) {
  const layer = diagnosis && state.graph === 0 ? layerOfOperator.get(index) : null;
  if (!layer) return [];
  const kinds = [["Total", layer.total], ["Inherited", layer.inherited], ["Added", layer.added]].filter(([, figures]) => figures);
  const rows = [
    ["SNR (dB)", (figures) => ratioText(ratioOf(figures))], ["Cosine", (figures) => shown(figures.cosine, (value) => value.toFixed(4))],
    ...[["Largest error", "largest_error"], ["Mean shift", "mean_shift"], ["Mean ratio", "mean_ratio"], ["Scale", "scale"]].map(([title, key]) => [title, (figures) => shown(figures[key], (value) => digits(value, 3))])];
  const facts = [
    ...ratioPairs([["Expected SNR", layer.expected_snr_db], ["Excess", layer.excess_db], ["Output SNR", layer.output_snr_db]], fact),
    ...(isKnown(layer.time_ms) ? fact("Time", time(layer.time_ms * 1000) + shown(layer.time_share, (share) => ", " + percent(share))) : []),
    ...(isKnown(layer.roofline_share) ? fact("Of the roofline", percent(layer.roofline_share)) : []),
    ...(layer.multiply_adds ? fact("Multiply-adds", count(layer.multiply_adds)) : []),
    ...(layer.kernel && layer.kernel !== model.graphs[0].operators[index].kernel ? fact("Kernel", el("bdi", {}, layer.kernel)) : []),
  ];
  const outputs = model.graphs[0].operators[index].outputs.filter((tensor) => valuesOfTensor.has(tensor)).slice(0, 4);
  return [
    findingsAt((finding) => finding.operator === index),
    kinds.length || facts.length ? block(kinds.length ? "Error against the reference" : "Cost",
      kinds.length ? el("table", { class: "figures" }, el("thead", {}, el("tr", {}, el("td"), ...kinds.map(([title]) => el("th", { scope: "col", class: "number" }, title)))),
        el("tbody", {}, ...rows.map(([title, text]) => el("tr", {}, el("th", { scope: "row" }, title), ...kinds.map(([, figures]) => el("td", { class: "number" }, text(figures))))))) : null,
      el("dl", { class: "pairs" }, ...facts)) : null,
    ...outputs.map((tensor) => block(outputs.length > 1 ? ["Values of ", named(model.graphs[0].tensors[tensor].name)] : "Values of the output", histogramFigure(tensor))),
  ];
}
/// The values of a tensor, for the side panel.
function tensorDiagnosis(index) {
  const values = diagnosis && state.graph === 0 ? valuesOfTensor.get(index) : null;
  const levels = { int4: 16, uint4: 16, int8: 256, uint8: 256, int16: 65536 }[values?.type];
  return [
    diagnosis ? findingsAt((finding) => !isKnown(finding.operator) && finding.tensor_index === index) : null,
    values ? block("Values over the inputs", histogramFigure(index), el("dl", { class: "pairs" },
      ...(isKnown(values.levels_used) ? fact("Levels used", count(values.levels_used) + (levels ? " of " + count(levels) : "")) : []),
      ...(values.representable ? [...fact("At the lowest", percent(values.at_lowest ?? 0)), ...fact("At the highest", percent(values.at_highest ?? 0))] : []),
      ...(values.constant_channels ? fact("Constant channels", count(values.constant_channels)) : []),
      ...(values.not_finite ? fact("Not finite", count(values.not_finite)) : []))) : null,
  ];
}
function findingsAt(matches) {
  const findings = diagnosis.findings.filter((finding) => (finding.subgraph ?? 0) === state.graph && matches(finding)).slice(0, 20);
  if (findings.length === 0) return null;
  return block("Findings", el("ul", { class: "findings" }, ...findings.map((finding) => {
    const [text, kind] = severities[finding.severity] ?? severities.note;
    return el("li", {}, el("p", {}, chip(text, kind), " ", el("bdi", {}, finding.message)), finding.advice ? el("p", { class: "advice" }, el("bdi", {}, finding.advice)) : null);
  })));
}
