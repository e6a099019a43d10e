import Foundation
import SwiftletJSON
import SwiftletReports
import SwiftletVision

/// The page of the demo: the results of each task, with images and audio files in the same directory.
struct DemoPage {
  var facts: DemoFacts
  var sections: [DemoSection]
  var tracking: DemoTracking
  var sounds: DemoSounds
  var sentences: ScoredExamples
  var models: DemoModels

  var page: HTMLPage {
    HTMLPage(
      title: "Swiftlet demo", style: Self.style, body: body, script: Self.script,
      data: .object([
        "frames": .strings(tracking.frames), "captions": .strings(tracking.captions),
        "frames_per_second": .double(DemoTracking.framesPerSecond),
      ]), showsImagesBesideIt: true, playsSoundsBesideIt: true)
  }

  private var body: String {
    """
    <header class="top">
    <div>
    <h1>Swiftlet demo</h1>
    <p class="muted">Tasks on images, a video, sounds and sentences that were made just now, with the program's own models.</p>
    </div>
    <nav aria-label="Tasks">\(links)</nav>
    </header>
    <main>
    <section class="card" aria-label="This run"><dl class="facts">\(facts.entries.map { "<div><dt>\(escaped($0.name))</dt><dd>\(escaped($0.value))</dd></div>" }.joined())</dl></section>
    \(sections.map(section).joined(separator: "\n"))
    \(trackingSection)
    \(soundsSection)
    \(sentencesSection)
    \(modelSections)
    \(timesSection)
    <footer class="muted">
    <p>\(escaped(facts.note))</p>
    <p>The same again: <code>\(escaped(facts.command))</code>. The images as they were drawn are in <code>\(DemoImages.folder)/</code>.</p>
    <p>To try the tasks on your own images, camera, audio, and text, run <code>swiftlet studio</code>.</p>
    </footer>
    </main>
    """
  }

  private var links: String {
    let tasks = sections.map { (id: $0.task, title: $0.title) }
    let others = [("track", "Tracking"), (sounds.scored.task, sounds.scored.title), (sentences.task, sentences.title)]
    let bundles = models.sections.enumerated().map { (Self.id(ofModel: $0), $1.title) }
    return (tasks + others + bundles + [("times", "Times")]).map { id, title in
      "<a class=\"button\" href=\"#\(id)\">\(escaped(title))</a>"
    }.joined(separator: "\n")
  }

  func escaped(_ text: String) -> String { HTMLPage.escaped(text) }

  // MARK: Parts of every section

  /// Returns the title, a summary, and the latency.
  func head(_ summary: String, _ times: DemoTimes) -> String {
    """
    <div class="head"><div><h2>\(escaped(times.title))</h2><p class="muted">\(escaped(summary))</p></div>
    <p class="time"><strong>\(milliseconds(times.medianLatency))</strong> ms <span class="muted">a \(times.unit)</span></p></div>
    """
  }

  /// Returns the model, and the command that reproduces a result.
  func again(_ model: String, _ command: String) -> String {
    "<p class=\"again muted\">\(escaped(model)) · <code>\(escaped(command))</code></p>"
  }

  /// Returns an image with its caption, which is markup.
  func figure(_ file: String, alt: String, caption: String) -> String {
    """
    <figure><a href="\(escaped(file))"><img src="\(escaped(file))" alt="\(escaped(alt))" decoding="async"></a>
    <figcaption>\(caption)</figcaption></figure>
    """
  }

  func chip(_ agreement: DemoAgreement) -> String {
    "<span class=\"chip \(agreement.isFull ? "good" : "warn")\">\(escaped(agreement.verdict))</span>"
  }

  func milliseconds(_ value: Double) -> String {
    String(format: value < 1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value)
  }

  /// Returns an image's name without directory and extension.
  static func name(_ file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return String(name.split(separator: ".").first ?? "")
  }

  /// Returns the ID of a model's section, for URLs.
  static func id(ofModel index: Int) -> String { "model-\(index + 1)" }
}

