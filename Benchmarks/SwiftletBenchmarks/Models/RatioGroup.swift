import SwiftletJSON
import SwiftletMeasurement

/// The ratios of all models of one class with one number of threads.
struct RatioGroup {
  var name: String
  var threads: Int
  var count: Int
  var mean: Double
  var lowest: Double
  var lowestName: String
  var startMean: Double
  var memoryMean: Double
  var freshMemoryMean: Double

  /// Returns one group per class and thread count that has ratios; single operators are a class of their own.
  static func groups(_ results: [ModelResult]) -> [RatioGroup] {
    let names = ArithmeticClass.allCases.map(\.rawValue) + [singleOperators]
    let threads = Set(results.map(\.threads)).sorted()
    return names.flatMap { name in
      threads.compactMap { count in
        RatioGroup(
          name, threads: count, results.filter { $0.threads == count && Self.name(of: $0) == name && $0.ratio != nil })
      }
    }
  }

  private static let singleOperators = "one operator"

  /// Returns the name of a result's group.
  static func name(of result: ModelResult) -> String {
    result.isSingleOperator ? singleOperators : result.kind.rawValue
  }

  private init?(_ name: String, threads: Int, _ results: [ModelResult]) {
    let ratios = results.compactMap(\.ratio)
    guard let mean = geometricMean(ratios), let worst = results.min(by: { ($0.ratio ?? 0) < ($1.ratio ?? 0) }),
      let lowest = worst.ratio,
      let startMean = geometricMean(results.compactMap(\.startRatio)),
      let memoryMean = geometricMean(results.compactMap(\.memoryRatio)),
      let freshMemoryMean = geometricMean(results.compactMap(\.freshMemoryRatio))
    else { return nil }
    self.name = name
    self.threads = threads
    count = ratios.count
    self.mean = mean
    self.lowest = lowest
    lowestName = worst.name
    self.startMean = startMean
    self.memoryMean = memoryMean
    self.freshMemoryMean = freshMemoryMean
  }

  var json: JSONValue {
    .object([
      "class": .string(name), "threads": .int(threads), "models": .int(count), "ratio": .double(mean),
      "lowest_ratio": .double(lowest),
      "lowest_model": .string(lowestName), "start_ratio": .double(startMean), "memory_ratio": .double(memoryMean),
      "fresh_memory_ratio": .double(freshMemoryMean),
    ])
  }
}
