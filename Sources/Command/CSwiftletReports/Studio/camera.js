/// A run of the camera or a video file. One request is in flight at most, and the next one takes the newest frame.
///
/// - isHeld: Whether a video has ended and its last frame stays on the stage.
/// - latencies: Milliseconds from the capture to the drawn result, of the last 120 frames.
const live = {
  isOn: false, isHeld: false, isFile: false, isBusy: false, isWaiting: false, isFresh: false, isLost: false,
  source: null, session: "", start: 0, at: -1, frames: 0, sent: 0, base: null, latencies: [], ends: [], cancel: null, url: null, file: null,
};
const video = el("video", { playsinline: true });
video.muted = true;
const capture = el("canvas");

async function startCamera() {
  stopLive();
  const mine = (live.source = {});
  try {
    if (!navigator.mediaDevices?.getUserMedia) throw new StudioError("This browser offers the camera only to pages from localhost or HTTPS.", 0);
    const device = byId("device").value;
    const stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 }, ...(device ? { deviceId: { exact: device } } : {}) } });
    if (live.source !== mine) return stream.getTracks().forEach((track) => track.stop());
    stream.getVideoTracks()[0].addEventListener("ended", () => {
      if (video.srcObject !== stream) return;
      stopLive();
      showProblem("The camera was disconnected.");
    });
    video.srcObject = stream;
    await video.play();
    startLive(false);
    listCameras(stream.getVideoTracks()[0].getSettings().deviceId);
  } catch (error) {
    if (live.source !== mine) return;
    stopLive();
    showProblem(deviceProblem(error, "camera"));
  }
}
function deviceProblem(error, device) {
  if (error.name === "NotAllowedError") return "The browser denies access to the " + device + ". Allow it in the browser's site settings.";
  if (error.name === "NotFoundError" || error.name === "OverconstrainedError") return "The browser found no " + device + ".";
  if (error.name === "NotReadableError") return "Another program uses the " + device + ".";
  return error.message;
}
async function listCameras(current) {
  const devices = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
  byId("device").replaceChildren(...devices.map((device, index) => el("option", { value: device.deviceId }, device.label || "Camera " + (index + 1))));
  if (current) byId("device").value = current;
  byId("device").hidden = devices.length < 2 || !live.isOn || live.isFile;
}
async function openVideo(file) {
  stopLive();
  const mine = (live.source = {});
  live.url = URL.createObjectURL(file);
  live.file = file;
  video.srcObject = null;
  video.src = live.url;
  try {
    await video.play();
  } catch {
    if (live.source !== mine) return;
    stopLive();
    throw new StudioError("The browser cannot play '" + file.name + "'.", 0);
  }
  if (live.source === mine) startLive(true);
}
function startLive(isFile) {
  Object.assign(live, { isOn: true, isHeld: false, isFile, isBusy: false, isWaiting: false, isLost: false, frames: 0, sent: 0, base: null, latencies: [], ends: [] });
  clearProblem();
  newSession();
  // A result of a still image must not replace those of the frames.
  runs.newest += 1;
  runs.cancel?.abort();
  byId("camera").setAttribute("aria-pressed", !isFile);
  byId("stop").hidden = false;
  byId("again").hidden = true;
  byId("rate").hidden = false;
  byId("rate").textContent = "Starting…";
  live.isFresh = true;
  const source = live.source;
  const next = (_, details) => {
    if (!live.isOn || live.source !== source) return;
    live.frames = details?.presentedFrames ?? live.frames + 1;
    live.isFresh = true;
    sendFrame();
    onNextFrame(next);
  };
  onNextFrame(next);
  sendFrame();
  drawStage();
  markSamples();
}
const onNextFrame = (next) => (video.requestVideoFrameCallback ? video.requestVideoFrameCallback(next) : requestAnimationFrame(next));
/// Starts tracking from scratch: the server keeps the tracked objects of a session.
function newSession() {
  live.session = [...crypto.getRandomValues(new Uint8Array(8))].map((value) => value.toString(16).padStart(2, "0")).join("");
  live.start = performance.now();
  live.at = -1;
  trails.clear();
}
function stopLive() {
  const wasOn = live.isOn || live.isHeld;
  live.isOn = live.isHeld = false;
  live.source = null;
  live.cancel?.abort();
  video.pause();
  video.srcObject?.getTracks().forEach((track) => track.stop());
  video.srcObject = null;
  if (live.url) {
    URL.revokeObjectURL(live.url);
    video.removeAttribute("src");
    live.url = null;
  }
  byId("camera").setAttribute("aria-pressed", false);
  for (const id of ["stop", "again", "rate", "device"]) byId(id).hidden = true;
  if (!wasOn) return;
  showState("");
  shown.source = null;
}

