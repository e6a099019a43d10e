const milliseconds = (value) => time(Math.max(0, value) * 1000);
/// The parts of a request's latency, with the name and color of each.
const latencyParts = [["decode", "Decode", 7], ["convert", "Convert", 1], ["infer", "Infer", 0], ["post", "Post-process", 3], ["transfer", "Transfer", 2], ["draw", "Draw", 5]];
let totals = [], timed = 0;

function clearLatency() {
  totals = [];
  byId("latency-total").textContent = "";
  byId("latency-bar").replaceChildren();
  byId("spark").replaceChildren();
  byId("latency").hidden = true;
}
/// Shows the server's times, the rest of the round trip as transfer, and the time of drawing.
function showLatency(times, { trip, draw }, isLive) {
  const server = times.total ?? 0;
  const values = { ...times, transfer: Math.max(0, trip - server), draw };
  const total = trip + draw;
  totals = [...totals, total].slice(-60);
  const now = performance.now();
  if (isLive && now - timed < 250) return;
  timed = now;
  byId("latency").hidden = false;
  byId("latency-total").replaceChildren(el("strong", {}, milliseconds(total)), el("span", { class: "muted" }, " in total, " + milliseconds(server) + " on the server"));
  const parts = latencyParts.filter(([key]) => Number.isFinite(values[key]));
  const sum = parts.reduce((all, [key]) => all + values[key], 0) || 1;
  byId("latency-bar").replaceChildren(...parts.map(([key, , color]) => el("span", { style: { "width": (values[key] / sum) * 100 + "%", "background": "var(--series-" + color + ")" } })));
  byId("latency-parts").replaceChildren(...parts.map(([key, title, color]) => el("li", {}, dot(color), el("span", { class: "muted" }, title), el("span", {}, milliseconds(values[key])))));
  drawSpark();
}
function drawSpark() {
  const spark = byId("spark");
  const width = 160, height = 28, top = Math.max(...totals) || 1;
  spark.setAttribute("viewBox", "0 0 " + width + " " + height);
  spark.setAttribute("aria-label", "Totals of the last " + plural(totals.length, "request") + ", at most " + milliseconds(top));
  const place = (value, index) => (width - (totals.length - 1 - index) * (width / 59)).toFixed(1) + "," + (height - 2 - (value / top) * (height - 4)).toFixed(1);
  spark.replaceChildren(...(totals.length > 2 ? [svg("polyline", { points: totals.map(place).join(" ") })] : []));
}
