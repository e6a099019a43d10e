// MARK: Colors

let colors = null;
const forgetPalette = () => { colors = null; };
/// The page's colors for the canvas, which cannot read CSS variables.
function palette() {
  if (colors) return colors;
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue("--" + name).trim();
  const numbered = Array.from({ length: 8 }, (_, index) => value("series-" + index));
  colors = { series: numbered, plate: value("on-accent"), accent: value("accent"), halo: value("on-accent") + "b0", line: value("line-strong") };
  return colors;
}
const series = (index) => palette().series[((index % 8) + 8) % 8];
/// The red, green, and blue of a color of the form #rrggbb.
const channels = (color) => [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));

// MARK: Drawing

/// Draws the result over an image that is `width` × `height` units large.
function drawOverlay(context, width, height, answer) {
  const { result } = answer;
  const labels = [];
  const drawing = { context, width, height, unit: Math.max(1, Math.min(width, height) / 480), labels, across: answer.width || width, down: answer.height || height };
  context.lineJoin = context.lineCap = "round";
  drawMasks(drawing, answer);
  (result.detections ?? []).forEach((detection, index) => drawDetection(drawing, detection, index));
  (result.objects ?? []).forEach((object) => drawTracked(drawing, object));
  (result.hands ?? []).forEach((hand, index) => drawHand(drawing, hand, index));
  (result.faces ?? []).forEach((face, index) => drawFace(drawing, face, index));
  (result.poses ?? []).forEach((pose, index) => drawPose(drawing, pose, index));
  if (result.pose) drawPose(drawing, result.pose, 0);
  if (result.face) drawFace(drawing, result.face, 3);
  if (result.left_hand) drawSkeleton(drawing, result.left_hand.landmarks, "hand", 1);
  if (result.right_hand) drawSkeleton(drawing, result.right_hand.landmarks, "hand", 2);
  // Labels come last, so that nothing covers them.
  drawLabels(drawing);
}
/// Strokes the current path over a wide line that separates it from the image.
function strokeTwice({ context, unit }, color, line = 2.5) {
  context.strokeStyle = palette().halo;
  context.lineWidth = (line + 2.5) * unit;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = line * unit;
  context.stroke();
}
function drawBox(drawing, box, color) {
  const { context, width, height, across, down } = drawing;
  const [x, y] = [(box.x / across) * width, (box.y / down) * height];
  context.beginPath();
  context.roundRect(x, y, Math.max(1, (box.width / across) * width), Math.max(1, (box.height / down) * height), 4);
  strokeTwice(drawing, color);
  return [x, y];
}
function drawPoints({ context, unit, width, height }, points, color, radius = 3.5) {
  context.lineWidth = 1.5 * unit;
  for (const point of points) {
    const isFaint = (point.visibility ?? 1) < 0.5;
    context.beginPath();
    context.arc(point.x * width, point.y * height, radius * unit, 0, 2 * Math.PI);
    // Landmarks that are likely hidden are rings.
    context.fillStyle = isFaint ? palette().halo : color;
    context.strokeStyle = isFaint ? color : palette().plate;
    context.fill();
    context.stroke();
  }
}
function drawEdges(drawing, points, edges, color, line) {
  const { context, width, height } = drawing;
  context.beginPath();
  for (const [start, end] of edges) {
    if (!points[start] || !points[end]) continue;
    context.moveTo(points[start].x * width, points[start].y * height);
    context.lineTo(points[end].x * width, points[end].y * height);
  }
  if (line >= 1.5) return strokeTwice(drawing, color, line);
  context.strokeStyle = color;
  context.lineWidth = line * drawing.unit;
  context.stroke();
}
const edgesOfTask = (kind) => state.task.edges?.[kind] ?? [];

