const milliseconds = (value) => time(value * 1000);
function hoverable(element, lines) {
  element.addEventListener("pointermove", (event) => showTip(event, ...lines()));
  element.addEventListener("pointerleave", hideTip);
  return element;
}
const pair = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
/// The head of a table. Number columns are right-aligned.
const heads = (titles, numbers = []) => el("thead", {}, el("tr", {}, ...titles.map((title, index) => el("th", { scope: "col", class: numbers.includes(index) ? "number" : null }, title))));
/// A table that scrolls horizontally in narrow windows.
const scrolled = (table, label) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
/// Shows the two compared files below the title, by name, or by path if the names are equal.
function showSides(first, second, notes = ["", ""]) {
  const name = (file) => file.split("/").pop();
  const shown = name(first) === name(second) ? (file) => file : name;
  byId("subtitle").replaceWith(el("div", { class: "sides" }, ...[["A", first], ["B", second]].map(([side, file], index) => el("p", { class: "muted" }, el("span", { class: "side" }, side), " ", el("bdi", { title: file }, shown(file)), notes[index]))));
}
