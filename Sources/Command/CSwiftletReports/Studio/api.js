/// An error with a text for the reader. The status is 0 if the server didn't answer.
class StudioError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}
const unreachable = "The server doesn't answer. Check that `swiftlet studio` is running.";

/// Sends a request, and returns the body of the answer.
///
/// - settings: `query`, `body`, `type` (of the body), `deadline` in milliseconds, and `signal` to cancel the request.
///   A canceled request throws the signal's reason.
async function request(path, { method = "POST", query = {}, body = null, type = null, deadline = 30000, signal = null } = {}) {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, deadline);
  const cancel = () => controller.abort();
  signal?.addEventListener("abort", cancel);
  try {
    signal?.throwIfAborted();
    const headers = { "X-Studio-Token": data.token };
    if (type !== null) headers["Content-Type"] = type;
    const words = new URLSearchParams(query).toString();
    const response = await fetch("/api/" + path + (words === "" ? "" : "?" + words), { method, headers, body, signal: controller.signal, cache: "no-store" });
    const content = await response.arrayBuffer();
    if (!response.ok) throw new StudioError(errorText(response.status, content), response.status);
    return content;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof StudioError) throw error;
    if (isLate) throw new StudioError("The server didn't answer within " + time(deadline * 1000) + ".", 0);
    throw new StudioError(unreachable, 0);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
function errorText(status, content) {
  try {
    const { error } = JSON.parse(new TextDecoder().decode(content));
    if (typeof error === "string" && error !== "") return error;
  } catch { /* The answer isn't from the API. */ }
  return status === 401 || status === 403 ? "The server refused the page's token. Open the URL that `swiftlet studio` printed." : "The server answered with status " + status + ".";
}
const pause = (duration) => new Promise((resolve) => setTimeout(resolve, duration));

/// Sends a request again while the server is busy.
async function patientRequest(path, settings) {
  const start = performance.now();
  for (;;) {
    try {
      return await request(path, settings);
    } catch (error) {
      if (error.status !== 503 || performance.now() - start > 20000) throw error;
      await pause(300);
    }
  }
}

/// Splits an answer into its line of JSON and the bytes of the masks.
function parseAnswer(content) {
  const all = new Uint8Array(content);
  const end = all.indexOf(10);
  let answer;
  try {
    answer = JSON.parse(new TextDecoder().decode(end < 0 ? all : all.subarray(0, end)));
  } catch {
    throw new StudioError("The server's answer isn't valid JSON.", 200);
  }
  const binary = end < 0 ? new Uint8Array(0) : all.subarray(end + 1);
  answer.result ??= {};
  answer.times ??= {};
  answer.lines ??= [];
  answer.masks = (answer.masks ?? []).flatMap((mask) => {
    const values = binary.subarray(mask.offset, mask.offset + mask.length);
    return values.length === mask.width * mask.height && values.length > 0 ? [{ ...mask, values }] : [];
  });
  return answer;
}

// MARK: Problems

/// Shows an error above the stage. The page goes on.
function showProblem(text) {
  const box = byId("problem");
  if (!box.hidden && box.firstChild?.textContent === text) return;
  box.hidden = false;
  box.replaceChildren(el("span", {}, text), el("button", { class: "quiet", "aria-label": "Dismiss the error", onclick: clearProblem }, "Dismiss"));
}
function clearProblem() {
  byId("problem").hidden = true;
  byId("problem").replaceChildren();
}
/// Puts a text where screen readers announce it. Live results would interrupt themselves, so they are announced rarely.
let announced = 0;
function announce(text, isRare = false) {
  if (isRare && performance.now() - announced < 4000) return;
  announced = performance.now();
  byId("announcer").textContent = text;
}
/// Shows a short state in a corner of the stage, or hides it.
function showState(text, kind = "") {
  const pill = byId("state");
  pill.hidden = text === "";
  pill.textContent = text;
  pill.className = "pill " + kind;
}
