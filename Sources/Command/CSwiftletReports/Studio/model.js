/// The panel that shows reports on models. A report is a page of its own, and runs in a frame without access to this one.
const inspector = { files: null, view: "graph", url: null, newest: 0, cancel: null };

function inspectModel() {
  if (!canRun()) return;
  openInspector(null);
}
async function inspectFiles(files) {
  openInspector(files.slice(0, 2));
}
function openInspector(files) {
  inspector.files = files;
  inspector.view = "graph";
  if (!byId("inspector").open) byId("inspector").showModal();
  loadReport();
}
async function loadReport() {
  const mine = ++inspector.newest;
  inspector.cancel?.abort();
  inspector.cancel = new AbortController();
  const { files, view } = inspector;
  const isBench = view === "layers";
  const title = byId("inspector-title");
  title.replaceChildren(...(files === null ? [state.model.name] : files.flatMap((file, index) => (index === 0 ? [named(file.name)] : [" and ", named(file.name)]))));
  byId("show-graph").textContent = files?.length === 2 ? "Comparison" : "Graph and findings";
  byId("show-layers").disabled = files?.length === 2;
  byId("show-graph").setAttribute("aria-pressed", !isBench);
  byId("show-layers").setAttribute("aria-pressed", isBench);
  byId("report").replaceChildren();
  forgetReport();
  const status = byId("inspector-state");
  status.className = "inspector-state";
  status.textContent = isBench ? "Running the model to measure each layer…" : "Reading the model…";
  try {
    const query = files === null ? { task: state.task.id, model: state.model.id } : { name: files[0].name };
    if (files?.length === 2) Object.assign(query, { first: files[0].size, second: files[1].name });
    const content = await patientRequest(isBench ? "bench" : "inspect", {
      query, body: files && new Blob(files), type: files && "application/octet-stream", deadline: isBench ? 180000 : 60000, signal: inspector.cancel.signal,
    });
    if (mine !== inspector.newest) return;
    status.textContent = "";
    inspector.url = URL.createObjectURL(new Blob([content], { type: "text/html" }));
    const frame = el("iframe", { sandbox: "allow-scripts", title: isBench ? "Time by layer" : files?.length === 2 ? "Comparison of two models" : "Graph and findings of the model" });
    byId("report").append(frame);
    // The report fits its drawing into the frame, so the frame must have its size first.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    if (mine === inspector.newest) frame.src = inspector.url;
  } catch (error) {
    if (mine !== inspector.newest) return;
    status.className = "inspector-state note bad";
    status.textContent = error.message;
  }
}
function forgetReport() {
  if (inspector.url) URL.revokeObjectURL(inspector.url);
  inspector.url = null;
}
function listenForModels() {
  const dialog = byId("inspector"), input = byId("model-file");
  const pick = () => {
    input.value = "";
    input.click();
  };
  byId("open-model").addEventListener("click", pick);
  byId("pick-model").addEventListener("click", pick);
  input.addEventListener("change", () => { if (input.files.length > 0) inspectFiles([...input.files]); });
  byId("inspect").addEventListener("click", inspectModel);
  for (const [id, view] of [["show-graph", "graph"], ["show-layers", "layers"]]) byId(id).addEventListener("click", () => {
    inspector.view = view;
    loadReport();
  });
  byId("close-inspector").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    inspector.newest += 1;
    inspector.cancel?.abort();
    byId("report").replaceChildren();
    forgetReport();
  });
}
