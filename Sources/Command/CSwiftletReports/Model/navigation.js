/// The position of the drawing in the window: `screen = place + scale × drawing`.
const view = { x: 0, y: 0, scale: 1 };
const smallest = 0.02, largest = 4;
function applyView() {
  const graph = model.graphs[state.graph];
  // Keeps a part of the drawing visible.
  const room = { x: canvas.clientWidth, y: canvas.clientHeight };
  view.x = Math.min(room.x - 60, Math.max(60 - graph.width * view.scale, view.x));
  view.y = Math.min(room.y - 60, Math.max(60 - graph.height * view.scale, view.y));
  world.style.transform = "translate(" + view.x + "px, " + view.y + "px) scale(" + view.scale + ")";
  canvas.dataset.detail = view.scale < 0.3 ? "low" : view.scale < 0.55 ? "middle" : "full";
  byId("zoom-level").textContent = Math.round(view.scale * 100) + " %";
  const frame = overviewFrame.style;
  frame.left = Math.max(0, (-view.x / view.scale) * overviewScale.x) + "px";
  frame.top = Math.max(0, (-view.y / view.scale) * overviewScale.y) + "px";
  frame.width = Math.max(4, (Math.min(graph.width, (room.x - view.x) / view.scale) - Math.max(0, -view.x / view.scale)) * overviewScale.x) + "px";
  frame.height = Math.max(4, (Math.min(graph.height, (room.y - view.y) / view.scale) - Math.max(0, -view.y / view.scale)) * overviewScale.y) + "px";
}
function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(largest, Math.max(smallest, view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  applyView();
}
function move(x, y) {
  view.x += x;
  view.y += y;
  applyView();
}
function fit() {
  const graph = model.graphs[state.graph];
  view.scale = Math.max(smallest, Math.min(1, (canvas.clientWidth - 24) / graph.width, (canvas.clientHeight - 24) / graph.height));
  view.x = (canvas.clientWidth - graph.width * view.scale) / 2;
  view.y = (canvas.clientHeight - graph.height * view.scale) / 2;
  applyView();
}
/// Fits the widest part into the window, starting at the top, but keeps it legible.
function fitWidth() {
  const graph = model.graphs[state.graph];
  view.scale = Math.min(1, Math.max(0.8, (canvas.clientWidth - 48) / graph.width));
  const first = graph.nodes[0] ?? [0, 0, graph.width, 0];
  const middle = graph.width * view.scale <= canvas.clientWidth - 24 ? graph.width / 2 : first[0] + first[2] / 2;
  view.x = canvas.clientWidth / 2 - middle * view.scale;
  view.y = 44;
  applyView();
}
function naturalSize() { zoom(1 / view.scale); }

/// Scrolls a node into view, and centers it if it was outside.
function reveal(node, always) {
  const [x, y, width, height] = model.graphs[state.graph].nodes[node];
  const scale = view.scale < 0.5 && always ? 0.9 : view.scale;
  const left = view.x + x * scale, top = view.y + y * scale;
  const isInside = scale === view.scale && left > 60 && top > 60 && left + width * scale < canvas.clientWidth - 60 && top + height * scale < canvas.clientHeight - 60;
  if (isInside) return;
  view.scale = scale;
  view.x = canvas.clientWidth / 2 - (x + width / 2) * scale;
  view.y = canvas.clientHeight / 2 - (y + height / 2) * scale;
  applyView();
}

// MARK: Wheel and pointer

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const step = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  if (event.shiftKey) return move(-(event.deltaX + event.deltaY) * step, 0);
  if (event.altKey) return move(0, -event.deltaY * step);
  const bounds = canvas.getBoundingClientRect();
  // A pinch on a touchpad arrives as small wheel steps with the control key.
  zoom(Math.exp(-event.deltaY * step * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX - bounds.left, event.clientY - bounds.top);
}, { passive: false });

