import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// MULTINOMIAL: random classes with the distribution given by their logits.
///
/// - Shapes: logits `[batches, classes]` with at least one class; the number of samples, a scalar; output `[batches,
///   samples]`.
/// - Types: logits float32, number int32, output int32 or int64.
/// - Source: operator 149 of the model format. The generator is the reference's, which after a run skips as many
///   numbers as the original operator may have drawn. Logits that aren't finite are never drawn.
struct MultinomialOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .multinomial, versions: 1...1, types: .one(.float32, .int32, to: [.int32, .int64]))
  }

  private let seeds: RandomSeeds

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    seeds = try RandomSeeds(node)
  }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let logits = try node.input(0)
    guard logits.shape.rank == 2, logits.shape[1] > 0 else {
      throw node.invalid("takes logits of rank 2 with one class or more, got \(logits)")
    }
    let samples = try node.integer(1)
    guard samples >= 0 else { throw node.invalid("draws \(samples) samples; it must be at least 0") }
    return [[logits.shape[0], samples]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.output(0).elementType == .int32 ? draw(context, Int32.self) : draw(context, Int64.self)
  }

  private func draw<Element: IntegerElement>(_ context: PrepareContext, _ type: Element.Type) throws -> PreparedOperator
  {
    let classes = try context.node.input(0).shape[1]
    let output = try context.node.output(0).shape
    let (batches, samples) = (output[0], output[1])
    let state = RandomState(context, seeds)
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let own = try context.scratch(elements: [1], of: Philox.self)
    let taking = state.taking(counts: UInt64(batches) &* ((UInt64(samples) + 3) / 4 &* 4) &* 512, into: own)
    context.requireWorkerScratch(bytes: try context.byteCount(elements: [classes], of: Double.self))
    // Many samples are drawn in pieces, each of which sums the likelihoods itself.
    let pieceLength = max(1 << 14, classes), pieces = (samples + pieceLength - 1) / pieceLength
    let depth = Double(Int.bitWidth - classes.leadingZeroBitCount)
    let cost = Double(classes) * 20 + Double(min(samples, pieceLength)) * (30 + 5 * depth)
    let drawing = PreparedOperator.Stage(items: batches * pieces, cost: cost) { run, items in
      let distribution = Distribution(sums: run.workerScratch.assumingMemoryBound(to: Double.self), classes: classes)
      for item in items {
        let (batch, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let total = distribution.accumulate(run.pointer(source, as: Float.self) + batch &* classes)
        let row = run.pointer(destination, as: type) + batch &* samples
        // Each count of the generator provides two samples.
        var generator = run.pointer(own, as: Philox.self).pointee
        let first = piece &* pieceLength
        generator.skip(UInt64((batch &* samples &+ first) / 2))
        var isHalfUsed = (batch &* samples &+ first) % 2 == 1
        var words = isHalfUsed ? generator.next() : .zero
        for sample in first..<min(samples, first &+ pieceLength) {
          if !isHalfUsed { words = generator.next() }
          let place = isHalfUsed ? RandomFloat.double(words[2], words[3]) : RandomFloat.double(words[0], words[1])
          isHalfUsed.toggle()
          row[sample] = Element(truncatingIfNeeded: distribution.firstClass(above: place * total))
        }
      }
    }
    return PreparedOperator(stages: [taking, drawing])
  }

  /// The cumulative likelihoods of classes.
  private struct Distribution {
    let sums: UnsafeMutablePointer<Double>
    let classes: Int

    /// Accumulates the likelihoods and returns their sum.
    func accumulate(_ logits: UnsafePointer<Float>) -> Double {
      var largest = -Float.greatestFiniteMagnitude
      for index in 0..<classes where logits[index].isFinite { largest = max(largest, logits[index]) }
      var total = 0.0
      for index in 0..<classes {
        if logits[index].isFinite { total += exp(Double(logits[index]) - Double(largest)) }
        sums[index] = total
      }
      return total
    }

    /// Returns the first class whose cumulative sum is above `value`.
    func firstClass(above value: Double) -> Int {
      var (lower, upper) = (0, classes)
      while lower < upper {
        let middle = (lower &+ upper) / 2
        if sums[middle] > value { upper = middle } else { lower = middle &+ 1 }
      }
      return lower
    }
  }
}
