// MARK: Names

/// The display name of a category, or else its name or index.
function nameOf(category) {
  const name = category.display_name || category.name || category.text;
  return name || (Number.isInteger(category.index) ? "category " + category.index : "");
}
/// Detected faces have no category names, so they are numbered.
function nameOfDetection(detection, index) {
  const category = detection.categories?.[0] ?? {};
  const isNamed = category.display_name || category.name;
  return state.task.id === "detect-faces" && !isNamed ? "face " + (index + 1) : nameOf(category) || "object " + (index + 1);
}
function titleOfHand({ handedness, gestures }) {
  const hand = handedness?.name ? handedness.name.toLowerCase() + " hand" : "hand";
  const gesture = gestures?.[0]?.name ?? "None";
  return gesture === "None" ? hand : hand + " · " + gesture.replaceAll("_", " ");
}
function languageName(code) {
  try {
    const name = new Intl.DisplayNames("en", { type: "language" }).of(code);
    return name === code ? code : name + " (" + code + ")";
  } catch {
    return code;
  }
}
const boxText = (box) => "at " + Math.round(box.x) + ", " + Math.round(box.y) + ", " + Math.round(box.width) + " × " + Math.round(box.height) + " px";
/// The angles of a row-major matrix with 16 elements.
function rotationText(matrix) {
  const degrees = (radians) => Math.round((radians * 180) / Math.PI) + "°";
  const scale = Math.hypot(matrix[0], matrix[4], matrix[8]) || 1;
  const yaw = Math.asin(Math.max(-1, Math.min(1, -matrix[8] / scale)));
  return [yaw, Math.atan2(matrix[9], matrix[10]), Math.atan2(matrix[4], matrix[0])].map(degrees).join(", ");
}

// MARK: Rows

const rowsOfCategories = (categories) => (categories ?? []).map((category) => ({ name: nameOf(category), share: category.score }));
function rowOfLandmarks(landmarks, color) {
  const hasVisibility = landmarks?.some((point) => point.visibility !== undefined);
  const visible = hasVisibility ? landmarks.filter((point) => point.visibility >= 0.5).length : 0;
  return { name: "Landmarks", value: count(landmarks?.length ?? 0), color, note: hasVisibility ? count(visible) + " likely visible" : null };
}
function rowsOfHand(hand, color) {
  const rows = [];
  if (hand.handedness) rows.push({ name: hand.handedness.name, share: hand.handedness.score, note: "handedness", color });
  for (const gesture of hand.gestures ?? []) rows.push({ name: gesture.name.replaceAll("_", " "), share: gesture.score, note: "gesture" });
  return [...rows, rowOfLandmarks(hand.landmarks)];
}
function rowsOfFace(face, color) {
  const rows = [rowOfLandmarks(face.landmarks, color)];
  if (face.matrix) rows.push({ name: "Rotation", value: rotationText(face.matrix), note: "yaw, pitch, and roll of the transformation matrix" });
  const shapes = [...(face.blendshapes ?? [])].sort((first, second) => second.score - first.score);
  return [...rows, ...rowsOfCategories(shapes)];
}
function rowOfDetection(detection, index) {
  return { name: nameOfDetection(detection, index), share: detection.categories?.[0]?.score, note: boxText(detection.box), color: index };
}
function rowOfTracked({ tracking_id: id, frame, labels }) {
  const label = labels?.[0];
  return { name: "#" + id + (label ? " " + label.text : ""), share: label?.confidence, note: boxText(frame), color: id };
}
function rowsOfEmbedding(embedding) {
  const values = embedding.float ?? embedding.quantized ?? [];
  const first = values.slice(0, 8).map((value) => digits(value)).join(", ") + (values.length > 8 ? ", …" : "");
  return [{ name: "Dimensions", value: count(values.length) }, { name: "First elements", value: "", note: first }];
}
function rowsOfCounts(result, masks) {
  const total = result.mask_width * result.mask_height || Object.values(result.category_counts).reduce((sum, value) => sum + value, 0) || 1;
  const isDrawn = masks.some((mask) => mask.kind === "category");
  const rows = Object.entries(result.category_counts).map(([index, value]) => {
    const label = result.labels?.[index];
    return { name: label ?? "category " + index, share: value / total, color: isDrawn && !isBackground(label) ? Number(index) : undefined };
  });
  return rows.sort((first, second) => second.share - first.share);
}
function rowsOfMasks(result, masks) {
  const rows = masks.map((mask, index) => ({
    name: titleOfMask(mask, index, masks), color: colorOfMask(mask, index, result.labels ?? []), value: mask.width + " × " + mask.height,
  }));
  return rows.filter((_, index) => masks.length === 1 || !isBackground(masks[index].label));
}

