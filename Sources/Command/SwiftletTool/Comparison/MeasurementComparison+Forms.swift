import Foundation
import SwiftletCommandLine
import SwiftletBase
import SwiftletJSON
import SwiftletReports

// What `bench --compare` prints, and its page.
extension MeasurementComparison {
  var json: JSONValue {
    let depth = folderDepth
    return .object([
      "a": Self.json(first),
      "b": Self.json(second),
      "conditions": .array(
        conditions.map {
          .object([
            "name": .string($0.name), "a": .optional($0.first), "b": .optional($0.second),
            "differs": $0.differs.map(JSONValue.bool) ?? .null,
          ])
        }),
      "models": .array(rows.map { Self.json($0, folderDepth: depth) }),
      "geometric_mean": .optional(geometricMean),
      "only_a": .strings(onlyFirst),
      "only_b": .strings(onlySecond),
      "threshold_percent": .optional(threshold),
      "slower": .strings(tooSlow.map(\.second.model)),
    ])
  }

  private static func json(_ file: MeasurementFile) -> JSONValue {
    .object([
      "file": .string(file.path), "version": .optional(file.version), "date": .optional(file.date),
      "processor": .optional(file.processor), "cores": .optional(file.cores), "system": .optional(file.system),
    ])
  }

  private static func json(_ row: Row, folderDepth: Int) -> JSONValue {
    .object([
      "model": .string(row.second.model),
      "name": .string(row.second.model.split(separator: "/").dropFirst(folderDepth).joined(separator: "/")),
      "a": json(row.first),
      "b": json(row.second),
      "ratio": .double(row.ratio),
      "verdict": .string(row.verdict.rawValue),
    ])
  }

  private static func json(_ entry: Entry) -> JSONValue {
    .object([
      "model": .string(entry.model), "threads": .int(entry.threads), "runs": .int(entry.runCount),
      "median_ms": .double(entry.median), "low_ms": .double(entry.low), "high_ms": .double(entry.high),
      "spread": .string(entry.spread.rawValue),
    ])
  }

  /// How many folders the paths of all models of the second file begin with.
  private var folderDepth: Int {
    let folders = rows.map { $0.second.model.split(separator: "/").dropLast() }
    guard var common = folders.first else { return 0 }
    for folder in folders.dropFirst() {
      common = common.prefix(zip(common, folder).prefix { $0 == $1 }.count)
    }
    return common.count
  }

  var page: HTMLPage {
    ComparisonPage.ofMeasurements(
      URL(fileURLWithPath: first.path).lastPathComponent, URL(fileURLWithPath: second.path).lastPathComponent, json)
  }

  /// Why the check did not hold, in one line; `nil` when it did, or there was none.
  var failure: String? {
    guard let threshold, !tooSlow.isEmpty else { return nil }
    let shown = tooSlow.prefix(5).map { "\($0.second.model) by \(Self.percent($0.slowdown))" }
    let rest = tooSlow.count > shown.count ? ", and \(tooSlow.count - shown.count) more" : ""
    return "\(second.path): slower than \(first.path) by more than \(Self.percent(threshold)): "
      + shown.joined(separator: ", ") + rest
  }

  var text: String {
    var text = "A: \(Self.title(first))\nB: \(Self.title(second))\n"
    text += conditionLines
    if rows.isEmpty {
      text += "no model is in both files\n"
    } else {
      text += TextTable([.left, .right, .right, .right, .right, .right]).text(
        [["model", "A ms", "B ms", "B ÷ A", "spread A", "spread B", ""]] + rows.map(Self.cells))
    }
    if let geometricMean {
      text +=
        "geometric mean of B ÷ A: \(Self.ratio(geometricMean)) of \(rows.count) models; below 1 B is faster. "
        + "A difference counts where the spreads do not overlap.\n"
    }
    for row in doubtful {
      text +=
        "\(row.second.model.shown): slower by \(Self.percent(row.slowdown)), but within the noise; measure more runs\n"
    }
    for (name, models) in [("A", onlyFirst), ("B", onlySecond)] where !models.isEmpty {
      text += "only in \(name): " + models.map(\.shown).joined(separator: ", ") + "\n"
    }
    return text
  }

  /// What differs first, then what one file does not say, then what is the same.
  private var conditionLines: String {
    func line(_ word: String, _ parts: [String]) -> String {
      parts.isEmpty ? "" : "\(word): \(parts.joined(separator: "; "))".shown + "\n"
    }
    let unknown = conditions.filter { $0.differs == nil }
    let same = conditions.filter { $0.differs == false }
    return conditions.filter { $0.differs == true }.map { change in
      line("differs", ["\(change.name) \(change.first ?? "") → \(change.second ?? "")"])
    }.joined() + line("not stated by both", unknown.map(\.name))
      + line("same", same.map { "\($0.name) \($0.first ?? "")" })
  }

  private static func title(_ file: MeasurementFile) -> String {
    (file.path + (file.date.map { ", " + $0 } ?? "")).shown
  }

  private static func cells(_ row: Row) -> [String] {
    func spread(_ entry: Entry) -> String { percent((entry.high - entry.low) / entry.median * 100) }
    let verdict = row.verdict == .withinNoise ? "within noise" : row.verdict.rawValue
    return [
      row.second.model.shown, String(format: "%.3f", row.first.median), String(format: "%.3f", row.second.median),
      ratio(row.ratio), spread(row.first), spread(row.second), verdict,
    ]
  }

  private static func ratio(_ value: Double) -> String { String(format: "%.3f", value) }
  private static func percent(_ value: Double) -> String { String(format: "%.1f %%", value) }
}
