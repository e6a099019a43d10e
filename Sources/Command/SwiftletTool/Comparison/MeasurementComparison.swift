import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletJSON
import SwiftletMeasurement
import SwiftletReports

/// A comparison of two measurement files, model by model.
struct MeasurementComparison {
  typealias Entry = MeasurementFile.Entry

  /// A model in both files.
  struct Row {
    enum Verdict: String {
      case faster, slower
      case withinNoise = "within_noise"
    }

    var first: Entry
    var second: Entry

    /// The second median divided by the first. Below 1, the second is faster.
    var ratio: Double { second.median / first.median }

    /// A difference counts if the two ranges don't overlap.
    var verdict: Verdict {
      if second.high < first.low { return .faster }
      return second.low > first.high ? .slower : .withinNoise
    }

    /// The slowdown of the second file in percent.
    var slowdown: Double { (ratio - 1) * 100 }
  }

  /// A condition that affects run times, as recorded in both files.
  struct Condition {
    var name: String
    /// The value, or `nil` if the file doesn't record it.
    var first: String?
    var second: String?

    /// Whether the values differ, or `nil` if a file doesn't record the condition.
    var differs: Bool? {
      guard let first, let second else { return nil }
      return first != second
    }
  }

  let first: MeasurementFile
  let second: MeasurementFile
  /// The threshold in percent.
  let threshold: Double?
  private(set) var rows: [Row] = []
  /// The models that only one file contains.
  private(set) var onlyFirst: [String] = []
  private(set) var onlySecond: [String] = []

  init(_ first: MeasurementFile, _ second: MeasurementFile, threshold: Double? = nil) {
    self.first = first
    self.second = second
    self.threshold = threshold
    pair()
  }

  /// The geometric mean of the ratios of all models, or `nil` if the files have none in common.
  var geometricMean: Double? { SwiftletMeasurement.geometricMean(rows.map(\.ratio)) }

  /// The models that are slower than the threshold allows.
  var tooSlow: [Row] { rows.filter { isOverThreshold($0) && $0.verdict == .slower } }

  /// The models that exceed the threshold, but by a difference within the noise.
  var doubtful: [Row] { rows.filter { isOverThreshold($0) && $0.verdict != .slower } }

  private func isOverThreshold(_ row: Row) -> Bool { threshold.map { row.slowdown > $0 } ?? false }

  var conditions: [Condition] {
    [
      Condition(name: "version", first: first.version, second: second.version),
      Condition(name: "processor", first: first.processor, second: second.processor),
      Condition(name: "cores", first: first.cores.map(String.init), second: second.cores.map(String.init)),
      Condition(name: "system", first: first.system, second: second.system),
      condition("isa", \.instructionSet),
      condition("threads") { String($0.threads) },
      condition("numerics", \.numerics),
      condition("precision", \.precision),
      condition("checked") { $0.isChecked.map(String.init) },
    ]
  }

  /// Returns a condition under which the compared models ran.
  private func condition(_ name: String, _ value: (Entry) -> String?) -> Condition {
    func values(_ entries: [Entry]) -> String? {
      let all = Set(entries.map(value))
      return all.contains(nil) ? nil : all.compactMap(\.self).sorted().joined(separator: ", ")
    }
    guard !rows.isEmpty else { return Condition(name: name, first: nil, second: nil) }
    return Condition(name: name, first: values(rows.map(\.first)), second: values(rows.map(\.second)))
  }

  // MARK: Pairs

  /// The properties that must match in a pair.
  private struct Key: Hashable {
    var path: String
    var threads: Int?
  }

  /// Pairs models, first by equal path and number of threads. On another machine models are in another directory, so
  /// fewer and fewer path components must match, and finally the number of threads can differ. Repeated measurements of
  /// a model are paired in order. Names that several files share stay unpaired.
  private mutating func pair() {
    var left = Array(first.entries.indices)
    var right = Array(second.entries.indices)
    var pairs: [(first: Int, second: Int)] = []
    for components in [Int.max, 3, 2, 1] {
      for needsThreads in [true, false] {
        func key(_ entry: Entry) -> Key {
          let path = entry.model.split(separator: "/").suffix(components).joined(separator: "/")
          return Key(path: path, threads: needsThreads ? entry.threads : nil)
        }
        let others = Dictionary(grouping: right) { key(second.entries[$0]) }
        for (key, ours) in Dictionary(grouping: left, by: { key(first.entries[$0]) }) {
          guard let theirs = others[key], Set(ours.map { first.entries[$0].model }).count == 1,
            Set(theirs.map { second.entries[$0].model }).count == 1
          else { continue }
          pairs += zip(ours, theirs).map { (first: $0, second: $1) }
        }
        let (taken, takenOthers) = (Set(pairs.map(\.first)), Set(pairs.map(\.second)))
        left.removeAll { taken.contains($0) }
        right.removeAll { takenOthers.contains($0) }
      }
    }
    rows = pairs.sorted { $0.first < $1.first }.map {
      Row(first: first.entries[$0.first], second: second.entries[$0.second])
    }
    onlyFirst = left.map { first.entries[$0].model }
    onlySecond = right.map { second.entries[$0].model }
  }
}

// The output of `bench --compare`, and its page.
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

  /// The number of leading directories that the paths of all models of the second file share.
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

  /// The reason why the check failed, in one line; `nil` if it passed or there was no threshold.
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
        "\(row.second.model.sanitized): slower by \(Self.percent(row.slowdown)), but within the noise; measure more runs\n"
    }
    for (name, models) in [("A", onlyFirst), ("B", onlySecond)] where !models.isEmpty {
      text += "only in \(name): " + models.map(\.sanitized).joined(separator: ", ") + "\n"
    }
    return text
  }

  /// The differing conditions, then the conditions that one file doesn't record, then the equal ones.
  private var conditionLines: String {
    func line(_ word: String, _ parts: [String]) -> String {
      parts.isEmpty ? "" : "\(word): \(parts.joined(separator: "; "))".sanitized + "\n"
    }
    let unknown = conditions.filter { $0.differs == nil }
    let same = conditions.filter { $0.differs == false }
    return conditions.filter { $0.differs == true }.map { change in
      line("differs", ["\(change.name) \(change.first ?? "") → \(change.second ?? "")"])
    }.joined() + line("not stated by both", unknown.map(\.name))
      + line("same", same.map { "\($0.name) \($0.first ?? "")" })
  }

  private static func title(_ file: MeasurementFile) -> String {
    (file.path + (file.date.map { ", " + $0 } ?? "")).sanitized
  }

  private static func cells(_ row: Row) -> [String] {
    func spread(_ entry: Entry) -> String { percent((entry.high - entry.low) / entry.median * 100) }
    let verdict = row.verdict == .withinNoise ? "within noise" : row.verdict.rawValue
    return [
      row.second.model.sanitized, String(format: "%.3f", row.first.median), String(format: "%.3f", row.second.median),
      ratio(row.ratio), spread(row.first), spread(row.second), verdict,
    ]
  }

  private static func ratio(_ value: Double) -> String { String(format: "%.3f", value) }
  private static func percent(_ value: Double) -> String { String(format: "%.1f %%", value) }
}
