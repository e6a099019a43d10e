let isExpanded = false, listed = 0;
/// Shows the result of a task. Live results change at most eight times per second, so that they can be read.
function showResults(answer, isLive) {
  const now = performance.now();
  if (isLive && now - listed < 125) return;
  listed = now;
  const groups = groupsOfResult(answer);
  const outcome = outcomeOf(answer, groups);
  byId("outcome").textContent = outcome;
  announce(outcome, isLive);
  byId("photo").setAttribute("aria-label", "Input image. " + outcome);
  drawGroups(groups);
  byId("as-text").hidden = answer.lines.length === 0;
  byId("lines").textContent = answer.lines.join("\n");
  shownGroups = groups;
}
let shownGroups = [];
function clearResults(text) {
  shownGroups = [];
  byId("outcome").textContent = text;
  byId("results").replaceChildren();
  byId("more").hidden = byId("as-text").hidden = true;
}
function drawGroups(groups) {
  const limit = isExpanded ? Infinity : 10;
  const hidden = groups.reduce((sum, group) => sum + Math.max(0, group.rows.length - 10), 0);
  byId("results").replaceChildren(...groups.map((group) => el("div", { class: "group" }, group.title ? el("h3", {}, group.title) : null,
    el("ul", { class: "rows" }, ...group.rows.slice(0, limit).map(rowElement)))));
  byId("more").hidden = hidden === 0;
  byId("more").textContent = isExpanded ? "Show less" : "Show " + count(hidden) + " more";
}
/// A row has a name, and may have a share from 0 to 1 as a bar, a value as text, a note, and the color of its drawing.
function rowElement({ name, share, value, note, color }) {
  const hasBar = Number.isFinite(share);
  return el("li", { class: "row" },
    el("span", { class: "row-name" }, color === undefined ? null : dot(((color % 8) + 8) % 8), named(name)),
    el("span", { class: "row-value" }, value ?? (hasBar ? percent(share) : "")),
    hasBar ? el("span", { class: "row-bar", "aria-hidden": "true" }, el("span", { style: { "width": Math.max(0, Math.min(1, share)) * 100 + "%" } })) : null,
    note ? el("span", { class: "row-note muted" }, note) : null);
}