// Audio and text examples.
extension DemoPage {
  private static let shownScores = 3

  var soundsSection: String {
    let figures = zip(sounds.scored.examples, sounds.figures).map { example, figure in
      """
      <figure>
      <svg class="wave" viewBox="0 0 \(Waveform.width) \(Waveform.height)" preserveAspectRatio="none" aria-hidden="true"><path d="\(figure.waveform.path)"/></svg>
      <img class="spectrogram" src="\(escaped(figure.spectrogram))" alt="Pitches of \(escaped(example.expected)) over a second" decoding="async">
      <figcaption>\(escaped(example.expected)) \(chip(example.agreement))</figcaption>
      \(scores(example.scores))
      <audio controls preload="none" src="\(escaped(example.subject))" aria-label="\(escaped(example.expected))"></audio>
      </figure>
      """
    }
    return """
      <section class="card task" id="\(sounds.scored.task)">
      \(head(sounds.scored.summary, sounds.scored.times))
      <div class="figures sounds">\(figures.joined())</div>
      \(again(sounds.scored.model.fileName, sounds.scored.command))
      </section>
      """
  }

  var sentencesSection: String {
    let rows = sentences.examples.map { example in
      """
      <li><p class="sentence">\(escaped(example.subject))</p><p>\(chip(example.agreement)) \
      <span class="muted">made as \(escaped(example.expected))</span></p>\(scores(example.scores))</li>
      """
    }
    return """
      <section class="card task" id="\(sentences.task)">
      \(head(sentences.summary, sentences.times))
      <ul class="sentences">\(rows.joined())</ul>
      \(again(sentences.model.fileName, sentences.command))
      </section>
      """
  }

  /// Returns the best categories, each with a bar proportional to its score.
  private func scores(_ categories: [ResultCategory]) -> String {
    let items = categories.prefix(Self.shownScores).map { category in
      """
      <li style="--share: \(Int(max(0, min(1, category.score)) * 100))%"><span>\(escaped(category.name))</span>\
      <span class="number">\(category.scoreText(digits: 2))</span></li>
      """
    }
    return "<ol class=\"scores\">\(items.joined())</ol>"
  }
}

// Third-party models on images, and the latency of all tasks.
extension DemoPage {
  var modelSections: String {
    guard models.isWanted else { return "" }
    return models.sections.enumerated().map { modelSection($1, index: $0) }.joined(separator: "\n") + leftOut
  }

  private func modelSection(_ section: DemoModelSection, index: Int) -> String {
    let figures = section.rows.map { row in
      figure(
        row.annotated, alt: Self.name(row.image) + ": " + (row.found.first ?? "nothing"),
        caption: "<span>\(escaped(Self.name(row.image)))</span>")
    }
    let rows = section.rows.map { row in
      let found = row.found.isEmpty ? "nothing" : row.found.map(escaped).joined(separator: "<br>")
      return """
        <tr><td>\(escaped(Self.name(row.image)))</td><td>\(found)</td><td class="number">\(milliseconds(row.latency.median))</td>\
        <td class="number">\(row.latency.count)</td></tr>
        """
    }
    return """
      <section class="card task" id="\(Self.id(ofModel: index))">
      \(head(section.summary, section.times))
      <div class="figures photographs">\(figures.joined())</div>
      <div class="scroll"><table class="stacked found">
      <thead><tr><th>Image</th><th>Found</th><th class="number">ms</th><th class="number">Calls</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      \(again(section.model.name, section.command))
      </section>
      """
  }

  /// The models and images that are left out, with the reasons.
  private var leftOut: String {
    guard !models.left.isEmpty else { return "" }
    let items = models.left.map { "<li><code>\(escaped($0.file))</code>: \(escaped($0.reason))</li>" }
    return """
      <section class="card task" id="left-out"><h2>Left out</h2>
      <ul class="left-out">\(items.joined())</ul></section>
      """
  }