// MARK: Groups

/// Turns the forms of results into groups of rows.
function groupsOfResult({ result, masks }) {
  const groups = [];
  const add = (title, rows) => { if (rows.length > 0) groups.push({ title, rows }); };
  add("", (result.detections ?? []).map(rowOfDetection));
  add("", (result.objects ?? []).map(rowOfTracked));
  const heads = result.classifications ?? [];
  for (const head of heads) add(heads.length > 1 ? head.head_name || "Head " + head.head_index : "", rowsOfCategories(head.categories));
  addWindows(result.results ?? [], add);
  add("", (result.languages ?? []).map((language) => ({ name: languageName(language.code), share: language.probability })));
  const similarity = result.cosine_similarity;
  if (Number.isFinite(similarity)) add("", [{ name: "Cosine similarity", share: similarity, value: similarity.toFixed(4) }]);
  for (const embedding of result.embeddings ?? []) add(embedding.head_name || "Embedding", rowsOfEmbedding(embedding));
  (result.hands ?? []).forEach((hand, index) => add("Hand " + (index + 1), rowsOfHand(hand, index)));
  (result.faces ?? []).forEach((face, index) => add("Face " + (index + 1), rowsOfFace(face, index)));
  (result.poses ?? []).forEach((pose, index) => add("Pose " + (index + 1), [rowOfLandmarks(pose.landmarks, index)]));
  if (result.pose?.landmarks) add("Pose", [rowOfLandmarks(result.pose.landmarks, 0)]);
  if (result.left_hand?.landmarks) add("Left hand", [rowOfLandmarks(result.left_hand.landmarks, 1)]);
  if (result.right_hand?.landmarks) add("Right hand", [rowOfLandmarks(result.right_hand.landmarks, 2)]);
  if (result.face?.landmarks) add("Face", rowsOfFace(result.face, 3));
  if (result.category_counts) add("Share of the image", rowsOfCounts(result, masks));
  if (masks.every((mask) => mask.kind === "confidence")) add("Confidence masks", rowsOfMasks(result, masks));
  return groups;
}
/// Adds the windows of an audio file. A file with several windows shows the best three categories of each.
function addWindows(windows, add) {
  for (const window of windows) for (const head of window.classifications ?? []) {
    const from = windows.length > 1 ? "From " + ((window.timestamp_ms ?? 0) / 1000).toFixed(2) + " s" : "";
    const title = [from, window.classifications.length > 1 ? head.head_name : ""].filter((part) => part).join(", ");
    add(title, rowsOfCategories(head.categories).slice(0, windows.length > 1 ? 3 : undefined));
  }
}

/// One sentence on the result.
function outcomeOf({ result, masks }, groups) {
  if (result.detections) return plural(result.detections.length, state.task.id === "detect-faces" ? "face" : "object") + " detected";
  if (result.objects) return plural(result.objects.length, "object") + " tracked";
  for (const [name, one] of [["hands", "hand"], ["faces", "face"], ["poses", "pose"]]) if (result[name]) return plural(result[name].length, one) + " detected";
  if (Number.isFinite(result.cosine_similarity)) return "Similarity " + result.cosine_similarity.toFixed(3);
  if (result.embeddings) return plural(result.embeddings.length, "embedding");
  if ("pose" in result || "face" in result) return "Detected: " + (groups.map((group) => group.title.toLowerCase()).join(", ") || "nothing");
  const shares = result.category_counts ? rowsOfCounts(result, masks) : [];
  if (shares.length === 1) return shares[0].name + ", " + percent(shares[0].share) + " of the image";
  if (result.category_counts) return plural(Object.keys(result.category_counts).length, "category", "categories") + " in the mask";
  if (masks.length > 0) return plural(masks.length, "mask");
  const best = groups[0]?.rows[0];
  if (!best) return "No result above the thresholds";
  return best.name + (Number.isFinite(best.share) ? ", " + percent(best.share) : "");
}
