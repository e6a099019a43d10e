package import SwiftletEngine
import SwiftletSchema

/// An implementation whose speed is measured in blocks of runs.
package protocol Contender: AnyObject {
  /// Runs `warmup` times without measuring and then `count` times. Returns after all of its threads are idle.
  ///
  /// - Returns: The time of each measured run, in milliseconds.
  func run(warmup: Int, count: Int) throws -> [Double]
}

/// Measures contenders in alternating blocks of runs, so that other load on the machine affects all of them alike.
package struct Alternation: Sendable {
  /// The total measuring time of all contenders. Fewer than `rounds` rounds run only if they would take more than four
  /// times as long. 0 runs exactly `rounds` rounds.
  package var seconds: Double
  /// The minimum number of rounds.
  package var rounds: Int
  /// The minimum duration of one contender's block in milliseconds, unless that takes more than `runsPerBlock` runs.
  package var blockLength: Double
  package var runsPerBlock: Int

  package init(seconds: Double, rounds: Int = 7, blockLength: Double = 20, runsPerBlock: Int = 5000) {
    self.seconds = seconds
    self.rounds = rounds
    self.blockLength = blockLength
    self.runsPerBlock = runsPerBlock
  }

  /// The times of one contender.
  package struct Result: Sendable {
    /// The times of all runs, in milliseconds.
    package let all: Sample
    /// The median time of each round.
    package let rounds: [Double]

    /// - Parameter blocks: The times of each round.
    package init(blocks: [[Double]]) {
      all = Sample(blocks.flatMap(\.self))
      rounds = blocks.map { Sample($0).median }
    }

    /// Returns the speedup over `other`: the other median divided by this one.
    package func speed(against other: Result) -> Double { other.all.median / all.median }

    /// Returns the speedup of every round. Their spread indicates how reliable the ratio is.
    package func speeds(against other: Result) -> Sample {
      Sample(zip(rounds, other.rounds).map { $1 / $0 })
    }
  }

  /// Measures all contenders.
  ///
  /// - Parameter contenders: The contenders, at least one.
  /// - Returns: A result for each contender, in order.
  package func measure(_ contenders: [any Contender]) throws -> [Result] {
    let sizes = try contenders.map(blockSize)
    var blocks = [[[Double]]](repeating: [], count: contenders.count)
    let start = ContinuousClock.now
    while true {
      for (index, contender) in contenders.enumerated() {
        blocks[index].append(try contender.run(warmup: sizes[index].warmup, count: sizes[index].count))
      }
      let elapsed = milliseconds(since: start) / 1000
      let done = blocks.first?.count ?? rounds
      if elapsed >= seconds, done >= rounds { break }
      if elapsed >= 4 * seconds, seconds > 0, done >= 3 { break }
    }
    return blocks.map(Result.init)
  }

  /// Returns the number of runs in a block. The first run of a block finds the other contender's data in the caches and
  /// isn't measured, unless a run is so long that the effect is negligible.
  private func blockSize(_ contender: any Contender) throws -> (warmup: Int, count: Int) {
    var time = Sample(try contender.run(warmup: 1, count: 1)).median
    if time < blockLength { time = Sample(try contender.run(warmup: 1, count: 5)).median }
    let count = Int((blockLength / max(time, 1e-6)).rounded(.up))
    return (time < 2 * blockLength ? 1 : 0, min(max(count, 1), runsPerBlock))
  }
}

/// The arithmetic of a model. Only ratios of models of the same class may be averaged.
package enum ArithmeticClass: String, Sendable, Hashable, CaseIterable {
  /// Float32, also with weights stored as float16.
  case float32
  case bytes = "int8/uint8"
  case dynamicRange = "dynamic-range"
  case int16

  /// Creates the class of most of the model's matrix products, or of most of its operators if it has none.
  package init(_ model: Model) {
    let products = Self.counts(model) { Self.products.contains($0) }
    let counts = products.isEmpty ? Self.counts(model) { _ in true } : products
    self = Self.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .float32
  }

  /// The operators that multiply data with weights.
  private static let products: Set<String> = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "CONV_3D", "FULLY_CONNECTED", "BATCH_MATMUL", "LSTM",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
    "SVDF", "Convolution2DTransposeBias",
  ]

  private static func counts(_ model: Model, where isCounted: (String) -> Bool) -> [ArithmeticClass: Int] {
    var counts: [ArithmeticClass: Int] = [:]
    for graph in model.file.subgraphs {
      for node in graph.operators where isCounted(node.code.kind.name) {
        let types = node.inputs.map { $0.map { graph.tensors[$0].type } }
        guard
          let kind = Self.of(
            data: dataType(node.code.kind.name, types), weights: types.dropFirst().first.flatMap(\.self))
        else { continue }
        counts[kind, default: 0] += 1
      }
    }
    return counts
  }

  /// Returns the type of the activations: the first input of the operator, or the last input of a transposed
  /// convolution.
  private static func dataType(_ name: String, _ types: [ElementType?]) -> ElementType? {
    (name == "TRANSPOSE_CONV" ? types.dropFirst(2).first : types.first).flatMap(\.self)
  }

  private static func of(data: ElementType?, weights: ElementType?) -> ArithmeticClass? {
    switch (data, weights) {
    case (.float32, .int8), (.float32, .uint8), (.float32, .int4), (.float32, .int2): .dynamicRange
    case (.float32, _): .float32
    case (.int8, _), (.uint8, _): .bytes
    case (.int16, _): .int16
    default: nil
    }
  }
}
