/// Makes a table that can be sorted and filtered.
///
/// - columns: `title`, `key` (the sort key; null is last in both directions), `show` (an element or text), `number` for
///   right-aligned columns, and `ascending` for number columns whose lowest values come first.
/// - rows: Objects of any form. `index` is the tiebreaker of the sort order, and `words` is the text that the filter
///   searches.
/// - settings: The column and direction of the initial sort order, and the number of rows in the document until the
///   reader requests more.
/// - summary: A function that describes the rows that match the filter.
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
    // Number columns sort in descending order first, except for the column of the original order.
    down = sort === index ? !down : column.number === true && index > 0 && !column.ascending;
    sort = index;
    fill();
  } }, column.title)));
  function fill() {
    const { key } = columns[sort];
    const found = rows.filter((row) => filter === "" || row.words.toLowerCase().includes(filter));
    found.sort((first, second) => {
      const [a, b] = [key(first), key(second)];
      if (a === null || b === null) return (a === null) - (b === null) || first.index - second.index;
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
    /// Scrolls a row into view, and clears the filter.
    reveal(matches) {
      input.value = filter = "";
      limit = rows.length;
      chosenRow.matches = matches;
      fill();
      for (const line of body.rows) if (matches(line.row)) line.scrollIntoView({ block: "center" });
    },
  };
}
