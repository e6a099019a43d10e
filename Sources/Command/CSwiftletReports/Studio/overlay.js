// MARK: Colors

let colors = null;
const forgetPalette = () => { colors = null; };
/// The page's colors for the canvas, which cannot read CSS variables.
function palette() {
  if (colors) return colors;
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue("--" + name).trim();
  colors = { series: Array.from({ length: 8 }, (_, index) => value("series-" + index)), plate: value("on-accent"), accent: value("accent"), halo: value("on-accent") + "b0", line: value("line-strong"), muted: value("muted") };
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
  drawing.labels.push({ x, y, color, text: nameOfDetection(detection, index) + (Number.isFinite(score) ? " " + percent(score) : "") });
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
  drawing.labels.push({ x, y, color, text: "#" + object.tracking_id + (label ? " " + label.text + " " + percent(label.confidence) : "") });
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

/// Draws labels on plates. A plate that would cover another one moves down.
function drawLabels({ context, width, height, labels }) {
  const size = Math.round(Math.max(12, Math.min(22, width / 48)));
  context.font = "600 " + size + "px " + getComputedStyle(document.body).fontFamily;
  context.textBaseline = "middle";
  const plates = [];
  for (const { x, y, text, color, isCentered } of labels) {
    const short = text.length > 60 ? text.slice(0, 59) + "…" : text;
    const plate = { width: context.measureText(short).width + size, height: size + 8 };
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
    context.fillText(short, plate.x + size / 2, plate.y + plate.height / 2 + 1);
  }
}

// MARK: Masks

function drawMasks(drawing, answer) {
  const { context, width, height, labels } = drawing;
  const names = answer.result.labels ?? [];
  answer.masks.forEach((mask, index) => {
    // The mask of the background would tint everything else.
    if (mask.kind === "confidence" && answer.masks.length > 1 && isBackground(mask.label)) return;
    mask.drawing ??= tinted(mask, index, names);
    context.imageSmoothingEnabled = mask.kind === "confidence";
    context.drawImage(mask.drawing, 0, 0, width, height);
    context.imageSmoothingEnabled = true;
    if (mask.kind !== "category") return;
    mask.places ??= placesOfCategories(mask);
    for (const place of mask.places) {
      const name = names[place.category] ?? "category " + place.category;
      if (!isBackground(name)) labels.push({ x: place.x * width, y: place.y * height, text: name, color: series(place.category), isCentered: true });
    }
  });
}
const isBackground = (name) => /^_*background_*$/i.test(name ?? "");
/// Makes an image of a mask. Categories beyond the eighth are striped, because their colors repeat.
function tinted(mask, index, names) {
  const { width, height, values } = mask;
  const canvas = el("canvas", { width, height });
  const image = new ImageData(width, height);
  const tints = palette().series.map(channels);
  const isClear = names.map(isBackground);
  for (let pixel = 0; pixel < values.length; pixel += 1) {
    const value = values[pixel];
    let tint, alpha;
    if (mask.kind === "category") {
      if (value === 255 || isClear[value]) continue;
      tint = tints[value % 8];
      alpha = value >= 8 && ((pixel % width) + Math.floor(pixel / width)) % 8 < 4 ? 90 : 150;
    } else {
      tint = tints[index % 8];
      alpha = value * 0.62;
    }
    image.data.set([tint[0], tint[1], tint[2], alpha], pixel * 4);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
/// For each category with at least 1 % of the mask, the pixel of the category that is closest to the category's center.
function placesOfCategories({ width, height, values }) {
  const sums = new Map();
  for (let pixel = 0; pixel < values.length; pixel += 1) {
    if (values[pixel] === 255) continue;
    let sum = sums.get(values[pixel]);
    if (!sum) sums.set(values[pixel], (sum = { x: 0, y: 0, count: 0, best: Infinity, pixel: 0 }));
    sum.x += pixel % width;
    sum.y += Math.floor(pixel / width);
    sum.count += 1;
  }
  for (let pixel = 0; pixel < values.length; pixel += 1) {
    const sum = sums.get(values[pixel]);
    if (!sum) continue;
    const distance = (pixel % width - sum.x / sum.count) ** 2 + (Math.floor(pixel / width) - sum.y / sum.count) ** 2;
    if (distance < sum.best) [sum.best, sum.pixel] = [distance, pixel];
  }
  return [...sums].filter(([, sum]) => sum.count >= values.length / 100).map(([category, sum]) => ({ category, x: (sum.pixel % width + 0.5) / width, y: (Math.floor(sum.pixel / width) + 0.5) / height, share: sum.count / values.length }));
}
/// The label of the mask under a point of the image, or null.
function labelAt(x, y) {
  if (!shown.answer || !isOverlayOn || x < 0 || y < 0 || x >= 1 || y >= 1) return null;
  const at = (mask) => mask.values[Math.floor(y * mask.height) * mask.width + Math.floor(x * mask.width)];
  const mask = shown.answer.masks.find((each) => each.kind === "category");
  if (mask) return at(mask) === 255 ? null : shown.answer.result.labels?.[at(mask)] ?? "category " + at(mask);
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