  var timesSection: String {
    let all =
      sections.map(\.times) + [tracking.times, sounds.scored.times, sentences.times] + models.sections.map(\.times)
    let rows = all.map { times in
      """
      <tr><td>\(escaped(times.title))</td><td>\(escaped(Self.fileName(times.model)))</td><td>\(times.unit)</td>\
      <td class="number">\(milliseconds(times.medianLatency))</td><td class="number">\(milliseconds(times.fastest))</td>\
      <td class="number">\(milliseconds(times.slow))</td><td class="number">\(times.callCount)</td>\
      <td class="number">\(facts.runtime.threads)</td></tr>
      """
    }
    return """
      <section class="card task" id="times"><div class="head"><div><h2>Times</h2>
      <p class="muted">Of a call, in milliseconds: from the decoded image, the samples or the text to the result. The first call of each is not counted.</p></div></div>
      <div class="scroll"><table class="times">
      <thead><tr><th>Task</th><th>Model</th><th>A call takes a</th><th class="number">Median</th><th class="number">Fastest</th>\
      <th class="number">9 of 10 within</th><th class="number">Calls</th><th class="number">Threads</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div></section>
      """
  }

  /// Returns a file's name without its directory.
  private static func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

// The tasks on synthetic images, and tracking.
extension DemoPage {
  func section(_ section: DemoSection) -> String {
    let figures = section.rows.map { row in
      figure(
        row.annotated, alt: Self.name(row.image) + ": " + row.found,
        caption: escaped(Self.name(row.image)) + " " + chip(row.agreement))
    }
    let rows = section.rows.map { row in
      """
      <tr><td><a href="\(escaped(row.image))">\(escaped(Self.name(row.image)))</a></td><td>\(escaped(row.expected))</td>\
      <td>\(escaped(row.found))</td><td>\(escaped(row.agreement.text))</td><td class="number">\(milliseconds(row.latency.median))</td>\
      <td class="number">\(row.latency.count)</td></tr>
      """
    }
    return """
      <section class="card task" id="\(section.task)">
      \(head(section.summary, section.times))
      <div class="figures">\(figures.joined())</div>
      \(section.similarities.map(matrix) ?? "")
      <div class="scroll"><table class="stacked drawn">
      <thead><tr><th>Image</th><th>Drawn</th><th>Found</th><th>Compared</th><th class="number">ms</th><th class="number">Calls</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      \(again(section.model.fileName, section.command))
      </section>
      """
  }

  /// Returns the similarities as a table; a darker cell is more similar.
  private func matrix(_ similarities: DemoSection.Similarities) -> String {
    let head = similarities.names.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = zip(similarities.names, similarities.values).map { name, values in
      let cells = values.map { value in
        "<td class=\"number\" style=\"--share: \(Int(max(0, min(1, value)) * 100))%\">\(String(format: "%.2f", value))</td>"
      }
      return "<tr><th scope=\"row\">\(escaped(name))</th>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll"><table class="matrix"><caption class="muted">Cosine of the angle between the vectors of two images</caption>
      <thead><tr><td></td>\(head)</tr></thead><tbody>\(rows.joined())</tbody></table></div>
      """
  }

  var trackingSection: String {
    let last = max(0, tracking.frames.count - 1)
    return """
      <section class="card task" id="track">
      \(head("Each object keeps its number and color from frame to frame; the line is where it was.", tracking.times))
      <div class="player">
      <img id="frame" src="\(escaped(tracking.frames.first ?? ""))" alt="A frame of the video with its objects">
      <div class="controls"><button id="play" type="button" aria-pressed="false">Play</button>
      <label class="visually-hidden" for="position">Frame</label><input id="position" type="range" min="0" max="\(last)" value="0">
      <output id="number" class="mono"></output></div>
      <p id="caption" class="muted"></p>
      </div>
      <p>\(chip(tracking.agreement)) \(escaped(tracking.agreement.detail))</p>
      <p><a href="\(DemoTracking.strip)"><img class="strip" src="\(DemoTracking.strip)" alt="Frames of the video with objects and trails" decoding="async"></a></p>
      <p class="again muted"><code>\(escaped(tracking.command))</code></p>
      </section>
      """
  }
}
