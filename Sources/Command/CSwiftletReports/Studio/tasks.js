/// The chosen task and model, and the texts of the options that differ from their defaults.
const state = { task: null, model: null, values: {} };
/// The model and values of the tasks that were chosen before.
const remembered = new Map();
const canRun = () => state.task !== null && state.model !== null;

function drawTasks() {
  const groups = new Map();
  for (const task of data.tasks) groups.set(task.group, [...(groups.get(task.group) ?? []), task]);
  for (const [group, tasks] of groups) {
    byId("tasks").append(el("h3", {}, group), ...tasks.map((task) => el("button", { "data-task": task.id, class: "task", onclick: () => chooseTask(task) },
      el("span", {}, task.title), task.models.length === 0 ? el("span", { class: "chip" }, "no model") : null)));
    byId("task").append(el("optgroup", { label: group }, ...tasks.map((task) => el("option", { value: task.id }, task.title + (task.models.length === 0 ? " (no model)" : "")))));
  }
  byId("task").addEventListener("change", () => chooseTask(data.tasks.find((task) => task.id === byId("task").value)));
  byId("tasks").addEventListener("keydown", (event) => {
    const buttons = [...byId("tasks").querySelectorAll("button")];
    const place = buttons.indexOf(document.activeElement);
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined || place < 0) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length].focus();
  });
  byId("model").addEventListener("change", () => {
    state.model = state.task.models.find((model) => model.id === byId("model").value);
    showModelNote();
    settingsChanged();
  });
}

function chooseTask(task, model = null, values = null) {
  if (state.task) remembered.set(state.task.id, { model: state.model, values: state.values });
  const before = remembered.get(task.id);
  state.task = task;
  state.model = model ?? before?.model ?? task.models[0] ?? null;
  state.values = values ?? before?.values ?? {};
  for (const button of byId("tasks").querySelectorAll("button")) {
    const isChosen = button.dataset.task === task.id;
    if (isChosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  byId("task").value = task.id;
  byId("title").textContent = task.title;
  byId("summary").textContent = task.summary;
  document.title = task.title + " – Swiftlet studio";
  byId("models").hidden = task.models.length === 0;
  byId("model").replaceChildren(...task.models.map((each) => el("option", { value: each.id }, each.name)));
  if (state.model) byId("model").value = state.model.id;
  showModelNote();
  drawControls();
  taskChanged();
}
function showModelNote() {
  byId("model-note").hidden = !state.model?.note;
  byId("model-note").textContent = state.model?.note ? state.model.name + ": " + state.model.note : "";
}

/// Shows how to get a model for a task that has none.
function drawMissing() {
  const box = byId("missing");
  box.hidden = state.model !== null;
  if (state.model !== null) return;
  const command = state.task.missing;
  const confirmation = el("span", { class: "muted", "aria-live": "polite" });
  box.replaceChildren(...[el("strong", {}, "This task has no model yet"),
    ...(command ? [el("p", { class: "muted" }, "Run this command, and then start `swiftlet studio` again:"),
      el("div", { class: "command" }, el("code", {}, command), el("button", { onclick: () => copyText(command, confirmation) }, "Copy"), confirmation)] : [])]);
}

// MARK: Query

/// The query that names the task, the model, and the changed options.
const queryOfSettings = () => ({ task: state.task.id, model: state.model.id, ...state.values });

function writeAddress() {
  const parts = new URLSearchParams({ task: state.task.id });
  if (state.model && state.model !== state.task.models[0]) parts.set("model", state.model.id);
  for (const [name, value] of Object.entries(state.values)) parts.set(name, value);
  history.replaceState(null, "", "#" + parts);
}
/// Chooses the task, model, and options of the URL. Ignores names that the task doesn't have.
function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const task = data.tasks.find((each) => each.id === parts.get("task")) ?? data.tasks.find((each) => each.models.length > 0) ?? data.tasks[0];
  const values = {};
  for (const option of task.options) if (parts.has(option.name) && parts.get(option.name) !== (option.default ?? "")) values[option.name] = parts.get(option.name);
  chooseTask(task, task.models.find((model) => model.id === parts.get("model")) ?? null, values);
}