async function sendFrame() {
  if (!live.isOn || live.isBusy || live.isWaiting || !live.isFresh || !canRun() || video.videoWidth === 0) return;
  const source = live.source;
  live.isBusy = true;
  live.isFresh = false;
  live.sent += 1;
  const start = performance.now();
  const scale = Math.min(1, 640 / video.videoWidth);
  const width = Math.round(video.videoWidth * scale), height = Math.round(video.videoHeight * scale);
  if (capture.width !== width || capture.height !== height) [capture.width, capture.height] = [width, height];
  capture.getContext("2d", { willReadFrequently: true }).drawImage(video, 0, 0, width, height);
  live.at = Math.max(live.at + 1, Math.round(live.isFile ? video.currentTime * 1000 : performance.now() - live.start));
  live.cancel = new AbortController();
  const session = live.session;
  try {
    // To encode, transfer, and decode a frame takes half as long as to transfer its pixels.
    const body = await new Promise((resolve) => capture.toBlob(resolve, "image/jpeg", 0.92));
    const sent = performance.now();
    const query = { ...queryOfSettings(), session, at: live.at };
    const content = await request("run", { query, body, type: "image/jpeg", deadline: 10000, signal: live.cancel.signal });
    const received = performance.now();
    if (!live.isOn || live.source !== source) return;
    // The answer to a frame with earlier settings isn't shown.
    if (session === live.session) {
      if (live.isLost) clearProblem();
      live.isLost = false;
      showState("");
      showLiveAnswer(parseAnswer(content), width, height, { start, sent, received });
    }
  } catch (error) {
    if (!live.isOn || live.source !== source || live.cancel.signal.aborted) return;
    if (error.status === 503) return retryFrame(200);
    live.isLost = true;
    showState((error.status === 0 ? "Connection lost." : "The server reports an error.") + " Trying again every second…", "bad");
    showProblem(error.message);
    // The server may have been restarted, so the old session may be unknown.
    newSession();
    showImage(capture, width, height, null);
    paint();
    retryFrame(1000);
  } finally {
    if (live.source === source) {
      live.isBusy = false;
      // Not at once, so that an answer that needs no time doesn't block the page.
      if (live.isFresh) setTimeout(sendFrame);
    }
  }
}
/// The request on the last frame of a video that has ended.
function requestOfHeldFrame() {
  newSession();
  const { width, height } = capture;
  const pixels = capture.getContext("2d").getImageData(0, 0, width, height);
  return { query: { width, height, session: live.session, at: 0 }, body: pixels.data, type: "application/octet-stream" };
}
function retryFrame(delay) {
  live.isWaiting = true;
  const { source } = live;
  setTimeout(() => {
    if (live.source !== source) return;
    live.isWaiting = false;
    live.isFresh = true;
    sendFrame();
  }, delay);
}
function showLiveAnswer(answer, width, height, { start, sent, received }) {
  extendTrails(answer);
  // The next frame may be captured before the next paint, so the drawing uses the frame of this answer.
  showImage(capture, width, height, answer);
  paint();
  const end = performance.now();
  live.latencies.push(end - start);
  live.ends.push(end);
  if (live.latencies.length > 120) live.latencies.shift();
  if (live.ends.length > 30) live.ends.shift();
  showRate();
  showAnswer(answer, { trip: received - sent, draw: end - received }, true);
}
function quantile(values, share) {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
let rated = 0;
function showRate() {
  const now = performance.now();
  if (now - rated < 250) return;
  rated = now;
  const rate = live.ends.length > 1 ? ((live.ends.length - 1) * 1000) / (live.ends.at(-1) - live.ends[0]) : 0;
  live.base ??= live.frames - live.sent;
  const dropped = Math.max(0, live.frames - live.base - live.sent);
  const box = byId("rate");
  box.dataset.sent = live.sent;
  const figures = ["p50 " + milliseconds(quantile(live.latencies, 0.5)), "p95 " + milliseconds(quantile(live.latencies, 0.95)), count(dropped) + " dropped"];
  box.replaceChildren(el("strong", {}, rate.toFixed(rate < 10 ? 1 : 0) + " frames/s"), ...figures.map((figure) => el("span", {}, figure)));
}
function listenForCamera() {
  byId("camera").addEventListener("click", () => {
    if (!live.isOn || live.isFile) return startCamera();
    stopLive();
    inputChanged();
  });
  byId("device").addEventListener("change", startCamera);
  byId("stop").addEventListener("click", () => {
    if (recorder.isOn) stopRecorder();
    stopLive();
    inputChanged();
    byId("open-file").focus();
  });
  byId("again").addEventListener("click", () => openVideo(live.file).catch((error) => showProblem(error.message)));
  video.addEventListener("ended", () => {
    // Keeps the last frame and its result.
    if (!live.isOn || !live.isFile) return;
    live.isOn = false;
    live.isHeld = true;
    byId("stop").hidden = true;
    byId("again").hidden = false;
    drawStage();
    run();
  });
}
