import Foundation

// Models of others on pictures, and the times of all tasks.
extension DemoPage {
  var modelSections: String {
    guard models.isWanted else { return "" }
    return models.sections.enumerated().map { modelSection($1, index: $0) }.joined(separator: "\n") + leftOut
  }

  private func modelSection(_ section: DemoModelSection, index: Int) -> String {
    let figures = section.rows.map { row in
      figure(
        row.annotated, alt: Self.name(row.picture) + ": " + (row.found.first ?? "nothing"),
        caption: "<span>\(escaped(Self.name(row.picture)))</span>")
    }
    let rows = section.rows.map { row in
      let found = row.found.isEmpty ? "nothing" : row.found.map(escaped).joined(separator: "<br>")
      return """
        <tr><td>\(escaped(Self.name(row.picture)))</td><td>\(found)</td><td class="number">\(milliseconds(row.latency.median))</td>\
        <td class="number">\(row.latency.count)</td></tr>
        """
    }
    return """
      <section class="card task" id="\(Self.id(ofModel: index))">
      \(head(section.summary, section.times))
      <div class="figures photographs">\(figures.joined())</div>
      <div class="scroll"><table class="stacked found">
      <thead><tr><th>Picture</th><th>Found</th><th class="number">ms</th><th class="number">Calls</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      \(again(section.model.name, section.command))
      </section>
      """
  }

  /// What could not be shown, and why.
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
      <p class="muted">Of a call, in milliseconds: from the decoded picture, the samples or the text to the result. The first call of each is not counted.</p></div></div>
      <div class="scroll"><table class="times">
      <thead><tr><th>Task</th><th>Model</th><th>A call takes a</th><th class="number">Median</th><th class="number">Fastest</th>\
      <th class="number">9 of 10 within</th><th class="number">Calls</th><th class="number">Threads</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div></section>
      """
  }

  /// A file's name without its folder.
  private static func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
