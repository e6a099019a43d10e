/// Formats a value of one model as text. Missing values become a dash.
function shown(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return "[" + value.join(", ") + "]";
  if (typeof value === "number") return digits(value, 4);
  return String(value);
}
const changeLine = (change) => el("li", {}, change.what + " ", el("bdi", { class: "old" }, shown(change.a)), " → ", el("bdi", {}, shown(change.b)));
const changeList = (changes) => el("ul", { class: "changes-of" }, ...changes.map(changeLine));

const signs = { same: "", added: "+", removed: "−", changed: "~" };
function stepPlace(step) {
  if (step.step === "same") return step.count === 1 ? "#" + step.b : "#" + step.b + "–" + (step.b + step.count - 1);
  if (step.step === "changed") return step.a === step.b ? "#" + step.b : "#" + step.a + " → " + step.b;
  return "#" + (step.step === "removed" ? step.a : step.b);
}
function stepRow(step) {
  const what = el("div", { class: "what" });
  if (step.step === "same") what.append(plural(step.count, "operator") + " the same");
  else {
    what.append(el("strong", {}, el("bdi", {}, step.operator.op)), step.operator.summary === "" ? "" : " " + step.operator.summary, " ", el("span", { class: "muted" }, el("bdi", {}, step.operator.name)));
    if (step.changes) what.append(changeList(step.changes));
  }
  return el("li", { class: step.step }, el("span", { class: "sign", "aria-label": step.step }, signs[step.step]), el("span", { class: "place" }, stepPlace(step)), what);
}

/// The operators of both models in one list: only in A, only in B, or different. Identical operators are only counted.
function operatorSteps(graph) {
  const steps = graph.operators;
  const list = el("ol", { class: "steps" });
  const more = el("button", { onclick: () => show(steps.length) }, "Show all");
  function show(limit) {
    list.replaceChildren(...steps.slice(0, limit).map(stepRow));
    more.hidden = steps.length <= limit;
  }
  show(120);
  const given = steps.filter((step) => step.step !== "same").length;
  const note = given < graph.differing_operators ? [el("p", { class: "muted small" }, "The first " + count(given) + " of " + count(graph.differing_operators) + " differences; the JSON has all of them.")] : [];
  return [list, more, ...note];
}
