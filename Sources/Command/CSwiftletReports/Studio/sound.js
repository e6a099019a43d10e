/// The microphone, whose sound is classified in pieces of one second.
const recorder = { isOn: false, stream: null, context: null, timer: 0, source: null };

/// Writes mono samples as a WAV file with 16 bits per sample.
function writeWave(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const write = (offset, text) => { for (let index = 0; index < text.length; index += 1) view.setUint8(offset + index, text.charCodeAt(index)); };
  write(0, "RIFF");
  view.setUint32(4, 36 + samples.length * 2, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => view.setInt16(44 + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32767), true));
  return new Blob([view], { type: "audio/wav" });
}
/// Decodes a recording. A WAV file is sent as it is, even if the browser cannot decode it.
async function readSound(blob, name) {
  const content = await blob.arrayBuffer();
  const isWave = new TextDecoder("latin1").decode(content.slice(0, 4)) === "RIFF";
  let wave = null, rate = 16000;
  try {
    const decoded = await new OfflineAudioContext(1, 1, 44100).decodeAudioData(content.slice(0));
    rate = decoded.sampleRate;
    wave = new Float32Array(decoded.length);
    for (let channel = 0; channel < decoded.numberOfChannels; channel += 1) decoded.getChannelData(channel).forEach((sample, index) => { wave[index] += sample / decoded.numberOfChannels; });
  } catch {
    if (!isWave) throw new StudioError("The browser cannot decode '" + name + "'. Open a WAV, MP3, Ogg, or AAC file.", 0);
  }
  const sent = isWave ? new Blob([content], { type: "audio/wav" }) : writeWave(wave, rate);
  return { name, wave, rate, blob: sent, url: URL.createObjectURL(sent) };
}
async function openSound(file) {
  const sound = await readSound(file, file.name || "recording");
  stopRecorder();
  if (inputs.sound && inputs.sound.sample === undefined) URL.revokeObjectURL(inputs.sound.url);
  inputs.sound = sound;
  inputChanged();
}

// MARK: Microphone

async function startRecorder() {
  stopRecorder();
  const mine = (recorder.source = {});
  try {
    if (!navigator.mediaDevices?.getUserMedia) throw new StudioError("This browser offers the microphone only to pages from localhost or HTTPS.", 0);
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    if (recorder.source !== mine) return stream.getTracks().forEach((track) => track.stop());
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 32768;
    context.createMediaStreamSource(stream).connect(analyser);
    Object.assign(recorder, { isOn: true, stream, context });
    byId("microphone").setAttribute("aria-pressed", true);
    byId("stop").hidden = false;
    clearProblem();
    const rate = context.sampleRate, latest = new Float32Array(analyser.fftSize);
    let last = context.currentTime, pieces = [];
    // The analyser node holds the last samples, and the clock of the context says how many of them are new.
    recorder.timer = setInterval(() => {
      const fresh = Math.min(latest.length, Math.round((context.currentTime - last) * rate));
      if (fresh === 0) return;
      last = context.currentTime;
      analyser.getFloatTimeDomainData(latest);
      pieces.push(...latest.subarray(latest.length - fresh));
      if (pieces.length < rate) return;
      const wave = Float32Array.from(pieces.slice(-rate));
      pieces = [];
      inputs.sound = { name: "microphone", wave, rate, blob: writeWave(wave, rate), url: null };
      drawSound();
      // While an answer is missing, the newest second waits.
      if (!runs.isBusy) run();
    }, 200);
    drawStage();
    byId("sound-name").textContent = "Listening…";
  } catch (error) {
    if (recorder.source !== mine) return;
    stopRecorder();
    showProblem(deviceProblem(error, "microphone"));
  }
}
function stopRecorder() {
  recorder.source = null;
  if (!recorder.isOn) return;
  recorder.isOn = false;
  clearInterval(recorder.timer);
  recorder.stream.getTracks().forEach((track) => track.stop());
  recorder.context.close();
  byId("microphone").setAttribute("aria-pressed", false);
  byId("stop").hidden = true;
  if (inputs.sound && !inputs.sound.url) inputs.sound.url = URL.createObjectURL(inputs.sound.blob);
  drawStage();
}

// MARK: Waveform

function drawSound() {
  const { sound } = inputs;
  const player = byId("player");
  if (recorder.isOn) byId("sound-name").textContent = "Listening… one result per second";
  else byId("sound-name").replaceChildren(named(sound.name), el("span", { class: "muted" }, sound.wave ? time((sound.wave.length / sound.rate) * 1e6) : ""));
  player.hidden = recorder.isOn || !sound?.url;
  if (sound?.url && player.getAttribute("src") !== sound.url) player.src = sound.url;
  drawWave();
}
function drawWave() {
  const canvas = byId("wave"), { sound } = inputs;
  if (byId("sound").hidden || !sound?.wave) return;
  const density = Math.min(devicePixelRatio, 2);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
  const context = canvas.getContext("2d");
  context.scale(density, density);
  context.fillStyle = palette().line;
  context.fillRect(0, height / 2 - 0.5, width, 1);
  context.fillStyle = palette().accent;
  const { wave } = sound, columns = Math.max(1, Math.floor(width / 3));
  let peak = 0.05;
  for (const sample of wave) peak = Math.max(peak, Math.abs(sample));
  for (let column = 0; column < columns; column += 1) {
    let low = 0, high = 0;
    const end = Math.floor(((column + 1) * wave.length) / columns);
    for (let index = Math.floor((column * wave.length) / columns); index < end; index += 1) [low, high] = [Math.min(low, wave[index]), Math.max(high, wave[index])];
    const size = Math.max(1.5, ((high - low) / 2 / peak) * (height - 8));
    context.fillRect(column * 3, height / 2 - ((high / peak) * (height - 8)) / 2, 2, size);
  }
}
function listenForSound() {
  byId("microphone").addEventListener("click", () => {
    if (!recorder.isOn) return startRecorder();
    stopRecorder();
  });
}
