/// The look that all pages share: colours for light and dark, type, and the parts that pages are made of.
///
/// Every colour is a variable, so a page that uses them alone follows the reader's setting. Text on its background has
/// a contrast of 4.5 and more in both. `--series-0` to `--series-7` are for kinds of things in charts; they differ in
/// lightness too.
package enum PageStyle {
  package static let text = #"""
    :root {
      color-scheme: light dark;
      --page: #f4f6f9; --surface: #ffffff; --raised: #ffffff; --sunken: #ebeff4; --line: #d8dee7; --line-strong: #b4bfcd;
      --text: #17202c; --muted: #556273; --accent: #0a5bc4; --accent-soft: #e3edfb; --on-accent: #ffffff;
      --good: #1a7044; --good-soft: #dff3e7; --warn: #8a5800; --warn-soft: #fbefd5; --bad: #b3261e; --bad-soft: #fbe4e2;
      --series-0: #2f6fd6; --series-1: #0e8a7d; --series-2: #b86e00; --series-3: #8450c6; --series-4: #c2415c; --series-5: #5b8a1f;
      --series-6: #0d7ea8; --series-7: #6f7b8a;
      --shadow: 0 1px 2px rgb(20 30 45 / 8%), 0 4px 14px rgb(20 30 45 / 7%);
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
      --radius: 8px;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0e131a; --surface: #161c25; --raised: #1d2530; --sunken: #10161e; --line: #2a3441; --line-strong: #46546a;
        --text: #e6ebf2; --muted: #9aa8ba; --accent: #78b2ff; --accent-soft: #1a2f4d; --on-accent: #0b1420;
        --good: #6fd19a; --good-soft: #14321f; --warn: #f0bd5c; --warn-soft: #39290b; --bad: #ff958c; --bad-soft: #421a18;
        --series-0: #6aa5ff; --series-1: #3fc2b2; --series-2: #e7a548; --series-3: #b893f0; --series-4: #f0849a; --series-5: #9dcc5d;
        --series-6: #56bfe6; --series-7: #98a5b6;
        --shadow: 0 1px 2px rgb(0 0 0 / 50%), 0 6px 20px rgb(0 0 0 / 35%);
      }
    }
    *, *::before, *::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 var(--sans); }
    h1, h2, h3 { margin: 0; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; }
    h1 { font-size: 20px; letter-spacing: -0.01em; }
    h2 { font-size: 16px; }
    h3 { font-size: 13px; color: var(--muted); }
    p { margin: 0 0 8px; }
    a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
    code, .mono { font-family: var(--mono); font-size: 0.92em; }
    bdi, code { overflow-wrap: anywhere; }
    button, input, select { font: inherit; color: inherit; }
    button, .button {
      display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 30px; padding: 3px 10px;
      background: var(--raised); border: 1px solid var(--line-strong); border-radius: 6px; cursor: pointer;
    }
    button:hover { border-color: var(--accent); }
    button[aria-pressed="true"], button[aria-selected="true"] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent); }
    button:disabled { opacity: 0.5; cursor: default; }
    input[type="search"], select {
      min-height: 30px; padding: 3px 8px; background: var(--surface); border: 1px solid var(--line-strong); border-radius: 6px; max-width: 100%;
    }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    .card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 16px; box-shadow: var(--shadow); }
    .note { padding: 10px 14px; background: var(--warn-soft); color: var(--warn); border-radius: var(--radius); }
    .note.bad { background: var(--bad-soft); color: var(--bad); }
    .chip {
      display: inline-block; padding: 1px 8px; border-radius: 999px; background: var(--sunken); color: var(--muted); font-size: 12px;
      white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: middle;
    }
    .chip.good { background: var(--good-soft); color: var(--good); }
    .chip.warn { background: var(--warn-soft); color: var(--warn); }
    .chip.bad { background: var(--bad-soft); color: var(--bad); }
    .muted { color: var(--muted); }
    .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: 12px 20px; margin: 0; }
    .facts dt { color: var(--muted); font-size: 12px; }
    .facts dd { margin: 0; font-size: 17px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .scroll { overflow: auto; max-width: 100%; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: 5px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
    th { color: var(--muted); font-size: 12px; font-weight: 600; white-space: nowrap; }
    td.number, th.number { text-align: right; white-space: nowrap; }
    .dot { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; flex: none; }
    .wide td { max-width: 290px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .wide bdi { overflow-wrap: normal; }
    .wide tr.chosen td { background: var(--accent-soft); }
    [hidden] { display: none !important; }
    .chart text { fill: var(--muted); }
    .chart .title { fill: var(--text); font-weight: 600; font-size: 12px; }
    .chart .grid { stroke: var(--line); }
    #tip { position: fixed; z-index: 20; max-width: 420px; padding: 6px 10px; background: var(--text); color: var(--page); border-radius: 6px; font-size: 12px; pointer-events: none; overflow-wrap: anywhere; }
    #tip > * { display: block; }
    .filter { display: flex; align-items: center; gap: 12px; margin-bottom: 8px; }
    .filter p { margin: 0; }
    .sort { min-height: 0; padding: 0; border: 0; background: none; color: inherit; font-weight: 600; white-space: nowrap; }
    th[aria-sort="ascending"] .sort::after { content: "▲"; font-size: 9px; }
    th[aria-sort="descending"] .sort::after { content: "▼"; font-size: 9px; }
    .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    @media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
    @media print { body { background: none; } .card { box-shadow: none; break-inside: avoid; } }
    """#
}
