const firstView = diagnosis ? "diagnosis" : "graph";
const state = { view: firstView, graph: 0, op: null, tensor: null, color: firstColor };
const views = { ...(diagnosis ? { diagnosis: drawDiagnosis } : {}), graph: showGraph, memory: drawMemory, operators: () => drawTable("operators"), tensors: () => drawTable("tensors"), model: drawModel };

function addressOf(target) {
  const parts = [];
  if (modelNumber !== 0) parts.push("model=" + modelNumber);
  if (target.view !== firstView) parts.push("view=" + target.view);
  if (target.graph !== 0) parts.push("graph=" + target.graph);
  if (target.op !== null && target.op !== undefined) parts.push("op=" + target.op);
  else if (target.tensor !== null && target.tensor !== undefined) parts.push("tensor=" + target.tensor);
  if (target.color !== firstColor) parts.push("color=" + target.color);
  return parts.join("&");
}
function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const within = (name, limit) => {
    const value = parts.has(name) ? Number(parts.get(name)) : NaN;
    return Number.isInteger(value) && value >= 0 && value < limit ? value : null;
  };
  const graph = within("graph", model.graphs.length) ?? 0;
  const op = within("op", model.graphs[graph]?.operators.length ?? 0);
  const tensor = op === null ? within("tensor", model.graphs[graph]?.tensors.length ?? 0) : null;
  return { view: Object.hasOwn(views, parts.get("view")) ? parts.get("view") : firstView, graph, op, tensor, color: isColor(parts.get("color")) ? parts.get("color") : firstColor };
}

/// Changes the view or the selection. Selecting an operator clears the selected tensor, and vice versa.
function go(target) {
  if (target.op !== undefined && target.op !== null) target.tensor = null;
  if (target.tensor !== undefined && target.tensor !== null) target.op = null;
  Object.assign(state, target);
  history.replaceState(null, "", "#" + addressOf(state));
  show();
}
let chooseTab = () => {};
function show() {
  if (model.graphs.length === 0) return;
  chooseTab(state.view);
  byId("subgraph").value = String(state.graph);
  drawPanel();
  // The diagnosis needs the whole of a narrow window until something is selected.
  document.body.classList.toggle("unselected", state.view === "diagnosis" && state.op === null && state.tensor === null);
  views[state.view]();
}
function showGraph() {
  const isNew = drawGraph();
  colorGraph(isNew);
  drawSelection();
  const graph = model.graphs[state.graph];
  if (isNew) fitWidth();
  else applyView();
  if (state.op !== null) reveal(nodeOfOperator(graph, state.op), true);
  else if (state.tensor !== null) {
    const box = boxOfTensor(graph, state.tensor);
    if (box) reveal(Number(box.dataset.node), true);
  }
}

// MARK: Search