function drawDetection(drawing, detection, index) {
  const color = series(index);
  const [x, y] = drawBox(drawing, detection.box, color);
  if (detection.keypoints?.length) drawPoints(drawing, detection.keypoints, color, 3);
  const score = detection.categories?.[0]?.score;
  drawing.labels.push({ x, y, color, text: isolated(nameOfDetection(detection, index)) + (Number.isFinite(score) ? " " + percent(score) : "") });
}
function drawTracked(drawing, object) {
  const { context, width, height, across, down } = drawing;
  const color = series(object.tracking_id);
  const trail = trails.get(object.tracking_id) ?? [];
  if (trail.length > 1) {
    context.beginPath();
    trail.forEach((point, index) => context[index === 0 ? "moveTo" : "lineTo"](point.x * width, point.y * height));
    strokeTwice(drawing, color, 2);
  }
  const { frame } = object;
  const [x, y] = drawBox(drawing, frame, color);
  drawPoints(drawing, [{ x: (frame.x + frame.width / 2) / across, y: (frame.y + frame.height / 2) / down }], color);
  const label = object.labels?.[0];
  drawing.labels.push({ x, y, color, text: "#" + object.tracking_id + (label ? " " + isolated(label.text) + " " + percent(label.confidence) : "") });
}
function drawSkeleton(drawing, points, kind, index) {
  if (!points?.length) return;
  const color = series(index);
  drawEdges(drawing, points, edgesOfTask(kind), color, 2.5);
  drawPoints(drawing, points, color, kind === "hand" ? 3 : 3.5);
}
function drawHand(drawing, hand, index) {
  drawSkeleton(drawing, hand.landmarks, "hand", index);
  if (hand.landmarks?.length) drawing.labels.push({ ...corner(drawing, hand.landmarks), color: series(index), text: titleOfHand(hand) });
}
function drawFace(drawing, face, index) {
  const color = series(index);
  const mesh = edgesOfTask("face-mesh"), contours = edgesOfTask("face-contours");
  drawEdges(drawing, face.landmarks, mesh, color + "99", 0.7);
  drawEdges(drawing, face.landmarks, contours, color, 1.6);
  if (mesh.length === 0 && contours.length === 0) drawPoints(drawing, face.landmarks, color, 1.5);
}
function drawPose(drawing, pose, index) {
  drawSkeleton(drawing, pose.landmarks, "pose", index);
}
/// The top left corner of the box around landmarks.
const corner = ({ width, height }, points) => ({ x: Math.min(...points.map((point) => point.x)) * width, y: Math.min(...points.map((point) => point.y)) * height - 8 });

// MARK: Labels

/// A name of at most 40 characters. It is isolated, so that its writing direction doesn't reach the score.
function isolated(name) {
  const characters = [...name];
  return "\u2068" + (characters.length > 40 ? characters.slice(0, 39).join("") + "…" : name) + "\u2069";
}

/// Draws labels on plates. A plate that would cover another one moves down.
function drawLabels({ context, width, height, labels }) {
  const size = Math.round(Math.max(12, Math.min(22, width / 48)));
  context.font = "600 " + size + "px " + getComputedStyle(document.body).fontFamily;
  context.textBaseline = "middle";
  const plates = [];
  for (const { x, y, text, color, isCentered } of labels) {
    const plate = { width: Math.min(context.measureText(text).width + size, width - 4), height: size + 8 };
    const within = (value, limit) => Math.max(2, Math.min(limit - 2, value));
    plate.x = within(isCentered ? x - plate.width / 2 : x - 1, width - plate.width);
    plate.y = within(isCentered ? y - plate.height / 2 : y - plate.height - 2, height - plate.height);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const other = plates.find((each) => plate.x < each.x + each.width && each.x < plate.x + plate.width && plate.y < each.y + each.height && each.y < plate.y + plate.height);
      if (!other || other.y + other.height + 2 + plate.height > height) break;
      plate.y = other.y + other.height + 2;
    }
    plates.push(plate);
    context.fillStyle = color;
    context.strokeStyle = palette().halo;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(plate.x, plate.y, plate.width, plate.height, 4);
    context.fill();
    context.stroke();
    context.fillStyle = palette().plate;
    context.fillText(text, plate.x + size / 2, plate.y + plate.height / 2 + 1, plate.width - size);
  }
}

// MARK: Masks

