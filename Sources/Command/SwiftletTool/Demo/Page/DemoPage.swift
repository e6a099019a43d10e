import Foundation
import SwiftletJSON
import SwiftletReports

/// The page of the demonstration: what each task found, with its pictures and sounds, which lie beside it.
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
      ]), showsPicturesBesideIt: true, playsSoundsBesideIt: true)
  }

  private var body: String {
    """
    <header class="top">
    <div>
    <h1>Swiftlet demo</h1>
    <p class="muted">Tasks on pictures, a video, sounds and sentences that were made just now, with the program's own models.</p>
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
    <p>The same again: <code>\(escaped(facts.command))</code>. The pictures as they were drawn are in <code>\(DemoPictures.folder)/</code>.</p>
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

  /// The title, what it is about, and how long a call takes.
  func head(_ summary: String, _ times: DemoTimes) -> String {
    """
    <div class="head"><div><h2>\(escaped(times.title))</h2><p class="muted">\(escaped(summary))</p></div>
    <p class="time"><strong>\(milliseconds(times.medianLatency))</strong> ms <span class="muted">a \(times.unit)</span></p></div>
    """
  }

  /// The model, and how to have a result again.
  func again(_ model: String, _ command: String) -> String {
    "<p class=\"again muted\">\(escaped(model)) · <code>\(escaped(command))</code></p>"
  }

  /// A picture with its caption, which is markup.
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

  /// A picture's name without folder and ending.
  static func name(_ file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return String(name.split(separator: ".").first ?? "")
  }

  /// What a section about a model is called in addresses.
  static func id(ofModel index: Int) -> String { "model-\(index + 1)" }
}
