/// The look of the page about a model, beyond what all pages share.
enum ModelPageStyle {
  static let text = #"""
    html, body { height: 100%; }
    body { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) 372px; overflow: hidden; }
    .top { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding: 10px 18px; background: var(--surface); border-bottom: 1px solid var(--line); z-index: 4; }
    .heading { flex: 1 1 300px; min-width: 0; }
    .heading h1 { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .heading p { margin: 1px 0 0; font-size: 13px; }
    .tabs { display: flex; gap: 2px; padding: 3px; background: var(--sunken); border-radius: 8px; }
    .tabs button { background: none; border-color: transparent; color: var(--muted); font-weight: 550; }
    .tabs button:hover { color: var(--text); }
    .tabs button[aria-selected="true"] { background: var(--raised); border-color: var(--line); color: var(--text); box-shadow: 0 1px 2px rgb(0 0 0 / 12%); }
    .search { position: relative; flex: 0 1 270px; }
    .search input { width: 100%; }
    #hits { position: absolute; inset: calc(100% + 4px) 0 auto; margin: 0; padding: 4px; list-style: none; max-height: 60vh; overflow: auto; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 8px; box-shadow: var(--shadow); z-index: 9; }
    #hits li { display: flex; align-items: center; gap: 6px; padding: 4px 8px; border-radius: 5px; cursor: pointer; font-size: 13px; }
    #hits li[aria-selected="true"] { background: var(--accent-soft); }
    .hit-name { flex: 1; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    #hits .muted { white-space: nowrap; font-size: 12px; }
    main { position: relative; min-width: 0; min-height: 0; }
    .view { position: absolute; inset: 0; }
    .page { overflow: auto; padding: 18px; }
    .page > * { max-width: 1500px; margin: 0 auto 16px; }
    .page h2 { margin-bottom: 10px; }
    #panel { border-left: 1px solid var(--line); background: var(--surface); overflow: auto; padding: 16px 18px 32px; position: relative; }
    #panel h2 { margin-bottom: 6px; padding-right: 30px; max-height: 8.5em; overflow: auto; }
    #panel section { margin-top: 16px; }
    #panel h3 { margin-bottom: 5px; text-transform: none; }
    .close { position: absolute; top: 12px; right: 12px; width: 28px; min-height: 28px; padding: 0; border-color: transparent; background: none; color: var(--muted); }
    .clamp { max-height: 9em; overflow: auto; white-space: pre-wrap; }
    .prewrap { white-space: pre-wrap; }
    .hint { margin-top: 18px; font-size: 13px; }
    .pairs { display: grid; grid-template-columns: minmax(90px, max-content) minmax(0, 1fr); gap: 3px 14px; margin: 6px 0; }
    .pairs dt { color: var(--muted); }
    .pairs dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
    .plain { list-style: none; margin: 0; padding: 0; }
    .plain li { padding: 5px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
    .plain li:last-child { border-bottom: 0; }
    .line { display: block; font-size: 12.5px; white-space: pre-wrap; }
    .options th { font-weight: 500; white-space: normal; padding-left: 0; }
    .options td { overflow-wrap: anywhere; }
    .dot.hollow { border: 2px solid var(--line-strong); border-radius: 50%; }
    .bars { list-style: none; margin: 0; padding: 0; }
    .bars li { display: grid; grid-template-columns: minmax(0, 1fr) auto; padding: 3px 0; font-size: 13px; }
    .bar-label { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .bar-track { grid-column: 1 / -1; height: 4px; border-radius: 2px; background: var(--sunken); }
    .bar-track span, .meter span { display: block; height: 100%; border-radius: 2px; min-width: 2px; }
    td.family { white-space: nowrap; }
    .meter { width: 22%; min-width: 90px; vertical-align: middle; }
    .meter span { height: 8px; }

    #canvas { position: absolute; inset: 0; overflow: clip; touch-action: none; cursor: grab; background-color: var(--page); background-image: radial-gradient(var(--line) 1px, transparent 1px); background-size: 22px 22px; user-select: none; }
    #canvas:focus-visible { outline-offset: -3px; }
    #canvas.dragging { cursor: grabbing; }
    #world { position: absolute; left: 0; top: 0; transform-origin: 0 0; }
    #edges { position: absolute; inset: 0; overflow: visible; }
    #edges path { fill: none; }
    #edges .hit { stroke: transparent; stroke-width: 11; cursor: pointer; pointer-events: stroke; }
    #edges .stroke { stroke: var(--line-strong); stroke-width: 1.6; pointer-events: none; }
    #edges .head { fill: var(--line-strong); pointer-events: none; }
    #edges .stub { stroke: var(--line-strong); stroke-width: 1.6; stroke-dasharray: 3 3; pointer-events: none; }
    #edges .edge:hover .stroke, #edges .outgoing .stroke { stroke: var(--accent); stroke-width: 2.6; }
    #edges .edge:hover .head, #edges .outgoing .head { fill: var(--accent); }
    #edges .incoming .stroke { stroke: var(--series-5); stroke-width: 2.6; }
    #edges .incoming .head { fill: var(--series-5); }
    .node { position: absolute; display: flex; flex-direction: column; align-items: stretch; justify-content: center; gap: 0; min-height: 0; padding: 3px 9px 3px 12px; text-align: left; line-height: 1.32; background: var(--raised); border: 1px solid var(--line-strong); border-left: 4px solid var(--family); border-radius: 7px; box-shadow: 0 1px 2px rgb(15 25 40 / 9%); overflow: hidden; contain: strict; }
    .node span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .node .name { display: flex; gap: 8px; font: 600 12px/1.4 var(--mono); }
    .node .kind { flex: 1; }
    .node .kind bdi { overflow-wrap: normal; }
    .node .index { flex: none; color: var(--muted); font-weight: 400; font-size: 11px; overflow: visible; }
    .node .detail, .node .shape { font: 11px/1.4 var(--mono); color: var(--muted); }
    .node .detail { color: var(--text); }
    .node.end { --family: var(--line-strong); border-radius: 22px; border-left-width: 1px; padding: 3px 16px; background: var(--sunken); }
    .node.problem { background: var(--bad-soft); border-color: var(--bad); }
    .node.problem .index { color: var(--bad); }
    .node:hover { border-color: var(--accent); }
    .node.near { border-color: var(--accent); }
    .node.chosen { border-color: var(--accent); outline: 3px solid var(--accent); outline-offset: 0; }
    .node:focus-visible { outline: 3px solid var(--accent); }
    #canvas[data-detail="middle"] .detail, #canvas[data-detail="middle"] .shape, #canvas[data-detail="low"] .node span { visibility: hidden; }
    #canvas[data-detail="low"] .node { background: var(--family); }
    #canvas[data-detail="low"] #edges .stroke { stroke-width: 3; }
    .bar { position: absolute; top: 12px; display: flex; align-items: center; gap: 4px; }
    .bar.left { left: 12px; max-width: calc(100% - 330px); }
    .bar select { min-width: 0; }
    .bar.right { right: 12px; padding: 3px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow); }
    .bar.right button { border-color: transparent; min-width: 30px; }
    .bar.right button:hover { background: var(--sunken); }
    #zoom-level { min-width: 50px; padding-right: 6px; text-align: right; color: var(--muted); font-variant-numeric: tabular-nums; font-size: 12px; }
    #overview { position: absolute; right: 12px; bottom: 12px; padding: 6px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow); cursor: pointer; touch-action: none; overflow: hidden; }
    #overview canvas { display: block; }
    #overview-frame { position: absolute; margin: 6px; border: 1.5px solid var(--accent); background: color-mix(in srgb, var(--accent) 14%, transparent); border-radius: 2px; pointer-events: none; }
    .legend { position: absolute; left: 12px; bottom: 12px; max-width: calc(100% - 190px); display: flex; flex-wrap: wrap; gap: 1px 14px; padding: 5px 10px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; font-size: 12px; color: var(--muted); }
    .legend:empty { display: none; }
    .legend span { white-space: nowrap; }

    .peak-turn { font: 13px var(--mono); }
    .chart-tools { display: flex; align-items: center; gap: 6px; margin-bottom: 8px; }
    .chart { display: block; font: 11px var(--sans); }
    .chart .area { fill: color-mix(in srgb, var(--accent) 22%, transparent); stroke: var(--accent); stroke-width: 1.4; pointer-events: none; }
    .chart .block { fill: color-mix(in srgb, var(--family) 62%, var(--surface)); stroke: var(--family); stroke-width: 0.6; cursor: pointer; }
    .chart .block.work { stroke-dasharray: 3 2; fill: color-mix(in srgb, var(--family) 26%, var(--surface)); }
    .chart .block:hover, .chart .block.chosen { stroke: var(--text); stroke-width: 2; }
    .chart .inside { fill: var(--text); font: 10.5px var(--mono); pointer-events: none; }
    .chart .peak { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; pointer-events: none; }
    .chart .peak-label { fill: var(--bad); font-weight: 600; }
    .chart .cursor { fill: var(--text); opacity: 0.1; pointer-events: none; }
    #memory-turn { margin-top: 14px; }
    #memory-turn h3 { font-size: 14px; color: var(--text); margin-bottom: 6px; }

    .labels { columns: 170px; column-gap: 24px; margin: 8px 0 0; padding-left: 3.2em; }
    .labels li { break-inside: avoid; overflow-wrap: anywhere; color: var(--muted); }
    .labels bdi { color: var(--text); }
    .tree { margin: 0; padding-left: 18px; }
    summary { cursor: pointer; }
    summary h2 { display: inline; }
    @media (max-width: 860px) {
      body { grid-template: auto minmax(0, 1fr) minmax(0, 38vh) / minmax(0, 1fr); }
      #panel { border-left: 0; border-top: 1px solid var(--line); }
      .legend, #overview { display: none; }
      .search { flex: 1 1 100%; order: 3; }
      .tabs { max-width: 100%; overflow-x: auto; }
      .tabs button { padding: 3px 8px; }
    }
    @media print { body { display: block; overflow: visible; } .view { position: static; } #canvas, .bar, #overview, .legend { display: none; } }
    """#
}
