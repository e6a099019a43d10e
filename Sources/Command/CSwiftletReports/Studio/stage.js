/// The image on the stage and the answer that is drawn over it. The source is an `ImageBitmap` or a canvas.
const shown = { source: null, width: 0, height: 0, answer: null };
let isOverlayOn = true;

/// Shows the panel of the stage that fits the task and its input.
function drawStage() {
  const kind = canRun() ? kindOfTask() : "missing";
  const isPair = state.task.input === "image-pair";
  drawMissing();
  byId("texts").hidden = kind !== "text";
  byId("pair").hidden = kind !== "image" || !isPair;
  const hasSound = inputs.sound !== null || recorder.isOn;
  byId("sound").hidden = kind !== "sound" || !hasSound;
  const hasImage = live.isOn || (inputs.images[0] !== null && !isLiveOnly()) || (shown.source !== null && live.isHeld);
  byId("frame").hidden = kind !== "image" || isPair || !hasImage;
  byId("drop").hidden = !(kind === "sound" && !hasSound) && !(kind === "image" && !isPair && !hasImage);
  drawPrompt(kind, isPair);
  byId("camera").hidden = kind !== "image" || !state.task.isLive;
  byId("microphone").hidden = kind !== "sound";
  for (const id of ["show-overlay", "save"]) byId(id).hidden = byId("frame").hidden;
  byId("bar").hidden = document.querySelector(".code").hidden = kind === "missing";
  byId("stage").dataset.kind = kind;
  if (kind === "text") drawTexts();
  if (isPair && kind === "image") drawPair();
  if (kind === "sound" && hasSound) drawSound();
  drawPointHelp();
  if (!byId("frame").hidden && !live.isOn && !live.isHeld && inputs.images[0]) {
    const { bitmap } = inputs.images[0];
    if (shown.source !== bitmap) showImage(bitmap, bitmap.width, bitmap.height, null);
  }
  paint();
}
/// Names the inputs that the task takes.
function drawPrompt(kind, isPair) {
  const paste = navigator.platform.startsWith("Mac") ? "⌘V" : "Ctrl+V";
  let title = "Drop an image here", text = "or choose a file, or paste one with " + paste, button = isPair ? "Open images…" : state.task.isLive ? "Open file…" : "Open image…";
  if (kind === "sound") [title, text, button] = ["Drop a recording here", "or choose a file, or use the microphone", "Open recording…"];
  else if (kind === "text") button = "Open text…";
  else if (isLiveOnly()) [title, text, button] = ["Start the camera, or drop a video here", "Tracking follows objects from frame to frame", "Open video…"];
  byId("drop-title").textContent = title;
  byId("drop-text").textContent = text;
  byId("open-file").textContent = button;
}
function showImage(source, width, height, answer) {
  Object.assign(shown, { source, width, height, answer });
}

/// Fits the image into the stage, and draws it and the answer at the resolution of the screen.
function paint() {
  if (byId("frame").hidden || shown.source === null) return;
  const stage = byId("stage"), frame = byId("frame");
  // In narrow windows, the stage is as tall as the image needs.
  stage.style.setProperty("--ratio", (shown.height / shown.width).toFixed(3));
  const room = { width: stage.clientWidth - 24, height: stage.clientHeight - 24 };
  const scale = Math.min(room.width / shown.width, room.height / shown.height, 4);
  const width = Math.max(1, Math.round(shown.width * scale)), height = Math.max(1, Math.round(shown.height * scale));
  frame.style.width = width + "px";
  frame.style.height = height + "px";
  const density = Math.min(devicePixelRatio, 2);
  for (const canvas of [byId("photo"), byId("overlay")]) {
    const size = [Math.round(width * density), Math.round(height * density)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  }
  byId("photo").getContext("2d").drawImage(shown.source, 0, 0, byId("photo").width, byId("photo").height);
  const context = byId("overlay").getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, byId("overlay").width, byId("overlay").height);
  context.scale(density, density);
  if (shown.answer && isOverlayOn) drawOverlay(context, width, height, shown.answer);
  if (state.task.input === "image-point") drawCrosshair(context, width, height);
}

