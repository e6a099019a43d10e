/// The requests on still input. An answer is shown only if no newer request was made.
const runs = { newest: 0, isBusy: false, cancel: null };

async function run() {
  clearTimeout(rerun);
  if (!canRun()) return fetchCode();
  // The next frame uses the new settings, and earlier tracking doesn't fit them.
  if (live.isOn) return newSession();
  const mine = ++runs.newest;
  runs.cancel?.abort();
  const input = requestOfInput();
  if (input === null) {
    runs.isBusy = false;
    showState("");
    clearResults(emptyText());
    return fetchCode();
  }
  newestCode += 1;
  fetchingCode?.abort();
  runs.cancel = new AbortController();
  runs.isBusy = true;
  const { task } = state;
  // A fast answer shows no state, so that the stage doesn't flicker.
  const slow = setTimeout(() => { if (mine === runs.newest) showState("Running…"); }, 250);
  try {
    const start = performance.now();
    const content = await patientRequest("run", { query: { ...queryOfSettings(), ...input.query }, body: input.body, type: input.type, signal: runs.cancel.signal });
    const received = performance.now();
    const answer = parseAnswer(content);
    if (mine !== runs.newest || task !== state.task) return;
    clearProblem();
    if (kindOfTask() === "image" && task.input !== "image-pair") {
      const source = live.isHeld ? capture : inputs.images[0].bitmap;
      showImage(source, source.width, source.height, answer);
      paint();
    }
    showAnswer(answer, { trip: received - start, draw: performance.now() - received }, false);
  } catch (error) {
    if (mine !== runs.newest || runs.cancel.signal.aborted) return;
    showProblem(error.message);
    if (kindOfTask() === "image") {
      shown.answer = null;
      paint();
    }
    clearResults("No result: the last request failed");
    fetchCode();
  } finally {
    clearTimeout(slow);
    if (mine === runs.newest) {
      runs.isBusy = false;
      showState("");
    }
  }
}
function emptyText() {
  const isPair = slotsOfTask() === 2;
  if (kindOfTask() === "sound") return "Open a recording to see its results";
  if (kindOfTask() === "text") return isPair ? "Type two texts to compare them" : "Type a text to see its results";
  return isLiveOnly() ? "Start the camera or open a video" : isPair ? "Open two images to compare them" : "Open an image to see its results";
}
function showAnswer(answer, browserTimes, isLive) {
  drawMaskChoice(answer.masks);
  showResults(answer, isLive);
  showLatency(answer.times, browserTimes, isLive);
  if (answer.code !== undefined) showCode(answer.code, answer.command);
  document.body.dataset.answers = Number(document.body.dataset.answers ?? 0) + 1;
}

function taskChanged() {
  writeAddress();
  clearTimeout(rerun);
  runs.newest += 1;
  runs.cancel?.abort();
  runs.isBusy = false;
  clearProblem();
  showState("");
  clearLatency();
  isExpanded = false;
  if (live.isOn && (!state.task.isLive || !canRun())) stopLive();
  if (recorder.isOn && kindOfTask() !== "sound") stopRecorder();
  if (live.isHeld && !state.task.isLive) stopLive();
  chosenSlot = null;
  byId("mask").hidden = true;
  shown.answer = null;
  clearResults(canRun() ? emptyText() : "This task has no model");
  showCode("", "");
  inputChanged();
  drawSamples();
  fillWithSamples();
}
/// Shows the input, and runs the task on it.
function inputChanged() {
  drawStage();
  markSamples();
  run();
}

// MARK: Start

/// Draws the tab's icon, because the page has no files.
function drawIcon() {
  const canvas = el("canvas", { width: 32, height: 32 });
  const context = canvas.getContext("2d");
  context.fillStyle = "#0a5bc4";
  context.beginPath();
  context.roundRect(0, 0, 32, 32, 8);
  context.fill();
  context.fillStyle = "#ffffff";
  context.fill(new Path2D("M5 12c6 5 11 5 14 3L8 7c6 2 12 5 15 8 1-3 1-5 0-7 5 5 5 12 1 16-5 4-13 2-16-3 3 2 7 2 9 0-5-1-9-4-12-9z"));
  document.head.append(el("link", { rel: "icon", href: canvas.toDataURL() }));
}
byId("version").textContent = data.version;
byId("reset").addEventListener("click", resetControls);
byId("more").addEventListener("click", () => {
  isExpanded = !isExpanded;
  drawGroups(shownGroups);
});
drawIcon();
drawTasks();
listenForInputs();
listenForStage();
listenForCamera();
listenForSound();
listenForCode();
listenForModels();
addEventListener("hashchange", readAddress);
addEventListener("pagehide", () => {
  stopLive();
  stopRecorder();
});
readAddress();
document.body.dataset.ready = "true";
