let rerun = 0;
/// Runs the task again after the last of several changes.
function settingsChanged(delay = 150) {
  writeAddress();
  byId("reset").hidden = Object.keys(state.values).length === 0;
  clearTimeout(rerun);
  rerun = setTimeout(run, delay);
}
function setValue(option, text) {
  if (text === (option.default ?? "")) delete state.values[option.name];
  else state.values[option.name] = text;
  settingsChanged();
}

function drawControls() {
  const isEmpty = state.task.options.length === 0;
  byId("options").replaceChildren(...(isEmpty ? [el("p", { class: "muted" }, "This task has no options.")] : state.task.options.map(control)));
  byId("reset").hidden = Object.keys(state.values).length === 0;
}

/// Makes the control of an option: a label, inputs, the help text, and a button that restores the default.
function control(option) {
  const id = "option-" + option.name;
  const text = state.values[option.name] ?? option.default ?? "";
  const inputs = (inputsOfKind[option.kind] ?? textInputs)(option, id);
  const reset = el("button", { class: "quiet", title: "Restore the default" + (option.default === null ? "" : ", " + option.default), "aria-label": "Reset " + option.label, onclick: () => {
    for (const input of inputs) input.show(option.default ?? "");
    changed(option.default ?? "");
    inputs[0].element.focus();
  } }, "Reset");
  const changed = (value) => {
    reset.hidden = value === (option.default ?? "");
    setValue(option, value);
  };
  for (const input of inputs) {
    input.show(text);
    input.element.addEventListener("input", () => {
      const value = input.read();
      // A number that is out of range or not yet complete isn't sent.
      if (value === null) return;
      for (const other of inputs) if (other !== input) other.show(value);
      changed(value);
    });
  }
  reset.hidden = text === (option.default ?? "");
  const help = option.help ? el("p", { class: "help", id: id + "-help" }, option.help) : null;
  const main = inputs[0].element, others = inputs.slice(1).map((input) => input.element);
  if (help) main.setAttribute("aria-describedby", id + "-help");
  const head = el("div", { class: "control-head" }, el("label", { for: id }, option.label), reset, option.kind === "text" ? null : main);
  return el("div", { class: "control " + option.kind, "data-option": option.name }, head, option.kind === "text" ? main : null, ...others, help);
}

function numberInputs(option, id) {
  const { min, max } = option;
  const isInteger = option.kind === "integer";
  const number = el("input", { type: "number", id, min, max, step: isInteger ? 1 : "any", placeholder: option.default ?? "none", inputmode: isInteger ? "numeric" : "decimal" });
  const read = (input) => () => {
    if (input.value === "") return input.validity.badInput || option.default !== null ? null : "";
    return input.validity.valid ? String(Number(input.value)) : null;
  };
  const both = [{ element: number, read: read(number), show: (value) => { number.value = value; } }];
  if (Number.isFinite(min) && Number.isFinite(max)) {
    const range = el("input", { type: "range", min, max, step: option.step ?? (isInteger ? 1 : "any"), "aria-label": option.label });
    both.push({ element: range, read: read(range), show: (value) => {
      range.value = value === "" ? min : value;
      range.classList.toggle("unset", value === "");
    } });
  }
  // Leaving the field puts back the value that is in effect.
  number.addEventListener("change", () => { if (both[0].read() === null) number.value = state.values[option.name] ?? option.default ?? ""; });
  return both;
}
function flagInputs(option, id) {
  const element = el("input", { type: "checkbox", id });
  return [{ element, read: () => String(element.checked), show: (value) => { element.checked = value === "true"; } }];
}
function choiceInputs(option, id) {
  const element = el("select", { id }, option.default === null ? el("option", { value: "" }, "default") : null, ...option.choices.map((choice) => el("option", { value: choice }, choice)));
  return [{ element, read: () => element.value, show: (value) => { element.value = value; } }];
}
function textInputs(option, id) {
  const element = el("input", { type: "text", id, placeholder: option.placeholder ?? "", autocomplete: "off", spellcheck: "false" });
  return [{ element, read: () => element.value, show: (value) => { element.value = value; } }];
}
const inputsOfKind = { number: numberInputs, integer: numberInputs, flag: flagInputs, choice: choiceInputs, text: textInputs };
function resetControls() {
  state.values = {};
  drawControls();
  settingsChanged(0);
  byId("options-title").focus();
}
