const memory = { zoom: 1, turn: null, drawn: false };
function drawMemory() {
  const section = byId("view-memory");
  const arena = model.arena;
  if (!arena || arena.operators.length === 0 || arena.blocks.length === 0) {
    section.replaceChildren(el("div", { class: "card" }, el("h2", {}, "Memory of a run"), el("p", { class: "muted" },
      !model.supported ? "There is no memory plan, because the model is not supported." : "A run of this model requires no planned memory.")));
    return;
  }
  if (!memory.drawn) {
    memory.drawn = true;
    memory.peak = arena.live.reduce((best, live, turn) => (live > arena.live[best] ? turn : best), 0);
    memory.turn = memory.peak;
    section.replaceChildren(
      el("div", { class: "card" }, el("h2", {}, "Memory of a run"),
        el("dl", { class: "facts" },
          ...pair("Arena", bytes(arena.bytes)), ...pair("In use at the peak", bytes(arena.live[memory.peak])), ...pair("Blocks", count(arena.blocks.length)), ...pair("Operators in a run", count(arena.operators.length)),
          ...pair("Peak during", el("span", { class: "peak-turn" }, named(turnName(memory.peak))))),
        el("p", { class: "muted" }, "One session's tensors of the main graph, at the shapes in the file. A block is drawn at its byte offset, for as long as its contents are in use. Blocks that are never in use at the same time share bytes. ",
          arena.deferred > 0 ? plural(arena.deferred, "operator") + " with shapes that are known only at run time are not shown." : "")),
      el("div", { class: "card chart-card" },
        el("div", { class: "chart-tools", role: "group", "aria-label": "Chart" },
          el("button", { onclick: () => zoomMemory(0.5), "aria-label": "Narrower" }, "−"), el("button", { onclick: () => zoomMemory(2), "aria-label": "Wider" }, "+"),
          el("span", { class: "muted" }, "Select a block, or move between operators with the arrow keys.")),
        el("div", { id: "memory-scroll", class: "scroll", tabindex: 0, role: "application", "aria-label": "Memory by operator. The left and right arrow keys select the previous and next operator.", onkeydown: memoryKey }),
        el("div", { id: "memory-turn" })));
  }
  drawMemoryChart();
}
const pair = (name, value) => [el("div", {}, el("dt", {}, name), el("dd", {}, value))];
function zoomMemory(factor) {
  memory.zoom = Math.min(64, Math.max(1, memory.zoom * factor));
  drawMemoryChart();
  byId("memory-scroll").scrollLeft = memoryX(memory.turn) - byId("memory-scroll").clientWidth / 2;
}
let memoryX = () => 0;

