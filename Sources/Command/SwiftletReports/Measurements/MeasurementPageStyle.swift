/// The look of the page about measurements, beyond what all pages share.
enum MeasurementPageStyle {
  static let text = #"""
    .top { padding: 18px 24px 14px; background: var(--surface); border-bottom: 1px solid var(--line); }
    .top p { margin: 2px 0 0; }
    main, #chosen { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
    main { max-width: 1280px; margin: 0 auto; padding: 18px 24px 60px; }
    .card h2 { margin-bottom: 10px; }
    .small { font-size: 12.5px; }
    .chart { display: block; max-width: none; font: 11px var(--sans); }
    .chart:not([width]) { width: 100%; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 16px 28px; }
    .chart .strong { fill: var(--text); font-weight: 600; }
    .chart .axis { stroke: var(--line-strong); }
    .chart .mark { stroke: var(--line-strong); stroke-dasharray: 3 3; }
    .chart .mark.strong { stroke: var(--accent); stroke-width: 1.6; }
    .chart .column { fill: color-mix(in srgb, var(--accent) 60%, var(--surface)); }
    .chart .column:hover { fill: var(--accent); }
    .chart .point { fill: var(--accent); opacity: 0.75; }
    .chart .trace { fill: none; stroke: var(--accent); stroke-width: 1; }
    .chart .operator { fill: var(--family); }
    .chart .hit { fill: transparent; cursor: pointer; }
    .chart .hit:hover { fill: color-mix(in srgb, var(--text) 8%, transparent); }
    .legend { display: flex; flex-wrap: wrap; gap: 3px 18px; margin: 10px 0 0; font-size: 12.5px; color: var(--muted); }
    .flame { display: grid; gap: 3px; }
    .flame-row { position: relative; height: 38px; }
    .flame-row.level-3 { height: 28px; }
    .flame-part { --family: var(--series-7); position: absolute; top: 0; bottom: 0; overflow: hidden; border-right: 1px solid var(--surface); border-radius: 4px; background: color-mix(in srgb, var(--family) 30%, var(--surface)); box-shadow: inset 0 -3px 0 var(--family); font-size: 12.5px; line-height: 1.3; }
    .level-0 .flame-part { background: var(--sunken); box-shadow: inset 0 -3px 0 var(--line-strong); }
    .level-3 .flame-part { cursor: pointer; font: 11px/1.6 var(--mono); }
    .flame-part:hover { background: color-mix(in srgb, var(--family) 52%, var(--surface)); }
    .flame-part > span { display: block; padding: 2px 6px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .level-3 .flame-part > span { padding: 2px 4px; }
    .flame-part bdi { overflow-wrap: normal; }
    .flame-part small { display: block; font-size: 11px; color: var(--muted); }
    .meter { display: block; position: relative; min-width: 120px; height: 10px; margin-top: 5px; border-radius: 3px; background: var(--sunken); overflow: hidden; }
    .meter span { display: block; height: 100%; border-radius: 3px; min-width: 1px; }
    .wide-meter { min-width: 220px; height: 14px; margin-top: 3px; }
    .from-fastest { background: var(--accent); opacity: 0.8; }
    .wide-meter i { position: absolute; top: 6px; height: 2px; background: var(--text); }
    .models td, .models th { vertical-align: middle; }
    .models .wide-meter { margin-top: 0; }
    .models th[scope="row"] { white-space: normal; }
    .pick { text-align: left; justify-content: flex-start; font-weight: 550; color: var(--text); white-space: normal; }
    tr.chosen td, tr.chosen th { background: var(--accent-soft); }
    """#
}
