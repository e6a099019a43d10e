import Foundation
import SwiftletJSON
import SwiftletReports

/// The page of the demonstration: what each task found, with its pictures, which lie beside it.
struct DemoPage {
  var facts: DemoFacts
  var sections: [DemoSection]
  var tracking: DemoTracking

  var page: HTMLPage {
    HTMLPage(
      title: "Swiftlet demo", style: Self.style, body: body, script: Self.script,
      data: .object([
        "frames": .strings(tracking.frames), "captions": .strings(tracking.captions),
        "frames_per_second": .double(DemoTracking.framesPerSecond),
      ]), showsPicturesBesideIt: true)
  }

  // MARK: Markup

  private var body: String {
    """
    <header class="top">
    <div>
    <h1>Swiftlet demo</h1>
    <p class="muted">Five vision tasks and tracking, on pictures that were drawn just now, with the package's own models.</p>
    </div>
    <nav aria-label="Tasks">\(sections.map { "<a class=\"button\" href=\"#\($0.task)\">\($0.title)</a>" }.joined()) <a class="button" href="#track">Tracking</a></nav>
    </header>
    <main>
    <section class="card" aria-label="This run"><dl class="facts">\(facts.entries.map { "<div><dt>\(escaped($0.name))</dt><dd>\(escaped($0.value))</dd></div>" }.joined())</dl></section>
    \(sections.map(section).joined(separator: "\n"))
    \(trackingSection)
    <footer class="muted">
    <p>\(escaped(facts.note))</p>
    <p>The same again: <code>\(escaped(facts.command))</code>. The pictures as they were drawn are in <code>\(DemoPictures.folder)/</code>.</p>
    </footer>
    </main>
    """
  }

  private func escaped(_ text: String) -> String { HTMLPage.escaped(text) }

  private func section(_ section: DemoSection) -> String {
    let figures = section.rows.map { row in
      """
      <figure><a href="\(escaped(row.annotated))"><img src="\(escaped(row.annotated))" alt="\(escaped(Self.name(row.picture) + ": " + row.found))" loading="lazy"></a>
      <figcaption>\(escaped(Self.name(row.picture))) \(chip(row.agreement))</figcaption></figure>
      """
    }
    let rows = section.rows.map { row in
      """
      <tr><td><a href="\(escaped(row.picture))">\(escaped(Self.name(row.picture)))</a></td><td>\(escaped(row.expected))</td>\
      <td>\(escaped(row.found))</td><td>\(escaped(row.agreement.text))</td><td class="number">\(milliseconds(row.latency.median))</td></tr>
      """
    }
    return """
      <section class="card task" id="\(section.task)">
      <div class="head"><div><h2>\(section.title)</h2><p class="muted">\(escaped(section.summary))</p></div>
      <p class="time"><strong>\(milliseconds(section.medianLatency))</strong> ms <span class="muted">a picture</span></p></div>
      <div class="figures">\(figures.joined())</div>
      \(section.similarities.map(matrix) ?? "")
      <div class="scroll"><table>
      <thead><tr><th>Picture</th><th>Drawn</th><th>Found</th><th>Compared</th><th class="number">ms</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      <p class="again muted">\(escaped(section.model.fileName)) · <code>\(escaped(section.command))</code></p>
      </section>
      """
  }

