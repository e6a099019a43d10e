/// - columns: `title`, `key` (what is sorted by), `show` (an element or text), and `number` for those that are aligned right.
/// - rows: of any form; `index` orders those that are alike, `words` is what the filter searches.
/// - settings: the column that is sorted by first, whether from large to small, and how many rows are in the document until more are asked for.
/// - summary: words about the rows that the filter leaves.
function makeTable(title, columns, rows, settings, summary) {
  const chosenRow = { matches: () => false };
  let { sort, down, limit } = settings;
  let filter = "";
  const body = el("tbody"), note = el("p", { class: "muted", "aria-live": "polite" });
  const input = el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter", oninput: () => {
    filter = input.value.toLowerCase();
    limit = settings.limit;
    fill();
  } });
  const more = el("button", { onclick: () => {
    limit *= 8;
    fill();
  } }, "Show more");
  const headers = columns.map((column, index) => el("th", { scope: "col", class: column.number ? "number" : null }, column.title === "" ? null : el("button", { class: "sort", onclick: () => {
    // Columns of numbers sort from large to small first, except for the column of the rows' own order.
    down = sort === index ? !down : column.number === true && index > 0;
    sort = index;
    fill();
  } }, column.title)));
  function fill() {
    const { key } = columns[sort];
    const found = rows.filter((row) => filter === "" || row.words.toLowerCase().includes(filter));
    found.sort((first, second) => {
      const [a, b] = [key(first), key(second)];
      return (typeof a === "string" ? a.localeCompare(b) : a - b) * (down ? -1 : 1) || first.index - second.index;
    });
    headers.forEach((header, index) => header.setAttribute("aria-sort", index !== sort ? "none" : down ? "descending" : "ascending"));
    note.textContent = summary(found, rows);
    more.hidden = found.length <= limit;
    body.replaceChildren(...found.slice(0, limit).map((row) => {
      const line = el("tr", {}, ...columns.map((column) => el("td", { class: column.number ? "number" : null }, column.show(row))));
      line.row = row;
      return line;
    }));
    markRow();
  }
  function markRow() {
    for (const line of body.rows) line.classList.toggle("chosen", chosenRow.matches(line.row));
  }
  fill();
  return {
    element: el("div", { class: "card" }, el("h2", {}, title), el("div", { class: "filter" }, input, note), el("div", { class: "scroll" }, el("table", { class: "wide" }, el("thead", {}, el("tr", {}, ...headers)), body)), more),
    choose(matches) {
      chosenRow.matches = matches;
      markRow();
    },
    /// Brings a row into the window, whatever the filter.
    reveal(matches) {
      input.value = filter = "";
      limit = rows.length;
      chosenRow.matches = matches;
      fill();
      for (const line of body.rows) if (matches(line.row)) line.scrollIntoView({ block: "center" });
    },
  };
}