const pointers = new Map();
let travelled = 0;
canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  if (pointers.size === 0) travelled = 0;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
canvas.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) return hoverEdge(event);
  const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
  const x = event.clientX - last.x, y = event.clientY - last.y;
  travelled += Math.abs(x) + Math.abs(y);
  // Captures the pointer only for drags, so that a click still reaches its element.
  if (travelled > 4 && !canvas.hasPointerCapture(event.pointerId)) {
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragging");
    hideTip();
  }
  if (others.length === 1) {
    const bounds = canvas.getBoundingClientRect(), other = others[0];
    const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    move(x / 2, y / 2);
    if (before > 0) zoom(after / before, (event.clientX + other.x) / 2 - bounds.left, (event.clientY + other.y) / 2 - bounds.top);
  } else if (others.length === 0 && travelled > 4) {
    move(x, y);
  }
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => {
  pointers.delete(event.pointerId);
  if (pointers.size === 0) canvas.classList.remove("dragging");
});
canvas.addEventListener("pointerleave", hideTip);
function hoverEdge(event) {
  const edge = event.target.closest?.(".edge"), box = event.target.closest?.(".node");
  if (box && showNodeTip(event, box)) return;
  if (!edge) return hideTip();
  const tensor = model.graphs[state.graph].tensors[edge.dataset.tensor];
  showTip(event, tensor.name || "(no name)", shapeText(tensor.shape) + " " + tensor.type, ...(tensor.quantization ? [quantizationText(tensor)] : []), ...edgeTip(Number(edge.dataset.tensor)));
}
canvas.addEventListener("click", (event) => {
  // The end of a drag isn't a selection. A key press has no travel.
  if (event.detail > 0 && travelled > 4) return;
  const box = event.target.closest(".node"), edge = event.target.closest(".edge");
  if (box?.dataset.op !== undefined) go({ op: Number(box.dataset.op), tensor: null });
  else if (box) go({ op: null, tensor: Number(box.dataset.tensor) });
  else if (edge) go({ op: null, tensor: Number(edge.dataset.tensor) });
  else go({ op: null, tensor: null });
});
canvas.addEventListener("dblclick", (event) => {
  const bounds = canvas.getBoundingClientRect();
  if (!event.target.closest(".node")) zoom(1.8, event.clientX - bounds.left, event.clientY - bounds.top);
});
for (const name of ["pointerdown", "pointermove"]) overview.addEventListener(name, (event) => {
  if (event.buttons !== 1) return;
  const bounds = overviewCanvas.getBoundingClientRect();
  overview.setPointerCapture(event.pointerId);
  view.x = canvas.clientWidth / 2 - ((event.clientX - bounds.left) / overviewScale.x) * view.scale;
  view.y = canvas.clientHeight / 2 - ((event.clientY - bounds.top) / overviewScale.y) * view.scale;
  applyView();
});

// MARK: Keys and buttons

for (const [id, action] of [["zoom-in", () => zoom(1.3)], ["zoom-out", () => zoom(1 / 1.3)], ["zoom-one", naturalSize], ["zoom-width", fitWidth], ["zoom-fit", fit]]) byId(id).addEventListener("click", action);
canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const node = document.activeElement?.dataset?.node;
  const page = canvas.clientHeight * 0.8;
  const actions = {
    "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: naturalSize, f: fit, w: fitWidth,
    PageUp: () => move(0, page), PageDown: () => move(0, -page), Home: fitWidth,
    ArrowUp: () => (node !== undefined ? step(Number(node), "up") : move(0, 80)), ArrowDown: () => (node !== undefined ? step(Number(node), "down") : move(0, -80)),
    ArrowLeft: () => (node !== undefined ? step(Number(node), "left") : move(80, 0)), ArrowRight: () => (node !== undefined ? step(Number(node), "right") : move(-80, 0)),
  };
  if (event.key === "Enter" && node === undefined) {
    event.preventDefault();
    return focusNode(Math.max(drawn.boxes.findIndex((box) => box.tabIndex === 0), 0));
  }
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
function focusNode(node) {
  if (!drawn.boxes[node]) return;
  reveal(node, true);
  drawn.boxes[node].focus({ preventScroll: true });
}
/// Moves up and down along the edges, and left and right to the nearest neighbor.
function step(node, direction) {
  const graph = model.graphs[state.graph];
  const what = describe(graph, node);
  const [x, y, width] = graph.nodes[node];
  let candidates;
  if (direction === "up") {
    const tensors = what.operation ? what.operation.inputs.filter((tensor) => tensor >= 0) : what.end === "output" ? [what.tensor] : [];
    candidates = tensors.flatMap((tensor) => {
      const { maker } = graph.tensors[tensor];
      return maker !== null ? [nodeOfOperator(graph, maker)] : graph.inputs.includes(tensor) ? [graph.inputs.indexOf(tensor)] : [];
    });
  } else if (direction === "down") {
    const tensors = what.operation ? what.operation.outputs : what.end === "input" ? [what.tensor] : [];
    candidates = tensors.flatMap((tensor) => [
      ...graph.tensors[tensor].readers.map((reader) => nodeOfOperator(graph, reader)),
      ...(graph.outputs.includes(tensor) ? [graph.inputs.length + graph.operators.length + graph.outputs.indexOf(tensor)] : [])]);
  } else {
    candidates = graph.nodes.map((_, other) => other).filter((other) => {
      const rectangle = graph.nodes[other];
      return other !== node && Math.abs(rectangle[1] - y) < 40 && (direction === "left" ? rectangle[0] < x : rectangle[0] > x);
    });
  }
  const middle = x + width / 2;
  candidates.sort((first, second) => Math.abs(graph.nodes[first][0] + graph.nodes[first][2] / 2 - middle) - Math.abs(graph.nodes[second][0] + graph.nodes[second][2] / 2 - middle));
  if (candidates.length) focusNode(candidates[0]);
}
