import Foundation
import SwiftletMeasurement

/// The speedups over the peers as horizontal bars on a logarithmic scale that start at equal speed. The result is a
/// standalone SVG image that is readable on light and dark backgrounds.
struct RatioChart {
  private struct Bar {
    var ratio: Double
    var threads: Int
  }

  private struct Row {
    var label: String
    var bars: [Bar]
  }

  private struct Section {
    var title: String
    var rows: [Row]
  }

  private let title: String
  private var sections: [Section] = []

  private static let width = 960.0
  private static let labelWidth = 380.0
  private static let barHeight = 9.0
  private static let gap = 7.0

  init(_ report: BenchmarkReport) {
    title =
      "Speed of Swiftlet against " + (report.peers.isEmpty ? "its peers" : report.peers.joined(separator: " and "))
    let groups = RatioGroup.groups(report.models)
    for name in groups.map(\.name).reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
      let means = groups.filter { $0.name == name }.map {
        String(format: "%.2f with %d thread%@", $0.mean, $0.threads, $0.threads == 1 ? "" : "s")
      }
      let members = report.models.filter { RatioGroup.name(of: $0) == name }
      let title = "\(name): geometric mean " + means.joined(separator: ", ")
      add(title, members.compactMap { item in item.ratio.map { (item.name, Bar(ratio: $0, threads: item.threads)) } })
    }
    add(
      "tasks",
      report.tasks.compactMap { item in item.ratio.map { (item.item.name, Bar(ratio: $0, threads: item.item.threads)) }
      })
    add(
      "operators", report.kernels.compactMap { item in item.ratio.map { (item.item.name, Bar(ratio: $0, threads: 1)) } }
    )
  }

  /// Adds a section with one row per label, best first.
  private mutating func add(_ title: String, _ bars: [(label: String, bar: Bar)]) {
    var rows: [Row] = []
    for (label, bar) in bars {
      if let index = rows.firstIndex(where: { $0.label == label }) {
        rows[index].bars.append(bar)
      } else {
        rows.append(Row(label: label, bars: [bar]))
      }
    }
    guard !rows.isEmpty else { return }
    sections.append(Section(title: title, rows: rows.sorted { $0.bars[0].ratio > $1.bars[0].ratio }))
  }

  // MARK: Drawing

  var svg: String {
    let ratios = sections.flatMap(\.rows).flatMap(\.bars).map(\.ratio)
    let highest = min(max(ratios.max() ?? 2, 2), 32), lowest = max(min(ratios.min() ?? 0.5, 0.5), 1 / 32)
    let plotWidth = Self.width - Self.labelWidth - 60
    func x(_ ratio: Double) -> Double {
      let share = (log2(min(max(ratio, lowest), highest)) - log2(lowest)) / (log2(highest) - log2(lowest))
      return Self.labelWidth + share * plotWidth
    }
    var y = 84.0
    var body = ""
    for section in sections {
      body += text(section.title, x: 12, y: y + 12, style: "section")
      y += 24
      for row in section.rows {
        let height = Double(row.bars.count) * Self.barHeight
        body += text(Self.shortened(row.label), x: Self.labelWidth - 8, y: y + height / 2 + 4, style: "label")
        for (index, bar) in row.bars.enumerated() {
          let top = y + Double(index) * Self.barHeight
          let from = min(x(1), x(bar.ratio)), to = max(x(1), x(bar.ratio))
          let style = (bar.ratio >= 1 ? "faster" : "slower") + (bar.threads == 1 ? " one" : "")
          body += String(
            format: "<rect class=\"%@\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", style, from, top,
            max(to - from, 0.5),
            Self.barHeight - 1)
          body += text(String(format: "%.2f", bar.ratio), x: to + 4, y: top + 7.5, style: "value")
        }
        y += height + Self.gap
      }
      y += 8
    }
    let end = y
    var grid = ""
    for exponent in Int(log2(lowest).rounded(.up))...Int(log2(highest).rounded(.down)) {
      let ratio = pow(2, Double(exponent))
      let style = exponent == 0 ? "equal" : "grid"
      grid += String(
        format: "<line class=\"%@\" x1=\"%.1f\" y1=\"76\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style, x(ratio), x(ratio), end)
      grid += text(exponent >= 0 ? "\(Int(ratio))×" : "1/\(Int(1 / ratio))", x: x(ratio), y: 70, style: "tick")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(end + 12))" role="img">
      <style>\(Self.style)</style>
      <rect class="page" width="100%" height="100%"/>
      \(text(title, x: 12, y: 26, style: "title"))\(text("Ratio of times: right of 1× Swiftlet is faster. Full color: 1 thread, pale: more.", x: 12, y: 46, style: "note"))\(grid)\(body)</svg>

      """
  }

  private static let style = """
    text{font-family:system-ui,sans-serif;font-size:11px;fill:#24292f}.title{font-size:16px;font-weight:600}.section{font-size:12px;font-weight:600}\
    .label{text-anchor:end}.tick{text-anchor:middle;fill:#57606a}.note{fill:#57606a}.value{font-size:8px;fill:#57606a}.page{fill:#ffffff}\
    .grid{stroke:#d0d7de;stroke-width:1}.equal{stroke:#24292f;stroke-width:1.5}.faster{fill:#1a7f37;opacity:.55}.slower{fill:#bc4c00;opacity:.55}.one{opacity:1}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.tick,.note,.value{fill:#9198a1}.page{fill:#0d1117}.grid{stroke:#30363d}.equal{stroke:#e6edf3}\
    .faster{fill:#3fb950}.slower{fill:#f0883e}}
    """

  private func text(_ text: String, x: Double, y: Double, style: String) -> String {
    let safe = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    return String(format: "<text class=\"%@\" x=\"%.1f\" y=\"%.1f\">", style, x, y) + safe + "</text>\n"
  }

  private static func shortened(_ label: String) -> String {
    let label = label.replacingOccurrences(of: ".tflite", with: "")
    return label.count > 60 ? "…" + label.suffix(59) : label
  }
}