const search = byId("search"), hits = byId("hits");
let found = [], hit = 0;
function runSearch() {
  const words = search.value.trim().toLowerCase();
  found = [];
  if (words !== "") {
    const graphs = [state.graph, ...model.graphs.keys()].filter((graph, place, all) => all.indexOf(graph) === place);
    // Matches at the start of the text come first.
    const [first, rest] = [[], []];
    for (const graph of graphs) {
      model.graphs[graph].operators.forEach((operation, op) => match({ graph, op }, "#" + op + " " + operation.op, "operator", operation.family));
      model.graphs[graph].tensors.forEach((tensor, index) => match({ graph, tensor: index }, tensor.name, shapeText(tensor.shape), null));
    }
    function match(target, text, note, family) {
      const place = text.toLowerCase().indexOf(words);
      if (place >= 0 && first.length + rest.length < 5000) (place === 0 ? first : rest).push({ target, text, note, family });
    }
    found = [...first, ...rest];
  }
  hit = 0;
  const shown = found.slice(0, 60);
  hits.replaceChildren(...shown.map((item, index) => el("li", { role: "option", id: "hit-" + index, onpointerdown: (event) => {
    event.preventDefault();
    chooseHit(index);
  } }, item.family !== null ? dot(item.family) : el("span", { class: "dot hollow" }), el("span", { class: "hit-name" }, named(item.text)),
    el("span", { class: "muted" }, item.note + (model.graphs.length > 1 ? ", subgraph " + item.target.graph : "")))));
  if (words !== "" && found.length === 0) hits.append(el("li", { class: "muted" }, "nothing found"));
  if (found.length > shown.length) hits.append(el("li", { class: "muted" }, "and " + count(found.length - shown.length) + " more"));
  hits.hidden = words === "";
  search.setAttribute("aria-expanded", !hits.hidden);
  markHit();
}
function markHit() {
  [...hits.children].forEach((item, index) => item.setAttribute("aria-selected", index === hit && found.length > 0));
  if (found.length > 0 && !hits.hidden) {
    search.setAttribute("aria-activedescendant", "hit-" + hit);
    hits.children[hit]?.scrollIntoView({ block: "nearest" });
  } else search.removeAttribute("aria-activedescendant");
}
function chooseHit(index) {
  const item = found[index];
  if (!item) return;
  closeHits();
  const view = ["diagnosis", "model", "memory"].includes(state.view) ? "graph" : state.view;
  go({ op: null, tensor: null, ...item.target, view });
}
function closeHits() {
  hits.hidden = true;
  search.setAttribute("aria-expanded", false);
}
search.addEventListener("input", runSearch);
search.addEventListener("focus", () => { if (search.value !== "") runSearch(); });
search.addEventListener("blur", closeHits);
search.addEventListener("keydown", (event) => {
  const last = Math.min(found.length, 60) - 1;
  if (event.key === "ArrowDown") hit = Math.min(last, hit + 1);
  else if (event.key === "ArrowUp") hit = Math.max(0, hit - 1);
  else if (event.key === "Enter") return chooseHit(hit);
  else if (event.key === "Escape") {
    event.stopPropagation();
    if (hits.hidden) search.value = "";
    return closeHits();
  } else return;
  event.preventDefault();
  markHit();
});

// MARK: Start

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "Escape" && (state.op !== null || state.tensor !== null)) go({ op: null, tensor: null });
});
byId("title").append(named(model.name));
byId("subtitle").append(...[
  plural(model.graphs.reduce((sum, graph) => sum + graph.operators.length, 0), "operator"), ", " + bytes(model.bytes), model.arena ? ", " + bytes(model.arena.bytes) + " of memory in a run " : " ",
  model.supported ? chip("supported", "good") : chip(model.unsupported.length ? plural(model.unsupported.length, "operator") + " not supported" : "cannot be run", "bad")]);
const chooser = byId("subgraph");
chooser.append(...model.graphs.map((graph, index) => el("option", { value: index }, graph.title + " (" + plural(graph.operators.length, "operator") + ")")));
chooser.hidden = model.graphs.length < 2;
chooser.addEventListener("change", () => go({ graph: Number(chooser.value), op: null, tensor: null }));
chooseTab = makeTabs(document.querySelector(".tabs"), (view) => go({ view }));
const models = byId("model");
if (bundle) {
  models.append(...bundle.models.map((each, number) => el("option", { value: number }, each.name)));
  models.value = String(modelNumber);
  models.hidden = false;
  models.addEventListener("change", () => showModel(Number(models.value)));
}
/// Shows another model. Everything on the page belongs to one model, so the page is loaded again.
function showModel(number) {
  history.replaceState(null, "", number === 0 ? "#" : "#model=" + number);
  location.reload();
}
addEventListener("hashchange", () => {
  if (modelInAddress() !== modelNumber) return location.reload();
  Object.assign(state, readAddress());
  show();
});
addEventListener("resize", () => {
  if (state.view === "memory") drawMemory();
  if (state.view === "graph") applyView();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (drawn.graph >= 0) drawOverview(model.graphs[drawn.graph]); });
Object.assign(state, readAddress());
show();
document.body.dataset.ready = "true";