/// Saves the image at its own resolution with the result.
function saveImage() {
  if (shown.source === null) return;
  const scale = Math.max(1, Math.min(2, 1280 / shown.width));
  const canvas = el("canvas", { width: Math.round(shown.width * scale), height: Math.round(shown.height * scale) });
  const context = canvas.getContext("2d");
  context.drawImage(shown.source, 0, 0, canvas.width, canvas.height);
  if (shown.answer && isOverlayOn) drawOverlay(context, canvas.width, canvas.height, shown.answer);
  canvas.toBlob((blob) => {
    const url = URL.createObjectURL(blob);
    el("a", { href: url, download: state.task.id + ".png" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }, "image/png");
}

// MARK: Two images and texts

function drawPair() {
  byId("pair").replaceChildren(...[0, 1].map((slot) => {
    const image = inputs.images[slot];
    const title = (slot === 0 ? "First" : "Second") + " image";
    return el("button", { class: "slot", "data-slot": slot, "aria-label": title + ": " + (image?.name ?? "none") + ". Replace.", onclick: () => pickFile(slot) },
      image ? el("img", { src: image.url, alt: "" }) : el("span", { class: "slot-empty" }, "Drop an image here, or choose a file"),
      el("span", { class: "slot-name" }, el("strong", {}, title), image ? named(image.name) : null));
  }));
}
function drawTexts() {
  const box = byId("texts"), slots = slotsOfTask();
  if (box.children.length !== slots) {
    box.replaceChildren(...Array.from({ length: slots }, (_, slot) => el("label", { class: "text-slot" },
      el("span", {}, slots === 1 ? "Text" : slot === 0 ? "First text" : "Second text"),
      el("textarea", { id: "text-" + slot, placeholder: "Type or paste a text", spellcheck: "false", onfocus: () => { chosenSlot = slots === 2 ? slot : null; }, oninput: (event) => {
        inputs.texts[slot] = event.target.value;
        markSamples();
        clearTimeout(rerun);
        rerun = setTimeout(run, 250);
      } }))));
  }
  for (let slot = 0; slot < slots; slot += 1) {
    const area = byId("text-" + slot);
    if (area.value !== inputs.texts[slot]) area.value = inputs.texts[slot];
  }
}

// MARK: Point of interest

function drawPointHelp() {
  const frame = byId("frame");
  const isPoint = state.task.input === "image-point";
  frame.classList.toggle("pointed", isPoint);
  byId("point-hint").hidden = !isPoint || frame.hidden;
  if (isPoint) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "application");
    frame.setAttribute("aria-label", "Point of interest at " + percent(inputs.point.x) + " of the width and " + percent(inputs.point.y) + " of the height. Click, or move it with the arrow keys.");
  } else for (const name of ["tabindex", "role", "aria-label"]) frame.removeAttribute(name);
}
function movePoint(x, y) {
  const within = (value) => Math.min(1, Math.max(0, value));
  inputs.point = { x: within(x), y: within(y) };
  drawPointHelp();
  paint();
  clearTimeout(rerun);
  rerun = setTimeout(run, 120);
}
function drawCrosshair(context, width, height) {
  const x = inputs.point.x * width, y = inputs.point.y * height;
  for (const [color, line] of [[palette().halo, 5], [palette().accent, 2]]) {
    context.strokeStyle = color;
    context.lineWidth = line;
    context.beginPath();
    context.arc(x, y, 11, 0, 2 * Math.PI);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      context.moveTo(x + dx * 5, y + dy * 5);
      context.lineTo(x + dx * 18, y + dy * 18);
    }
    context.stroke();
  }
}
function listenForStage() {
  const frame = byId("frame");
  frame.addEventListener("click", (event) => {
    if (state.task.input !== "image-point") return;
    const bounds = frame.getBoundingClientRect();
    movePoint((event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height);
  });
  frame.addEventListener("keydown", (event) => {
    if (state.task.input !== "image-point" || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 0.1 : 0.02;
    const [x, y] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    movePoint(inputs.point.x + x, inputs.point.y + y);
  });
  frame.addEventListener("pointermove", (event) => {
    const bounds = frame.getBoundingClientRect();
    const label = labelAt((event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height);
    if (label) showTip(event, label);
    else hideTip();
  });
  frame.addEventListener("pointerleave", hideTip);
  byId("show-overlay").addEventListener("click", () => {
    isOverlayOn = !isOverlayOn;
    byId("show-overlay").setAttribute("aria-pressed", isOverlayOn);
    paint();
  });
  byId("save").addEventListener("click", saveImage);
  byId("mask").addEventListener("change", () => {
    chosenMask = byId("mask").value;
    paint();
  });
  byId("skip").addEventListener("click", () => byId("open-file").focus());
  new ResizeObserver(() => {
    paint();
    drawWave();
  }).observe(byId("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    forgetPalette();
    for (const mask of shown.answer?.masks ?? []) mask.drawing = null;
    paint();
    drawWave();
  });
}
