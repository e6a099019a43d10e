const words = { faster: "faster", slower: "slower", within_noise: "within noise" };
const chipOf = { faster: "chip good", slower: "chip bad", within_noise: "chip" };
const times = (ratio) => (ratio === null ? "–" : digits(ratio, 3) + " ×");

/// The ratio on a logarithmic scale with 1 in the middle. The bar covers the ratios that the spreads of both sides
/// allow.
function ratioBar(item, reach) {
  const at = (ratio) => 50 + 50 * Math.max(-1, Math.min(1, Math.log(Math.max(ratio, 1e-9)) / reach));
  const low = at(item.b.low_ms / Math.max(item.a.high_ms, 1e-12)), high = at(item.b.high_ms / Math.max(item.a.low_ms, 1e-12));
  return hoverable(el("span", { class: "ratio " + item.verdict }, el("i", { style: { left: "50%" } }), el("span", { class: "noise", style: { left: low + "%", width: high - low + "%" } }), el("span", { class: "value", style: { left: at(item.ratio) + "%" } })),
    () => [item.model, "A " + milliseconds(item.a.median_ms) + ", from " + milliseconds(item.a.low_ms) + " to " + milliseconds(item.a.high_ms), "B " + milliseconds(item.b.median_ms) + ", from " + milliseconds(item.b.low_ms) + " to " + milliseconds(item.b.high_ms)]);
}
const spread = (side) => percent((side.high_ms - side.low_ms) / side.median_ms);

function models() {
  if (data.models.length === 0) return el("section", { class: "card" }, el("h2", {}, "Models"), el("p", { class: "muted" }, "No model is in both files."));
  const logs = data.models.map((item) => Math.abs(Math.log(Math.max(item.ratio ?? 1, 1e-9))));
  const reach = Math.max(Math.log(1.1), Math.min(Math.log(8), Math.max(...logs) * 1.15));
  const threaded = data.models.some((item) => item.a.threads !== data.models[0].a.threads || item.b.threads !== data.models[0].a.threads);
  const rows = data.models.map((item) => el("tr", {},
    el("th", { scope: "row" }, el("bdi", { title: item.model }, item.name), threaded ? el("span", { class: "muted" }, " " + (item.a.threads === item.b.threads ? plural(item.a.threads, "thread") : item.a.threads + " and " + item.b.threads + " threads")) : null),
    el("td", { class: "number" }, el("strong", {}, times(item.ratio))), el("td", {}, el("span", { class: chipOf[item.verdict] }, words[item.verdict])), el("td", {}, ratioBar(item, reach)),
    el("td", { class: "number" }, milliseconds(item.a.median_ms)), el("td", { class: "number" }, milliseconds(item.b.median_ms)), el("td", { class: "number" }, spread(item.a)), el("td", { class: "number" }, spread(item.b))));
  return el("section", { class: "card" }, el("h2", {}, "Models"),
    scrolled(el("table", { class: "ratios" }, heads(["Model", "B ÷ A", "", "", "A", "B", "Spread A", "Spread B"], [1, 4, 5, 6, 7]), el("tbody", {}, ...rows)), "Ratios of all models"),
    el("p", { class: "muted small" }, "The mark is the ratio of the medians; B is faster if it is left of the middle. The bar covers the ratios within both spreads; a difference counts if the bar does not reach the middle. The scale is logarithmic, from " + times(Math.exp(-reach)) + " to " + times(Math.exp(reach)) + "."),
    el("p", { class: "muted small" }, "Spread: the range of the medians of ten consecutive parts of the runs, divided by the median. If a file does not contain single runs, the range of its percentiles."));
}

function conditions() {
  const names = { isa: "instructions", checked: "checked mode" };
  const shown = data.conditions.filter((item) => item.a !== null || item.b !== null);
  const cell = (text) => el("td", {}, text === null ? el("span", { class: "muted" }, "not stated") : el("bdi", {}, text));
  return el("section", { class: "card" }, el("h2", {}, "Conditions"),
    scrolled(el("table", { class: "conditions" }, heads(["", "A", "B", ""]), el("tbody", {}, ...shown.map((item) => el("tr", { class: item.differs ? "differs" : null }, el("th", { scope: "row" }, names[item.name] ?? item.name), cell(item.a), cell(item.b), el("td", {}, item.differs ? el("span", { class: "chip warn" }, "differs") : ""))))), "Conditions of both files"));
}

function rest() {
  const lists = [["A", data.only_a], ["B", data.only_b]].filter(([, list]) => list.length > 0);
  if (lists.length === 0) return [];
  return [el("section", { class: "card" }, el("h2", {}, "Models in only one file"), ...lists.map(([name, list]) => el("p", {}, "Only in ", el("span", { class: "side" }, name), ": ", ...list.flatMap((model, index) => [index > 0 ? ", " : "", el("bdi", {}, model)]))))];
}

const counts = (verdict) => data.models.filter((item) => item.verdict === verdict).length;
const differing = data.conditions.filter((item) => item.differs).map((item) => item.name);
const slower = data.slower.length;
byId("title").append("Comparison of measurements");
showSides(data.a.file, data.b.file, [data.a.date, data.b.date].map((date) => (date ? ", " + date.slice(0, 16).replace("T", " ") : "")));
byId("main").append(
  ...(differing.length > 0 ? [el("p", { class: "note" }, "The files were measured under different conditions: " + differing.join(", ") + ".")] : []),
  ...(data.threshold_percent === null ? [] : [slower > 0 ? el("p", { class: "note bad" }, plural(slower, "model is", "models are") + " slower by more than " + digits(data.threshold_percent) + " %, and by more than noise.") : el("p", { class: "muted" }, "No model is slower by more than " + digits(data.threshold_percent) + " % and by more than noise.")]),
  el("section", { class: "card" }, el("dl", { class: "facts" }, pair("Geometric mean of B ÷ A", times(data.geometric_mean)), pair("Models", count(data.models.length)), pair("Faster in B", count(counts("faster"))), pair("Slower in B", count(counts("slower"))), pair("Within noise", count(counts("within_noise"))))),
  models(), conditions(), ...rest());
document.body.dataset.ready = "true";
