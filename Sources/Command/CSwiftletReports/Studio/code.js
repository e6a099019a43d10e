let newestCode = 0, fetchingCode = null;
/// Shows the code of a task that has no input yet.
async function fetchCode() {
  const mine = ++newestCode;
  fetchingCode?.abort();
  fetchingCode = new AbortController();
  if (!canRun()) return showCode("", "");
  try {
    const { code, command } = JSON.parse(new TextDecoder().decode(await patientRequest("code", { query: queryOfSettings(), signal: fetchingCode.signal })));
    if (mine === newestCode) showCode(code, command);
  } catch (error) {
    if (mine === newestCode && error instanceof StudioError) showProblem(error.message);
  }
}
function showCode(code, command) {
  newestCode += 1;
  for (const [id, text] of [["swift", code], ["command", command]]) {
    // Keeps the reader's selection if nothing changed.
    if (byId(id).dataset.text === text) continue;
    byId(id).dataset.text = text ?? "";
    byId(id).replaceChildren(...(id === "swift" ? highlighted(text ?? "") : [text ?? ""]));
  }
}
const keywords = "import|let|var|func|for|in|if|else|guard|return|try|await|throws|struct|class|enum|switch|case|true|false|nil|as|while";
const swiftTokens = new RegExp([/(?<comment>\/\/.*)/, /(?<string>"(?:[^"\\\n]|\\.)*")/, RegExp("(?<keyword>\\b(?:" + keywords + ")\\b)"), /(?<number>\b\d[\d_.]*\b)/]
  .map((token) => token.source).join("|"), "g");
function highlighted(code) {
  const parts = [];
  let end = 0;
  for (const match of code.matchAll(swiftTokens)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    parts.push(code.slice(end, match.index), el("span", { class: "token-" + kind }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, code.slice(end)];
}
let cleared = 0;
async function copyText(text, confirmation) {
  try {
    await navigator.clipboard.writeText(text);
    confirmation.textContent = "Copied";
  } catch {
    confirmation.textContent = "The browser denies access to the clipboard";
  }
  clearTimeout(cleared);
  cleared = setTimeout(() => { confirmation.textContent = ""; }, 2500);
}
function listenForCode() {
  let view = "swift";
  const choose = makeTabs(document.querySelector(".tabs"), (name) => {
    view = name;
    choose(name);
  });
  choose(view);
  byId("copy").addEventListener("click", () => copyText(byId(view).textContent, byId("copied")));
}
