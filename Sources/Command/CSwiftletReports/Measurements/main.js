for (const item of data.models) item.total = item.operators.reduce((sum, operation) => sum + operation.us, 0);

function comparison(choose) {
  const longest = Math.max(...data.models.map((item) => item.p95));
  const rows = data.models.map((item, index) => {
    const bar = el("span", { class: "meter wide-meter" }, el("span", { class: "from-fastest", style: { width: (item.median / longest) * 100 + "%" } }), el("i", { style: { left: (item.min / longest) * 100 + "%", width: Math.max(((item.p95 - item.min) / longest) * 100, 0.2) + "%" } }));
    return el("tr", { "data-model": index },
      el("th", { scope: "row" }, el("button", { class: "pick", "aria-pressed": false, onclick: () => choose(index) }, el("bdi", {}, item.name))),
      el("td", { class: "number" }, milliseconds(item.median)), el("td", { class: "number" }, milliseconds(item.min)), el("td", { class: "number" }, milliseconds(item.p95)),
      el("td", {}, hoverable(bar, () => [item.name, "median " + milliseconds(item.median), "from " + milliseconds(item.min) + " to " + milliseconds(item.p95)])),
      el("td", { class: "number" }, milliseconds(item.load)), el("td", { class: "number" }, milliseconds(item.first)), el("td", { class: "number" }, bytes(item.arena)));
  });
  return el("section", { class: "card" }, el("h2", {}, "Models"), el("div", { class: "scroll" }, el("table", { class: "models" },
    heads(["Model", "Median", "Fastest", "p95", "", "Load", "First run", "Arena"], [1, 2, 3, 5, 6, 7]),
    el("tbody", {}, ...rows))), el("p", { class: "muted small" }, "Bars: the median; the thin line reaches from the fastest run to what 95 of 100 do not exceed."));
}

