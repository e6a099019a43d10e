let isExpanded = false, listed = 0;
/// The display name of a category, or else its name or index.
const nameOf = (category) => category.display_name || category.name || category.text || (category.index !== undefined && category.index !== null ? "category " + category.index : "");
/// Detected faces have no category names, so they are numbered.
function nameOfDetection(detection, index) {
  const category = detection.categories?.[0] ?? {};
  return state.task.id === "detect-faces" && !category.display_name && !category.name ? "face " + (index + 1) : nameOf(category) || "object " + (index + 1);
}
const titleOfHand = (hand) => (hand.handedness?.name ? hand.handedness.name.toLowerCase() + " hand" : "hand") + (hand.gestures?.length && !/^none$/i.test(hand.gestures[0].name) ? " · " + hand.gestures[0].name.replaceAll("_", " ") : "");

/// Shows the result of a task. Live results change at most eight times per second, so that they can be read.
function showResults(answer, isLive) {
  const now = performance.now();
  if (isLive && now - listed < 125) return;
  listed = now;
  const groups = groupsOfResult(answer);
  const outcome = outcomeOf(answer, groups);
  byId("outcome").textContent = outcome;
  announce(outcome, isLive);
  byId("photo").setAttribute("aria-label", "Input image. " + outcome);
  drawGroups(groups);
  byId("as-text").hidden = answer.lines.length === 0;
  byId("lines").textContent = answer.lines.join("\n");
  shownGroups = groups;
}
let shownGroups = [];
function clearResults(text) {
  shownGroups = [];
  byId("outcome").textContent = text;
  byId("results").replaceChildren();
  byId("more").hidden = byId("as-text").hidden = true;
}
function drawGroups(groups) {
  const limit = isExpanded ? Infinity : 10;
  const hidden = groups.reduce((sum, group) => sum + Math.max(0, group.rows.length - 10), 0);
  byId("results").replaceChildren(...groups.map((group) => el("div", { class: "group" }, group.title ? el("h3", {}, group.title) : null,
    el("ul", { class: "rows" }, ...group.rows.slice(0, limit).map(rowElement)))));
  byId("more").hidden = hidden === 0;
  byId("more").textContent = isExpanded ? "Show less" : "Show " + count(hidden) + " more";
}
/// A row has a name, and may have a share from 0 to 1 as a bar, a value as text, a note, and the color of its drawing.
function rowElement({ name, share, value, note, color }) {
  const hasBar = Number.isFinite(share);
  return el("li", { class: "row" },
    el("span", { class: "row-name" }, color === undefined ? null : dot(((color % 8) + 8) % 8), named(name)),
    el("span", { class: "row-value" }, value ?? (hasBar ? percent(share) : "")),
    hasBar ? el("span", { class: "row-bar", "aria-hidden": "true" }, el("span", { style: { "width": Math.max(0, Math.min(1, share)) * 100 + "%" } })) : null,
    note ? el("span", { class: "row-note muted" }, note) : null);
}

