/// What the tasks run on. It stays when the task changes, so that several tasks can be compared on one image.
///
/// - images: The first and the second image: `name`, `bitmap`, `url`, and either `sample` or `blob`.
/// - sound: `name`, `wave` (samples for the drawing, or null), `rate`, `url`, and either `sample` or `blob`.
const inputs = { images: [null, null], sound: null, texts: ["", ""], point: { x: 0.5, y: 0.5 } };
const kindOfTask = () => state.task.input.split("-")[0];
const slotsOfTask = () => (state.task.input.endsWith("-pair") ? 2 : 1);
/// Tracking needs frames in sequence.
const isLiveOnly = () => state.task.id === "track";

// MARK: Files

async function openFiles(files) {
  const all = [...files];
  const models = all.filter((file) => /\.(tflite|task)$/i.test(file.name));
  if (models.length > 0) return inspectFiles(models);
  const wanted = kindOfTask();
  try {
    if (all.length === 0) return;
    if (wanted === "text") return await openTexts(all);
    if (wanted === "sound") return await openSound(all[0]);
    if (all[0].type.startsWith("video/")) {
      if (state.task.isLive) return await openVideo(all[0]);
      throw new StudioError(state.task.title + " doesn't run on video. Open an image, or choose a task with a camera.", 0);
    }
    const images = [];
    for (const file of all.slice(0, slotsOfTask())) images.push(await readImage(file, file.name || "image"));
    stopLive();
    if (images.length === 2) images.forEach((image, slot) => replaceImage(slot, image));
    else replaceImage(slotsOfTask() === 2 ? nextSlot() : 0, images[0]);
    inputChanged();
  } catch (error) {
    showProblem(error.message);
  }
}
async function openTexts(files) {
  for (const [slot, file] of files.slice(0, slotsOfTask()).entries()) inputs.texts[slot] = (await file.text()).slice(0, 100000);
  inputChanged();
}

/// The slot that the file button or a drop fills: the chosen one, or else the first one that has no image of the reader.
let chosenSlot = null;
function nextSlot() {
  if (chosenSlot !== null) return chosenSlot;
  const free = inputs.images.findIndex((image) => image === null || image.sample !== undefined);
  return free < 0 ? 0 : free;
}
function replaceImage(slot, image) {
  const old = inputs.images[slot];
  if (old && !inputs.images.some((other, index) => index !== slot && other === old) && !sampleImages.has(old.sample)) {
    old.bitmap.close();
    URL.revokeObjectURL(old.url);
  }
  inputs.images[slot] = image;
}