  /// Every similarity as a cell, the darker the more alike.
  private func matrix(_ similarities: DemoSection.Similarities) -> String {
    let head = similarities.names.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = zip(similarities.names, similarities.values).map { name, values in
      let cells = values.map { value in
        "<td class=\"number\" style=\"--share: \(Int(max(0, min(1, value)) * 100))%\">\(String(format: "%.2f", value))</td>"
      }
      return "<tr><th scope=\"row\">\(escaped(name))</th>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll"><table class="matrix"><caption class="muted">Cosine of the angle between the vectors of two pictures</caption>
      <thead><tr><td></td>\(head)</tr></thead><tbody>\(rows.joined())</tbody></table></div>
      """
  }

  private var trackingSection: String {
    let last = max(0, tracking.frames.count - 1)
    return """
      <section class="card task" id="track">
      <div class="head"><div><h2>Tracking</h2><p class="muted">Each object keeps its number and colour from frame to frame; the line is where it was.</p></div>
      <p class="time"><strong>\(milliseconds(tracking.latency.median))</strong> ms <span class="muted">a frame</span></p></div>
      <div class="player">
      <img id="frame" src="\(escaped(tracking.frames.first ?? ""))" alt="A frame of the video with its objects">
      <div class="controls"><button id="play" type="button" aria-pressed="false">Play</button>
      <label class="visually-hidden" for="position">Frame</label><input id="position" type="range" min="0" max="\(last)" value="0">
      <output id="number" class="mono"></output></div>
      <p id="caption" class="muted"></p>
      </div>
      <p>\(chip(tracking.agreement)) \(escaped(tracking.agreement.detail))</p>
      <p><a href="\(DemoTracking.strip)"><img class="strip" src="\(DemoTracking.strip)" alt="Frames of the video with objects and trails" loading="lazy"></a></p>
      <p class="again muted"><code>\(escaped(tracking.command))</code></p>
      </section>
      """
  }

  private func chip(_ agreement: DemoAgreement) -> String {
    "<span class=\"chip \(agreement.isFull ? "good" : "warn")\">\(escaped(agreement.verdict))</span>"
  }

  private func milliseconds(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

  /// A picture's name without folder and ending.
  private static func name(_ file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return String(name.split(separator: ".").first ?? "")
  }

  // MARK: Style and script

  private static let style = """
    html { scroll-behavior: smooth; }
    .top { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: end; justify-content: space-between; max-width: 1180px; margin: 0 auto; padding: 24px 20px 12px; }
    .top h1 { font-size: 26px; }
    .top p { margin: 4px 0 0; }
    nav { display: flex; flex-wrap: wrap; gap: 6px; }
    nav a { text-decoration: none; color: var(--text); }
    main { display: grid; gap: 16px; max-width: 1180px; margin: 0 auto; padding: 0 20px 32px; }
    main > * { min-width: 0; }
    .task { display: grid; gap: 12px; scroll-margin-top: 12px; }
    .task > * { min-width: 0; }
    .task p { margin: 0; }
    .head { display: flex; flex-wrap: wrap; gap: 4px 24px; justify-content: space-between; align-items: baseline; }
    .time strong { font-size: 20px; font-variant-numeric: tabular-nums; }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(170px, 100%), 1fr)); gap: 12px; }
    figure { margin: 0; }
    figure img { display: block; width: 100%; height: auto; border-radius: 6px; background: var(--sunken); }
    figcaption { display: flex; flex-wrap: wrap; gap: 4px 8px; justify-content: space-between; padding-top: 6px; font-size: 13px; }
    .matrix { width: auto; }
    .matrix caption { text-align: left; padding-bottom: 4px; font-size: 12px; }
    .matrix td.number { background: color-mix(in srgb, var(--accent-soft) var(--share), transparent); border: 1px solid var(--line); }
    .player { display: grid; gap: 8px; justify-items: start; }
    .player img { width: min(480px, 100%); height: auto; border-radius: 6px; background: var(--sunken); }
    .controls { display: flex; gap: 10px; align-items: center; width: min(480px, 100%); }
    .controls input { flex: 1; min-width: 60px; accent-color: var(--accent); }
    .strip { display: block; max-width: 100%; height: auto; border-radius: 6px; }
    .again { font-size: 13px; overflow-wrap: anywhere; }
    footer p { margin: 0 0 4px; }
    """

  private static let script = """
    const data = JSON.parse(document.getElementById("data").textContent);
    const image = document.getElementById("frame"), button = document.getElementById("play");
    const slider = document.getElementById("position"), number = document.getElementById("number"), caption = document.getElementById("caption");
    // Held here, so that no frame is loaded twice.
    const pictures = data.frames.map((address) => { const picture = new Image(); picture.src = address; return picture; });
    let position = 0, timer = null;
    function show(index) {
      position = index;
      image.src = pictures[index].src;
      slider.value = index;
      number.textContent = (index + 1) + " / " + pictures.length;
      caption.textContent = data.captions[index] || "no objects";
    }
    function play(isPlaying) {
      clearInterval(timer);
      timer = isPlaying ? setInterval(() => show((position + 1) % pictures.length), 1000 / data.frames_per_second) : null;
      button.textContent = isPlaying ? "Pause" : "Play";
      button.setAttribute("aria-pressed", String(isPlaying));
    }
    button.addEventListener("click", () => play(timer === null));
    slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
    show(0);
    play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    document.body.dataset.ready = String(pictures.length);
    """
}