/// Turns the forms of results into groups of rows.
function groupsOfResult({ result, masks }) {
  const names = result.labels ?? [];
  const groups = [];
  const add = (title, rows) => { if (rows.length > 0) groups.push({ title, rows }); };
  const scored = (categories) => (categories ?? []).map((category) => ({ name: nameOf(category), share: category.score }));
  if (result.detections) add("", result.detections.map((detection, index) => ({ name: nameOfDetection(detection, index), share: detection.categories?.[0]?.score, note: boxText(detection.box), color: index })));
  if (result.objects) add("", result.objects.map((object) => ({ name: "#" + object.tracking_id + (object.labels?.[0] ? " " + object.labels[0].text : ""), share: object.labels?.[0]?.confidence, note: boxText(object.frame), color: object.tracking_id })));
  for (const head of result.classifications ?? []) add(result.classifications.length > 1 ? head.head_name || "Head " + head.head_index : "", scored(head.categories));
  for (const piece of result.results ?? []) for (const head of piece.classifications ?? []) {
    const from = piece.timestamp_ms === undefined || result.results.length < 2 ? "" : "From " + time(piece.timestamp_ms * 1000 || 0).replace(/^0 µs$/, "0 s");
    add([from, piece.classifications.length > 1 ? head.head_name : ""].filter(Boolean).join(", "), scored(head.categories).slice(0, result.results.length > 1 && !isExpanded ? 3 : undefined));
  }
  if (result.languages) add("", result.languages.map((language) => ({ name: languageName(language.code), share: language.probability })));
  if (Number.isFinite(result.cosine_similarity)) add("", [{ name: "Cosine similarity", share: result.cosine_similarity, value: result.cosine_similarity.toFixed(4) }]);
  for (const embedding of result.embeddings ?? []) {
    const values = embedding.float ?? embedding.quantized ?? [];
    add(embedding.head_name || "Embedding", [{ name: "Dimensions", value: count(values.length) }, { name: "First elements", value: "", note: values.slice(0, 8).map((value) => digits(value)).join(", ") + (values.length > 8 ? ", …" : "") }]);
  }
  (result.hands ?? []).forEach((hand, index) => {
    add("Hand " + (index + 1), [...(hand.handedness ? [{ name: hand.handedness.name, share: hand.handedness.score, note: "handedness", color: index }] : []),
      ...(hand.gestures ?? []).map((gesture) => ({ name: gesture.name.replaceAll("_", " "), share: gesture.score, note: "gesture" })), { name: "Landmarks", value: count(hand.landmarks?.length ?? 0) }]);
  });
  const faceRows = (face, color) => [{ name: "Landmarks", value: count(face.landmarks?.length ?? 0), color }, ...(face.matrix ? [{ name: "Rotation", value: rotationText(face.matrix), note: "yaw, pitch, and roll of the transformation matrix" }] : []),
    ...[...(face.blendshapes ?? [])].sort((first, second) => second.score - first.score).map((shape) => ({ name: nameOf(shape), share: shape.score }))];
  const poseRows = (pose, color) => [{ name: "Landmarks", value: count(pose.landmarks?.length ?? 0), color, note: pose.landmarks?.some((point) => point.visibility !== undefined) ? count(pose.landmarks.filter((point) => point.visibility >= 0.5).length) + " likely visible" : null }];
  (result.faces ?? []).forEach((face, index) => add("Face " + (index + 1), faceRows(face, index)));
  (result.poses ?? []).forEach((pose, index) => add("Pose " + (index + 1), poseRows(pose, index)));
  if (result.pose?.landmarks) add("Pose", poseRows(result.pose, 0));
  for (const [name, title, color] of [["left_hand", "Left hand", 1], ["right_hand", "Right hand", 2]]) if (result[name]?.landmarks) add(title, [{ name: "Landmarks", value: count(result[name].landmarks.length), color }]);
  if (result.face?.landmarks) add("Face", faceRows(result.face, 3));
  if (result.category_counts) {
    const total = result.mask_width * result.mask_height || Object.values(result.category_counts).reduce((sum, value) => sum + value, 0) || 1;
    const isCategory = masks.some((mask) => mask.kind === "category");
    add("Share of the image", Object.entries(result.category_counts).map(([index, value]) => ({ name: result.labels?.[index] ?? "category " + index, share: value / total, color: isCategory && !isBackground(result.labels?.[index]) ? Number(index) : undefined })).sort((first, second) => second.share - first.share));
  }
  if (masks.length > 0 && masks.every((mask) => mask.kind === "confidence")) add("Confidence masks", masks.flatMap((mask, index) => (masks.length > 1 && isBackground(mask.label) ? [] : [{ name: mask.label || "mask " + (index + 1), color: colorOfMask(mask, index, names), value: mask.width + " × " + mask.height }])));
  return groups;
}
const boxText = (box) => "at " + Math.round(box.x) + ", " + Math.round(box.y) + ", " + Math.round(box.width) + " × " + Math.round(box.height) + " px";
function languageName(code) {
  try {
    const name = new Intl.DisplayNames("en", { type: "language" }).of(code);
    return name === code ? code : name + " (" + code + ")";
  } catch {
    return code;
  }
}
/// The angles of a row-major matrix with 16 elements.
function rotationText(matrix) {
  const degrees = (radians) => Math.round((radians * 180) / Math.PI) + "°";
  const scale = Math.hypot(matrix[0], matrix[4], matrix[8]) || 1;
  return [Math.asin(Math.max(-1, Math.min(1, -matrix[8] / scale))), Math.atan2(matrix[9], matrix[10]), Math.atan2(matrix[4], matrix[0])].map(degrees).join(", ");
}

/// One sentence on the result.
function outcomeOf({ result, masks }, groups) {
  const best = (row) => row.name + (Number.isFinite(row.share) ? ", " + percent(row.share) : "");
  if (result.detections) return plural(result.detections.length, state.task.id === "detect-faces" ? "face" : "object") + " detected";
  if (result.objects) return plural(result.objects.length, "object") + " tracked";
  for (const [name, one] of [["hands", "hand"], ["faces", "face"], ["poses", "pose"]]) if (result[name]) return plural(result[name].length, one) + " detected";
  if (Number.isFinite(result.cosine_similarity)) return "Similarity " + result.cosine_similarity.toFixed(3);
  if (result.embeddings) return plural(result.embeddings.length, "embedding");
  if ("pose" in result || "face" in result) return "Detected: " + (groups.map((group) => group.title.toLowerCase()).join(", ") || "nothing");
  if (result.category_counts) return plural(Object.keys(result.category_counts).length, "category", "categories") + " in the mask";
  if (masks.length > 0) return plural(masks.length, "mask");
  const rows = groups[0]?.rows ?? [];
  return rows.length > 0 ? best(rows[0]) : "No result above the thresholds";
}