/// Decodes an image. The API takes PNG and JPEG, so the bytes of other formats are replaced by a PNG.
async function readImage(blob, name) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(blob);
  } catch {
    throw new StudioError("The browser cannot decode '" + name + "'. Open a PNG, JPEG, or WebP image.", 0);
  }
  const start = new Uint8Array(await blob.slice(0, 3).arrayBuffer());
  const isJPEG = start[0] === 0xff && start[1] === 0xd8, isPNG = start[0] === 0x89 && start[1] === 0x50;
  let content = blob;
  if (!isJPEG && !isPNG) {
    const canvas = el("canvas", { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    content = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }
  return { name, bitmap, blob: content, type: isJPEG ? "image/jpeg" : "image/png", url: URL.createObjectURL(content) };
}

// MARK: Samples

const sampleImages = new Map();
async function readSample(sample) {
  if (sampleImages.has(sample.id)) return sampleImages.get(sample.id);
  const content = new Blob([await patientRequest("sample", { method: "GET", query: { id: sample.id } })]);
  const image = sample.kind === "image" ? await readImage(content, sample.name) : await readSound(content, sample.name);
  image.sample = sample.id;
  sampleImages.set(sample.id, image);
  return image;
}
const samplesOfTask = () => data.samples.filter((sample) => sample.tasks.includes(state.task.id) && sample.kind === kindOfTask());

/// Counts changes of the sample row, so that a slow thumbnail of an earlier task isn't added.
let sampleRow = 0;
async function drawSamples() {
  const mine = ++sampleRow;
  const row = byId("samples");
  const samples = canRun() && !isLiveOnly() ? samplesOfTask() : [];
  row.hidden = samples.length === 0;
  const buttons = samples.map((sample) => {
    const title = (sample.text ?? sample.name).replaceAll("\0", " / ");
    const properties = { class: "sample of-" + sample.kind, title, "aria-label": "Sample: " + title, "data-sample": sample.id };
    return el("button", { ...properties, onclick: () => chooseSample(sample) }, sample.kind === "image" ? null : el("span", {}, title));
  });
  row.replaceChildren(el("span", { class: "muted" }, "Samples"), ...buttons);
  markSamples();
  for (const [index, sample] of samples.entries()) {
    if (sample.kind !== "image") continue;
    try {
      const image = await readSample(sample);
      if (mine !== sampleRow) return;
      buttons[index].replaceChildren(el("img", { src: image.url, alt: "" }));
    } catch {
      buttons[index].replaceChildren(el("span", {}, sample.name));
    }
  }
}
function markSamples() {
  const shown = kindOfTask() === "image" ? inputs.images.slice(0, slotsOfTask()).map((image) => image?.sample) : [inputs.sound?.sample];
  for (const button of byId("samples").querySelectorAll("button")) {
    const sample = data.samples.find((each) => String(each.id) === button.dataset.sample);
    button.setAttribute("aria-pressed", sample.kind === "text" ? inputs.texts.includes(sample.text) : shown.includes(sample.id));
  }
}
/// A sample of a text pair separates the two texts by a null character.
const textsOfSample = (sample) => sample.text.split("\0");
let newestSample = 0, sampleSlot = 1;
async function chooseSample(sample) {
  const mine = ++newestSample;
  try {
    if (sample.kind === "text") {
      const texts = textsOfSample(sample);
      if (slotsOfTask() === 2 && texts.length === 2) inputs.texts = texts;
      else inputs.texts[slotsOfTask() === 2 ? chosenSlot ?? 0 : 0] = sample.text;
    } else {
      const input = await readSample(sample);
      if (mine !== newestSample) return;
      stopLive();
      if (sample.kind === "sound") inputs.sound = input;
      else if (slotsOfTask() === 2) {
        // Samples fill the two slots in turn.
        sampleSlot = chosenSlot ?? 1 - sampleSlot;
        replaceImage(sampleSlot, input);
      } else replaceImage(0, input);
    }
    inputChanged();
  } catch (error) {
    if (mine === newestSample) showProblem(error.message);
  }
}

/// Fills the input with samples, unless it has an input of the reader or one of the task's samples.
async function fillWithSamples() {
  const mine = ++newestSample;
  const samples = samplesOfTask();
  const isFitting = (input) => input !== null && (input.sample === undefined || samples.some((sample) => sample.id === input.sample));
  if (!canRun() || samples.length === 0 || isLiveOnly() || live.isOn) return;
  try {
    if (kindOfTask() === "text") {
      const isBlank = (slot) => inputs.texts[slot].trim() === "";
      if (slotsOfTask() === 1 ? !isBlank(0) : !isBlank(0) && !isBlank(1)) return;
      const pair = samples.map(textsOfSample).find((texts) => texts.length === 2) ?? samples.slice(0, 2).map((sample) => sample.text);
      if (slotsOfTask() === 1) inputs.texts[0] = samples[0].text;
      else if (isBlank(0) && isBlank(1)) inputs.texts = [pair[0], pair[1] ?? ""];
      else inputs.texts[isBlank(0) ? 0 : 1] = samples.map((sample) => sample.text).find((text) => !inputs.texts.includes(text)) ?? "";
    } else if (kindOfTask() === "sound") {
      if (isFitting(inputs.sound)) return;
      const sound = await readSample(samples[0]);
      if (mine !== newestSample) return;
      inputs.sound = sound;
    } else {
      for (let slot = 0; slot < slotsOfTask(); slot += 1) {
        if (isFitting(inputs.images[slot])) continue;
        const image = await readSample(samples[slot % samples.length]);
        if (mine !== newestSample) return;
        replaceImage(slot, image);
      }
    }
    inputChanged();
  } catch (error) {
    if (mine === newestSample) showProblem(error.message);
  }
}

// MARK: Requests

/// The query and the body of a request on the current input, or null if the input isn't complete.
function requestOfInput() {
  if (live.isHeld) return requestOfHeldFrame();
  const [first, second] = inputs.images;
  switch (state.task.input) {
    case "image":
    case "image-point": {
      if (!first || isLiveOnly()) return null;
      const point = state.task.input === "image-point" ? { point: inputs.point.x.toFixed(4) + "," + inputs.point.y.toFixed(4) } : {};
      return first.sample !== undefined ? { query: { sample: first.sample, ...point } } : { query: point, body: first.blob, type: first.type };
    }
    case "image-pair":
      return first && second ? { query: { first: first.blob.size }, body: new Blob([first.blob, second.blob]), type: "application/octet-stream" } : null;
    case "sound":
      if (!inputs.sound) return null;
      return inputs.sound.sample !== undefined ? { query: { sample: inputs.sound.sample } } : { query: {}, body: inputs.sound.blob, type: "audio/wav" };
    case "text":
      return inputs.texts[0].trim() === "" ? null : { query: {}, body: inputs.texts[0], type: "text/plain" };
    case "text-pair":
      return inputs.texts.some((text) => text.trim() === "") ? null : { query: {}, body: inputs.texts.join("\0"), type: "text/plain" };
    default:
      return null;
  }
}

// MARK: Drop, paste, and buttons

const accepted = { image: "image/*", sound: "audio/*", text: "text/plain,.txt" };
function pickFile(slot = null) {
  chosenSlot = slot;
  const file = byId("file");
  file.accept = accepted[kindOfTask()] + (state.task.isLive ? ",video/*" : "");
  file.multiple = slotsOfTask() === 2 && slot === null;
  file.value = "";
  file.click();
}
function listenForInputs() {
  byId("file").addEventListener("change", () => openFiles(byId("file").files).finally(() => { chosenSlot = null; }));
  byId("open-file").addEventListener("click", () => pickFile());
  byId("drop").addEventListener("click", () => pickFile());
  // Without these, a file that is dropped next to the stage would replace the page.
  let depth = 0;
  const mark = () => document.body.classList.toggle("dropping", depth > 0);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    mark();
  });
  addEventListener("dragleave", () => {
    depth -= 1;
    mark();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    mark();
    const slot = event.target.closest?.("[data-slot]");
    chosenSlot = slot ? Number(slot.dataset.slot) : null;
    openFiles(event.dataTransfer.files).finally(() => { chosenSlot = null; });
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    openFiles(files);
  });
}
