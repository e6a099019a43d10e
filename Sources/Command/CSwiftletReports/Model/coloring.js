const errorScale = (title, figures, label) => ({
  title, label, hue: "--series-4", steps: ["40 dB or more", "30 to 40 dB", "20 to 30 dB", "10 to 20 dB", "under 10 dB"],
  measure(layer) {
    const ratio = ratioOf(figures(layer));
    if (ratio === null) return null;
    const text = Number.isFinite(ratio) ? decibels(ratio) : ratioText(ratio);
    return { step: [40, 30, 20, 10].filter((limit) => ratio < limit).length, text, long: Number.isFinite(ratio) ? "SNR " + text : text };
  },
});
/// The quantities that the operators can be colored by. The steps of a scale differ in lightness, and each node also
/// contains its value as text, so the scale can be read without its hue.
const colorScales = {
  added: errorScale("Added error", (layer) => layer.added, "SNR of the added error"),
  total: errorScale("Total error", (layer) => layer.total, "SNR of the total error"),
  time: {
    title: "Time", label: "Share of the time", hue: "--series-0", steps: ["under 1 %", "1 to 3 %", "3 to 10 %", "10 to 30 %", "30 % or more"],
    measure(layer) {
      const duration = layer.time_ms, share = layer.time_share ?? duration / diagnosis.time?.total_ms;
      if (!isKnown(duration) || !Number.isFinite(share)) return null;
      const text = time(duration * 1000) + ", " + percent(share);
      return { step: [0.01, 0.03, 0.1, 0.3].filter((limit) => share >= limit).length, text, long: text };
    },
  },
};
/// How much of the hue a step has on a map and in a node. Text keeps a contrast of 4.5 in a node.
const mapShares = [0, 0.25, 0.5, 0.75, 1], nodeShares = [0, 0.13, 0.26, 0.39, 0.52];
const availableColors = diagnosis ? Object.keys(colorScales).filter((name) => diagnosis.layers.some((layer) => colorScales[name].measure(layer))) : [];
const firstColor = availableColors.includes("added") ? "added" : "operators";
const isColor = (name) => name === "operators" || availableColors.includes(name);
/// Returns the scale on display, or null if operators have the colors of their families.
const chosenScale = () => (diagnosis && state.graph === 0 ? colorScales[state.color] ?? null : null);
const measuredStep = (scale, op) => {
  const layer = layerOfOperator.get(op);
  return layer ? scale.measure(layer) : null;
};

const colorChooser = el("select", { id: "color", onchange: () => go({ color: colorChooser.value }) },
  ...["operators", ...availableColors].map((name) => el("option", { value: name }, name === "operators" ? "Color: operators" : "Color: " + colorScales[name].title.toLowerCase())));
if (availableColors.length) byId("subgraph").after(el("label", { class: "visually-hidden", for: "color" }, "Color of the operators"), colorChooser);

/// Colors the boxes of the graph on display.
function colorGraph(isNew) {
  if (!diagnosis) return;
  colorChooser.value = state.color;
  colorChooser.disabled = state.graph !== 0;
  if (!isNew && drawn.color === state.color) return;
  drawn.color = state.color;
  const graph = model.graphs[state.graph], scale = chosenScale();
  graph.operators.forEach((operation, op) => {
    const box = drawn.boxes[nodeOfOperator(graph, op)];
    const measured = scale ? measuredStep(scale, op) : null;
    box.querySelector(".value")?.remove();
    box.classList.toggle("colored", scale !== null);
    box.classList.toggle("unknown", scale !== null && measured === null);
    box.style.setProperty("--family", !scale ? "var(--series-" + operation.family + ")" : measured ? mix(scale, mapShares[measured.step], "--line") : "var(--sunken)");
    box.style.setProperty("--ground", measured ? mix(scale, nodeShares[measured.step], "--raised") : "var(--raised)");
    if (scale) box.append(el("span", { class: "value" }, measured?.text ?? "not known"));
    const culprit = state.graph === 0 ? culpritOfOperator.get(op) : null;
    if (culprit && !box.classList.contains("culprit")) {
      box.classList.add("culprit");
      box.querySelector(".index").prepend("⚠ ");
    }
    if (state.graph === 0) box.removeAttribute("title");
    box.setAttribute("aria-label", ["Operator " + op, operation.op, operation.problem ? "not supported" : "", culprit ? "culprit " + culprit.rank : "", scale ? scale.title.toLowerCase() + " " + (measured?.long ?? "not known") : ""].filter(Boolean).join(", "));
  });
  if (isNew) return;
  drawLegend(graph);
  drawOverview(graph);
}
const mix = (scale, share, ground) => "color-mix(in srgb, var(" + scale.hue + ") " + Math.round(share * 100) + "%, var(" + ground + "))";

/// Draws the legend of a scale, and returns whether there is one.
function drawScaleLegend() {
  const scale = chosenScale(), legend = byId("legend");
  legend.classList.toggle("scale", scale !== null);
  if (!scale) return false;
  const sample = (color) => el("span", { class: "dot sample", style: { background: color } });
  legend.replaceChildren(el("strong", {}, scale.label), ...scale.steps.map((text, step) => el("span", {}, sample(mix(scale, mapShares[step], "--line")), text)), el("span", {}, sample("var(--sunken)"), "not known"));
  return true;
}
/// Draws an operator on the map in the color of the scale, and returns whether there is one.
function colorOnMap(context, style, op, rectangle) {
  const scale = chosenScale();
  if (!scale) return false;
  const measured = measuredStep(scale, op);
  context.fillStyle = style.getPropertyValue(measured ? "--line" : "--sunken");
  context.fillRect(...rectangle);
  context.globalAlpha = measured ? mapShares[measured.step] : 0;
  context.fillStyle = style.getPropertyValue(scale.hue);
  context.fillRect(...rectangle);
  context.globalAlpha = 1;
  return true;
}