function drawMemoryChart() {
  const arena = model.arena, scroll = byId("memory-scroll");
  const left = 72, right = 16, liveTop = 26, liveHeight = 110, mapTop = liveTop + liveHeight + 34, bottom = 30;
  const mapHeight = Math.max(220, Math.min(560, innerHeight - mapTop - 430));
  const room = Math.max(280, scroll.clientWidth - left - right) * memory.zoom;
  const turnWidth = room / arena.operators.length;
  const width = left + room + right, height = mapTop + mapHeight + bottom;
  memoryX = (turn) => left + turn * turnWidth;
  const yMap = (offset) => mapTop + mapHeight * (1 - offset / arena.bytes);
  const yLive = (live) => liveTop + liveHeight * (1 - live / arena.bytes);
  const chart = svg("svg", { class: "chart", width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "In use at most " + bytes(arena.live[memory.peak]) + " of " + bytes(arena.bytes) + ", during " + turnName(memory.peak) });
  const label = (x, y, text, properties = {}) => svg("text", { x, y, ...properties, text });
  chart.append(label(left, 14, "Bytes in use", { class: "title" }), label(left, mapTop - 10, "Byte offsets", { class: "title" }));
  for (const value of ticks(arena.bytes, 3)) {
    chart.append(svg("line", { class: "grid", x1: left, x2: left + room, y1: yLive(value), y2: yLive(value) }), label(left - 8, yLive(value) + 4, bytes(value), { "text-anchor": "end" }));
  }
  for (const value of ticks(arena.bytes, 7)) {
    chart.append(svg("line", { class: "grid", x1: left, x2: left + room, y1: yMap(value), y2: yMap(value) }), label(left - 8, yMap(value) + 4, bytes(value), { "text-anchor": "end" }));
  }
  let area = "M" + left + " " + yLive(0);
  arena.live.forEach((live, turn) => { area += "V" + yLive(live).toFixed(1) + "H" + memoryX(turn + 1).toFixed(1); });
  chart.append(svg("path", { class: "area", d: area + "V" + yLive(0) + "Z" }));
  arena.blocks.forEach((block, index) => {
    const x = memoryX(block.first), blockWidth = memoryX(block.last + 1) - x, top = yMap(block.offset + block.bytes);
    const blockHeight = Math.max(yMap(block.offset) - top, 1);
    const rectangle = svg("rect", { class: "block" + (isWork(block) ? " work" : ""), "data-block": index, x: x.toFixed(2), y: top.toFixed(2), width: Math.max(blockWidth - (turnWidth > 4 ? 1 : 0), 1).toFixed(2), height: Math.max(blockHeight - (blockHeight > 4 ? 1 : 0), 0.8).toFixed(2) });
    rectangle.style.setProperty("--family", "var(--series-" + familyOfBlock(block) + ")");
    chart.append(rectangle);
    const name = nameOfBlock(block);
    const letters = Math.floor((blockWidth - 10) / 6.4);
    if (letters >= 4 && blockHeight >= 15) chart.append(label(x + 5, top + Math.min(blockHeight / 2 + 4, 14), name.length > letters ? name.slice(0, letters - 1) + "…" : name, { class: "inside" }));
  });
  const every = Math.max(1, Math.ceil(46 / turnWidth));
  for (let turn = 0; turn < arena.operators.length; turn += every) chart.append(label(memoryX(turn) + turnWidth / 2, height - 10, "#" + arena.operators[turn][1], { "text-anchor": "middle" }));
  const peakX = memoryX(memory.peak) + turnWidth / 2;
  const anchor = peakX > left + room - 180 ? "end" : "start";
  chart.append(svg("line", { class: "peak", x1: peakX, x2: peakX, y1: liveTop - 6, y2: mapTop + mapHeight }),
    label(peakX + (anchor === "start" ? 5 : -5), liveTop - 10, "peak " + bytes(arena.live[memory.peak]), { class: "peak-label", "text-anchor": anchor }));
  const cursor = svg("rect", { id: "memory-cursor", class: "cursor", y: liveTop, height: mapTop + mapHeight - liveTop, width: Math.max(turnWidth, 2) });
  chart.append(cursor);
  chart.addEventListener("pointermove", (event) => {
    const block = arena.blocks[event.target.dataset.block];
    if (block) return showTip(event, nameOfBlock(block), bytes(block.bytes) + " at byte " + count(block.offset), turns(block));
    const turn = turnAt(event);
    if (turn === null) return hideTip();
    showTip(event, turnName(turn), bytes(arena.live[turn]) + " in use");
  });
  chart.addEventListener("pointerleave", hideTip);
  chart.addEventListener("click", (event) => {
    const index = event.target.dataset.block;
    const turn = turnAt(event);
    if (turn !== null) memory.turn = turn;
    if (index !== undefined && arena.blocks[index].tensors.length) go({ graph: 0, op: null, tensor: arena.blocks[index].tensors[0] });
    drawTurn();
  });
  function turnAt(event) {
    const turn = Math.floor((event.clientX - chart.getBoundingClientRect().left - left) / turnWidth);
    return turn >= 0 && turn < arena.operators.length ? turn : null;
  }
  scroll.replaceChildren(chart);
  drawTurn();
}
const isWork = (block) => block.tensors.length === 0 && block.names.length === 0;
function nameOfBlock(block) {
  const names = [...block.tensors.map((tensor) => model.graphs[0].tensors[tensor].name || "(no name)"), ...block.names];
  if (names.length === 0) return "working memory of " + turnName(block.first);
  return names[0] + (names.length > 1 ? " and " + (names.length - 1) + " more" : "");
}
function familyOfBlock(block) {
  const maker = block.tensors.map((tensor) => model.graphs[0].tensors[tensor].maker).find((maker) => maker !== null);
  return maker !== undefined ? model.graphs[0].operators[maker].family : 7;
}
/// Shows the blocks that are in memory during the operator at the cursor.
function drawTurn() {
  const arena = model.arena, turn = memory.turn;
  const cursor = byId("memory-cursor");
  cursor.setAttribute("x", memoryX(turn));
  const chosen = state.tensor !== null && state.graph === 0 ? blockOfTensor.get(state.tensor) : undefined;
  for (const rectangle of document.querySelectorAll(".block")) rectangle.classList.toggle("chosen", Number(rectangle.dataset.block) === chosen);
  const live = arena.blocks.filter((block) => block.first <= turn && turn <= block.last).sort((first, second) => second.bytes - first.bytes);
  const [graph, index] = arena.operators[turn];
  byId("memory-turn").replaceChildren(
    el("h3", {}, "During ", model.graphs[graph]?.operators[index] ? operatorLink(graph, index) : turnName(turn), ": " + bytes(arena.live[turn]) + " in " + plural(live.length, "block")),
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "Tensor"), el("th", {}, "Shape"), el("th", { class: "number" }, "Bytes"), el("th", { class: "number" }, "Offset"), el("th", {}, "From"), el("th", {}, "To"))),
      el("tbody", {}, ...live.slice(0, 100).map((block) => el("tr", {},
        el("td", {}, block.tensors.length ? joined(block.tensors.slice(0, 6).map((tensor) => tensorLink(0, tensor))) : el("bdi", {}, nameOfBlock(block))),
        el("td", { class: "mono" }, block.tensors.length ? shapeText(model.graphs[0].tensors[block.tensors[0]].shape) + " " + model.graphs[0].tensors[block.tensors[0]].type : ""),
        el("td", { class: "number" }, count(block.bytes)), el("td", { class: "number" }, count(block.offset)), el("td", {}, el("bdi", {}, turnName(block.first))), el("td", {}, el("bdi", {}, turnName(block.last)))))))));
}
function memoryKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  memory.turn = Math.min(model.arena.operators.length - 1, Math.max(0, memory.turn + step));
  const scroll = byId("memory-scroll"), x = memoryX(memory.turn);
  if (x < scroll.scrollLeft + 80 || x > scroll.scrollLeft + scroll.clientWidth - 40) scroll.scrollLeft = x - scroll.clientWidth / 2;
  drawTurn();
}