function detail(item) {
  const parts = [
    el("section", { class: "card" }, el("h2", {}, el("bdi", {}, item.name)),
      el("dl", { class: "facts" }, pair("Median", milliseconds(item.median)), pair("Fastest", milliseconds(item.min)), pair("p95", milliseconds(item.p95)), pair("Load", milliseconds(item.load)), pair("First run", milliseconds(item.first)),
        pair("Runs", count(item.runs.length)), pair("Threads", count(item.threads)), pair("Instructions", item.isa), pair("Precision", item.reduced ? "reduced" : "full"), pair("Arena", bytes(item.arena)), pair("Packed constants", bytes(item.packed)), pair("Peak process memory", bytes(item.peak)))),
    el("section", { class: "card" }, el("div", { class: "pair" }, el("div", {}, el("h2", {}, "Distribution of run times"), spreadChart(item)), el("div", {}, el("h2", {}, "Runs in order"), turnChart(item)))),
  ];
  if (item.operators.length === 0 || item.total <= 0) {
    parts.push(el("section", { class: "card" }, el("h2", {}, "Operators"), el("p", { class: "muted" }, "No operator was timed: all were computed when the model was loaded, or have shapes that are known only at run time.")));
    return parts;
  }
  const table = operatorTable(item);
  const choose = (operation) => table.reveal((row) => row.operation === operation);
  const present = [...new Set(item.operators.map((operation) => operation.family))].sort();
  parts.push(
    el("section", { class: "card" }, el("h2", {}, "Where the time goes"), el("p", { class: "muted small" }, "One run, split by family, kind, and operator. ", item.threads > 1 ? "The times of all threads are added, so their sum exceeds the time of a run." : ""), flameChart(item, choose),
      el("p", { class: "legend" }, ...present.map((family) => el("span", {}, dot(family), data.families[family])))),
    el("section", { class: "card" }, el("h2", {}, "Operators in execution order"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Time of each operator in order" }, orderChart(item, choose))),
    el("section", { class: "card" }, el("h2", {}, "Kinds"), kindTable(item)),
    table.element);
  return parts;
}

function kindTable(item) {
  const kinds = new Map();
  for (const operation of item.operators) {
    const kind = kinds.get(operation.op) ?? { name: operation.op, family: operation.family, us: 0, number: 0, work: 0 };
    kind.us += operation.us;
    kind.number += 1;
    kind.work += operation.gops * operation.us;
    kinds.set(operation.op, kind);
  }
  const rows = [...kinds.values()].sort((first, second) => second.us - first.us);
  return el("div", { class: "scroll" }, el("table", {}, heads(["Kind", "Number", "Time", "Share", "", "GOP/s"], [1, 2, 3, 5]),
    el("tbody", {}, ...rows.map((kind) => el("tr", {}, el("td", {}, dot(kind.family), el("bdi", {}, kind.name)), el("td", { class: "number" }, count(kind.number)), el("td", { class: "number" }, time(kind.us)), el("td", { class: "number" }, percent(kind.us / item.total)),
      el("td", {}, meter(kind.us / rows[0].us, kind.family)), el("td", { class: "number" }, kind.work > 0 ? (kind.work / kind.us).toFixed(1) : ""))))));
}
const meter = (share, family) => el("span", { class: "meter" }, el("span", { style: { width: Math.max(share * 100, 0.3) + "%", background: color(family) } }));

function operatorTable(item) {
  const rows = item.operators.map((operation) => ({ ...operation, operation, words: "#" + operation.index + " " + operation.op + " " + operation.name + " " + operation.kernel }));
  const most = Math.max(...rows.map((row) => row.us), 1e-9);
  let sum = 0;
  for (const row of [...rows].sort((first, second) => second.us - first.us)) row.sum = sum += row.us;
  const columns = [
    { title: "#", number: true, key: (row) => row.index, show: (row) => String(row.index) },
    { title: "Operator", key: (row) => row.op, show: (row) => [dot(row.family), el("bdi", {}, row.op)] },
    { title: "Computed by", key: (row) => row.kernel, show: (row) => row.kernel },
    { title: "Output", key: (row) => row.name, show: (row) => el("bdi", { title: row.name }, row.name) },
    { title: "Time", number: true, key: (row) => row.us, show: (row) => time(row.us) },
    { title: "Share", number: true, key: (row) => row.us, show: (row) => percent(row.us / item.total) },
    { title: "", key: (row) => row.us, show: (row) => meter(row.us / most, row.family) },
    { title: "Cumulative", number: true, key: (row) => row.sum, show: (row) => percent(row.sum / item.total) },
    { title: "GOP/s", number: true, key: (row) => row.gops, show: (row) => (row.gops > 0 ? row.gops.toFixed(1) : "") },
  ];
  return makeTable("Operators", columns, rows, { sort: 3, down: true, limit: 60 }, (found) => count(found.length) + " of " + count(rows.length) + ", " + time(found.reduce((total, row) => total + row.us, 0)));
}

const main = byId("main"), chosen = el("div", { id: "chosen" });
function choose(index) {
  chosen.replaceChildren(...detail(data.models[index]));
  for (const row of document.querySelectorAll("[data-model]")) {
    const isIt = Number(row.dataset.model) === index;
    row.classList.toggle("chosen", isIt);
    row.querySelector(".pick").setAttribute("aria-pressed", isIt);
  }
  history.replaceState(null, "", index === 0 ? "#" : "#model=" + index);
}
byId("title").append(data.models.length === 1 ? "Measurements of " : "Measurements", data.models.length === 1 ? el("bdi", {}, data.models[0].name) : "");
byId("subtitle").textContent = plural(data.models.length, "model") + ", " + plural(data.models[0].threads, "thread") + ", " + data.models[0].isa + ", " + plural(data.models[0].runs.length, "run") + " each";
main.append(...(data.models.length > 1 ? [comparison(choose)] : []), chosen);
const asked = Number(new URLSearchParams(location.hash.slice(1)).get("model"));
choose(Number.isInteger(asked) && asked >= 0 && asked < data.models.length ? asked : 0);
document.body.dataset.ready = "true";