function drawMasks(drawing, answer) {
  const { context, width, height, labels } = drawing;
  const names = answer.result.labels ?? [];
  answer.masks.forEach((mask, index) => {
    if (!isShown(mask, index, answer.masks)) return;
    mask.drawing ??= tinted(mask, index, names);
    context.imageSmoothingEnabled = mask.kind === "confidence";
    context.drawImage(mask.drawing, 0, 0, width, height);
    context.imageSmoothingEnabled = true;
    if (mask.kind !== "category") return;
    mask.places ??= placesOfCategories(mask);
    for (const place of mask.places) {
      const name = names[place.category] ?? "category " + place.category;
      if (!isBackground(name)) labels.push({ x: place.x * width, y: place.y * height, text: isolated(name), color: series(place.category), isCentered: true });
    }
  });
}
/// The label of the confidence mask that the reader chose, or an empty text.
let chosenMask = "";
/// Whether a mask is drawn: the chosen one, or else the category mask, or else all confidence masks but the background's,
/// which would tint everything else.
function isShown(mask, index, masks) {
  const titles = masks.map(titleOfMask);
  if (chosenMask !== "" && titles.includes(chosenMask)) return titles[index] === chosenMask;
  if (masks.some((each) => each.kind === "category")) return mask.kind === "category";
  return masks.length === 1 || !isBackground(mask.label);
}
/// The label of a confidence mask, with a number if others have the same label. The category mask has no title.
function titleOfMask(mask, index, masks) {
  if (mask.kind === "category") return "";
  const isUnique = masks.filter((each) => each.label === mask.label).length === 1;
  return mask.label && isUnique ? mask.label : (mask.label || "mask") + " " + (index + 1);
}
function drawMaskChoice(masks) {
  const select = byId("mask");
  const titles = masks.map(titleOfMask).filter((title) => title !== "");
  select.hidden = masks.length < 2 || byId("frame").hidden;
  // An open list isn't replaced by the same list.
  if (select.hidden || select.dataset.titles === titles.join("\n")) return;
  select.dataset.titles = titles.join("\n");
  select.replaceChildren(el("option", { value: "" }, "All masks"), ...titles.map((title) => el("option", { value: title }, title)));
  select.value = titles.includes(chosenMask) ? chosenMask : "";
}
const isBackground = (name) => /^_*background_*$/i.test(name ?? "");
/// The index of the color of a mask or category. A confidence mask has the color of its category.
const colorOfMask = (mask, index, names) => (names.includes(mask.label) ? names.indexOf(mask.label) : index);
/// Makes an image of a mask. Categories beyond the eighth are striped, because their colors repeat.
function tinted(mask, index, names) {
  const { width, height, values } = mask;
  const image = new ImageData(width, height);
  const tints = palette().series.map(channels);
  const isCategory = mask.kind === "category";
  // Each value has a color for the two halves of the stripes.
  const [even, odd] = [150, 90].map((alpha, half) => {
    const table = new Uint8ClampedArray(256 * 4);
    for (let value = 0; value < 256; value += 1) {
      if (isCategory && (value === 255 || isBackground(names[value]))) continue;
      const isStriped = isCategory && value >= 8 && half === 1;
      table.set([...tints[(isCategory ? value : colorOfMask(mask, index, names)) % 8], isCategory ? (isStriped ? alpha : 150) : value * 0.62], value * 4);
    }
    return new Uint32Array(table.buffer);
  });
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0, pixel = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, pixel += 1) pixels[pixel] = ((x + y) & 7) < 4 ? even[values[pixel]] : odd[values[pixel]];
  const canvas = el("canvas", { width, height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
/// For each category with at least 1 % of the mask, the pixel of the category that is closest to the category's center.
function placesOfCategories({ width, height, values }) {
  const counts = new Float64Array(256), across = new Float64Array(256), down = new Float64Array(256);
  for (let y = 0, pixel = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, pixel += 1) {
    const value = values[pixel];
    counts[value] += 1;
    across[value] += x;
    down[value] += y;
  }
  const best = new Float64Array(256).fill(Infinity), places = new Uint32Array(256);
  for (let y = 0, pixel = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, pixel += 1) {
    const value = values[pixel];
    const distance = (x - across[value] / counts[value]) ** 2 + (y - down[value] / counts[value]) ** 2;
    if (distance < best[value]) [best[value], places[value]] = [distance, pixel];
  }
  return [...counts.keys()].filter((category) => category !== 255 && counts[category] >= Math.max(1, values.length / 100))
    .map((category) => ({ category, x: ((places[category] % width) + 0.5) / width, y: (Math.floor(places[category] / width) + 0.5) / height }));
}
/// The label of the mask under a point of the image, or null.
function labelAt(x, y) {
  if (!shown.answer || !isOverlayOn || x < 0 || y < 0 || x >= 1 || y >= 1) return null;
  const at = (mask) => mask.values[Math.floor(y * mask.height) * mask.width + Math.floor(x * mask.width)];
  const mask = shown.answer.masks.find((each) => each.kind === "category");
  if (mask && chosenMask === "") return at(mask) === 255 ? null : shown.answer.result.labels?.[at(mask)] ?? "category " + at(mask);
  const sure = shown.answer.masks.filter((each) => each.label).map((each) => [each.label, at(each) / 255]).sort((first, second) => second[1] - first[1])[0];
  return sure ? sure[0] + " " + percent(sure[1]) : null;
}

// MARK: Trails

/// The centers of tracked objects in the last frames, by tracking ID.
const trails = new Map();
function extendTrails(answer) {
  const objects = answer.result.objects;
  if (!objects) return;
  for (const id of [...trails.keys()]) if (!objects.some((object) => object.tracking_id === id)) trails.delete(id);
  for (const { tracking_id: id, frame } of objects) {
    const trail = trails.get(id) ?? [];
    trail.push({ x: (frame.x + frame.width / 2) / answer.width, y: (frame.y + frame.height / 2) / answer.height });
    if (trail.length > 60) trail.shift();
    trails.set(id, trail);
  }
}
