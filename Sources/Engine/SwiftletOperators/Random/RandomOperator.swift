import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// The seeds of a random number operator. The reference uses 32 bits of each.
struct RandomSeeds: Sendable {
  let first: UInt64
  let second: UInt64

  init(_ node: NodeReader) throws {
    first = UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: try node.options[RandomOptions.seed])))
    second = UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: try node.options[RandomOptions.seed2])))
  }

  /// Returns a generator in its initial state. If both seeds are 0, each generator is different.
  func generator() -> Philox {
    guard first == 0, second == 0 else { return Philox(seed: first, secondSeed: second) }
    return Philox(seed: .random(in: .min ... .max), secondSeed: .random(in: .min ... .max))
  }
}

/// The generator memory of an operator. The sequence continues from run to run until the session is reset.
struct RandomState: Sendable {
  private let slot: TensorSlot
  private let seeds: RandomSeeds

  private struct Contents: BitwiseCopyable {
    var isSeeded: UInt32
    var generator: Philox
  }

  init(_ context: PrepareContext, _ seeds: RandomSeeds) {
    let location = context.node.node.location
    slot = context.state(
      .node(subgraph: location.subgraph ?? 0, index: location.operatorIndex ?? 0), bytes: MemoryLayout<Contents>.stride)
    self.seeds = seeds
  }

  /// Returns a stage that takes `counts` counts from the session's generator and stores a generator at the first of
  /// them in `own`.
  func taking(counts: UInt64, into own: TensorSlot) -> PreparedOperator.Stage {
    PreparedOperator.Stage(tileCount: 1, work: 100) { run, _ in
      withGenerator(run) {
        run.pointer(own, as: Philox.self).pointee = $0
        $0.skip(counts)
      }
    }
  }

  /// Calls `body` with the generator of the session.
  private func withGenerator(_ run: RunContext, _ body: (inout Philox) -> Void) {
    let contents = run.pointer(slot, as: Contents.self)
    if contents.pointee.isSeeded == 0 { contents.pointee = Contents(isSeeded: 1, generator: seeds.generator()) }
    body(&contents.pointee.generator)
  }
}

/// RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL: a tensor of random numbers.
protocol RandomTensorOperator: Operator {
  var seeds: RandomSeeds { get }

  init(seeds: RandomSeeds)

  /// The approximate time, in nanoseconds, for the elements of one generator count.
  static var cost: Double { get }

  /// Fills `count` elements. Each count of the generator provides `elementsPerCount` elements.
  static func fill(_ output: UnsafeMutablePointer<Float>, count: Int, _ generator: inout Philox)
}

extension RandomTensorOperator {
  static var types: [TypeCombination] { .one(.int32, to: .float32) }
  static var elementsPerCount: Int { 4 }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    self.init(seeds: try RandomSeeds(node))
  }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    guard try node.input(0).shape.rank == 1 else {
      throw node.invalid("takes its shape as a vector, got \(try node.input(0))")
    }
    let sizes = try node.integers(0)
    guard sizes.allSatisfy({ $0 >= 0 }) else {
      throw node.invalid("\(sizes.excerpt) is not a valid shape: sizes must not be negative")
    }
    return [Shape(sizes)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let state = RandomState(context, seeds)
    let destination = try context.outputSlot(0)
    let count = try context.node.output(0).shape.elementCount
    let own = try context.scratch(elements: [1], of: Philox.self)
    let counts = (count + Self.elementsPerCount - 1) / Self.elementsPerCount
    let filling = PreparedOperator.Stage(items: counts, cost: Self.cost) { run, items in
      var generator = run.pointer(own, as: Philox.self).pointee
      generator.skip(UInt64(items.lowerBound))
      let start = items.lowerBound &* Self.elementsPerCount
      Self.fill(
        run.pointer(destination, as: Float.self) + start,
        count: min(count, items.upperBound &* Self.elementsPerCount) &- start,
        &generator)
    }
    return PreparedOperator(stages: [state.taking(counts: UInt64(counts), into: own), filling])
  }
}

/// RANDOM_STANDARD_NORMAL: random numbers with mean 0 and standard deviation 1.
///
/// - Shapes: input 0 is the output shape.
/// - Types: shape int32, output float32.
/// - Source: operator 146 of the model format; Box and Muller's transform of the reference's generator. The sequence
///   continues from run to run. If both seeds are 0, it differs in every session.
struct RandomStandardNormalOperator: RandomTensorOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.randomStandardNormal, versions: 1...1, floatError: 1e-6, types: types)
  }

  let seeds: RandomSeeds

  static let cost = 150.0

  static func fill(_ output: UnsafeMutablePointer<Float>, count: Int, _ generator: inout Philox) {
    for start in stride(from: 0, to: count, by: 4) {
      let words = generator.next()
      for index in stride(from: 0, to: min(4, count &- start), by: 2) {
        let radius = (-2 * logf(max(RandomFloat.float(words[index]), 1e-7))).squareRoot()
        let angle = Float(2 * Double.pi * Double(RandomFloat.float(words[index &+ 1])))
        output[start &+ index] = sinf(angle) * radius
        if start &+ index &+ 1 < count { output[start &+ index &+ 1] = cosf(angle) * radius }
      }
    }
  }
}

/// RANDOM_UNIFORM: random numbers from 0 to below 1.
///
/// - Shapes: input 0 is the output shape.
/// - Types: shape int32, output float32.
/// - Source: operator 148 of the model format; the reference's generator, so that equal seeds generate equal numbers.
///   The sequence continues from run to run. If both seeds are 0, it differs in every session.
struct RandomUniformOperator: RandomTensorOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.randomUniform, versions: 1...1, types: types)
  }

  let seeds: RandomSeeds

  static let cost = 30.0

  static func fill(_ output: UnsafeMutablePointer<Float>, count: Int, _ generator: inout Philox) {
    for start in stride(from: 0, to: count, by: 4) {
      let words = generator.next()
      for index in 0..<min(4, count &- start) { output[start &+ index] = RandomFloat.float(words[index]) }
    }
  }
}
