const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/// Creates an element with properties and children. Children that aren't elements become text.
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}
// Reads the namespace from the page's own drawing, so that the file contains no URL.
function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(document.querySelector("svg").namespaceURI, tag);
  set(element, properties);
  element.append(...children);
  return element;
}
function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "style") for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    else element.setAttribute(name, value === true ? "" : value);
  }
}
/// A name from a model, isolated so that it keeps its own writing direction.
const named = (text) => el("bdi", {}, text === "" ? "(no name)" : text);

// MARK: Quantities

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const count = (number) => grouped.format(number);
const plural = (number, one, many = one + "s") => count(number) + " " + (number === 1 ? one : many);
function digits(number, places = 3) {
  if (number === 0 || !Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size < 1e-4 || size >= 1e9) return number.toExponential(places - 1);
  return grouped.format(Math.trunc(number)).length > places ? grouped.format(number) : String(Number(number.toPrecision(places)));
}
function bytes(number) {
  if (number < 1000) return plural(number, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let unit = -1;
  do { number /= 1000; unit += 1; } while (number >= 999.5 && unit < units.length - 1);
  return (number < 10 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : number.toFixed(0)) + " " + units[unit];
}
/// Formats microseconds in a suitable unit.
function time(microseconds) {
  if (microseconds >= 1e6) return (microseconds / 1e6).toPrecision(3) + " s";
  if (microseconds >= 1000) return (microseconds / 1000).toPrecision(3) + " ms";
  return Number(microseconds.toPrecision(3)) + " µs";
}
const percent = (share) => (share * 100).toFixed(share < 0.0995 ? 1 : 0) + " %";

/// Returns round numbers from 0 to the limit, about as many as wanted.
function ticks(limit, wanted) {
  const rough = limit / wanted, power = 10 ** Math.floor(Math.log10(rough || 1));
  const size = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const result = [];
  for (let value = 0; value <= limit * 1.0001 && result.length < 50; value += size) result.push(value);
  return result;
}
const dot = (family) => el("span", { class: "dot", style: { "background": "var(--series-" + family + ")" } });

// MARK: Tooltip

const tip = byId("tip");
function showTip(event, ...lines) {
  tip.replaceChildren(...lines.map((line, index) => el(index === 0 ? "strong" : "span", {}, line)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18) + "px";
}
const hideTip = () => { tip.hidden = true; };

// MARK: Tabs

/// Makes tabs. Arrow keys move between them, and only the selected tab is in the tab order.
function makeTabs(list, choose) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => choose(tab.dataset.view));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      next.focus();
      choose(next.dataset.view);
    });
  }
  return (view) => {
    for (const tab of tabs) {
      const chosen = tab.dataset.view === view;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      byId("view-" + tab.dataset.view).hidden = !chosen;
    }
  };
}
