import SwiftletMeasurement

/// Two files of measurements, model by model.
struct MeasurementComparison {
  typealias Entry = MeasurementFile.Entry

  /// A model of both files.
  struct Row {
    enum Verdict: String {
      case faster, slower
      case withinNoise = "within_noise"
    }

    var first: Entry
    var second: Entry

    /// The second median over the first: below 1 the second is faster.
    var ratio: Double { second.median / first.median }

    /// A difference counts where the ranges of both do not overlap.
    var verdict: Verdict {
      if second.high < first.low { return .faster }
      return second.low > first.high ? .slower : .withinNoise
    }

    /// How much longer the second takes, in percent.
    var slowdown: Double { (ratio - 1) * 100 }
  }

  /// Something that decides how long a run takes, as both files state it.
  struct Condition {
    var name: String
    /// `nil` where the file does not say.
    var first: String?
    var second: String?

    /// `nil` where a file does not say.
    var differs: Bool? {
      guard let first, let second else { return nil }
      return first != second
    }
  }

  let first: MeasurementFile
  let second: MeasurementFile
  /// In percent.
  let threshold: Double?
  private(set) var rows: [Row] = []
  /// Models of one file.
  private(set) var onlyFirst: [String] = []
  private(set) var onlySecond: [String] = []

  init(_ first: MeasurementFile, _ second: MeasurementFile, threshold: Double? = nil) {
    self.first = first
    self.second = second
    self.threshold = threshold
    pair()
  }

  /// Of the ratios of all models; `nil` when the files have none in common.
  var geometricMean: Double? { SwiftletMeasurement.geometricMean(rows.map(\.ratio)) }

  /// The models that are slower than the threshold allows.
  var tooSlow: [Row] { rows.filter { isOverThreshold($0) && $0.verdict == .slower } }

  /// Those that would be, if the difference were more than noise.
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

  /// What the models that are compared were run with.
  private func condition(_ name: String, _ value: (Entry) -> String?) -> Condition {
    func values(_ entries: [Entry]) -> String? {
      let all = Set(entries.map(value))
      return all.contains(nil) ? nil : all.compactMap(\.self).sorted().joined(separator: ", ")
    }
    guard !rows.isEmpty else { return Condition(name: name, first: nil, second: nil) }
    return Condition(name: name, first: values(rows.map(\.first)), second: values(rows.map(\.second)))
  }

  // MARK: Pairs

  /// What has to agree for a pair.
  private struct Key: Hashable {
    var path: String
    var threads: Int?
  }

  /// Pairs models of the same path and number of threads first. On another machine models lie in another folder, so
  /// less and less of the path has to agree, and the number of threads last. A model that was measured several times
  /// is paired in turn; names that several files have in common are left alone.
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
