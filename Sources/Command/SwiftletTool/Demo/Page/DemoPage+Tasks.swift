import Foundation

// The tasks on drawn pictures, and tracking.
extension DemoPage {
  func section(_ section: DemoSection) -> String {
    let figures = section.rows.map { row in
      figure(
        row.annotated, alt: Self.name(row.picture) + ": " + row.found,
        caption: escaped(Self.name(row.picture)) + " " + chip(row.agreement))
    }
    let rows = section.rows.map { row in
      """
      <tr><td><a href="\(escaped(row.picture))">\(escaped(Self.name(row.picture)))</a></td><td>\(escaped(row.expected))</td>\
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
      <thead><tr><th>Picture</th><th>Drawn</th><th>Found</th><th>Compared</th><th class="number">ms</th><th class="number">Calls</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      \(again(section.model.fileName, section.command))
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

  var trackingSection: String {
    let last = max(0, tracking.frames.count - 1)
    return """
      <section class="card task" id="track">
      \(head("Each object keeps its number and colour from frame to frame; the line is where it was.", tracking.times))
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
