import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_REDUCE_WINDOW: a reduction of each window of a padded tensor to one element by the operator of a subgraph.
///
/// - Shapes: input of rank 1 to 8; initial value of one element; for every axis, options for the window, its stride,
///   the dilations of the input and the window, and two paddings, where negative ones crop.
/// - Types: float32, float64, int8, uint8, int16, int32, int64, bool.
/// - Throws: An error if the subgraph isn't a single addition, multiplication, minimum, maximum, and, or or.
/// - Source: operator 198 of the model format. Padding has the initial value.
struct StableHLOReduceWindowOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloReduceWindow, versions: 1...1, types: .uniform(WindowReduction.types))
  }

  private let windows: [Int]
  private let strides: [Int]
  private let spacings: [Int]
  private let dilations: [Int]
  private let paddings: [Int]
  private let function: WindowFunction

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    windows = try node.options[StableHLOReduceWindowOptions.windowDimensions]
    let rank = windows.count
    func numbers(_ field: OptionField<[Int]>, default value: Int, count: Int) throws -> [Int] {
      let values = try node.options[field]
      return values.isEmpty ? Array(repeating: value, count: count) : values
    }
    strides = try numbers(StableHLOReduceWindowOptions.windowStrides, default: 1, count: rank)
    spacings = try numbers(StableHLOReduceWindowOptions.baseDilations, default: 1, count: rank)
    dilations = try numbers(StableHLOReduceWindowOptions.windowDilations, default: 1, count: rank)
    paddings = try numbers(StableHLOReduceWindowOptions.padding, default: 0, count: 2 * rank)
    guard [strides.count, spacings.count, dilations.count].allSatisfy({ $0 == rank }), paddings.count == 2 * rank,
      spacings.allSatisfy({ $0 > 0 })
    else {
      throw node.invalid(
        "its windows, strides, dilations, and paddings must have the same count, and strides and dilations must be positive"
      )
    }
    let kind = try node.operation(ofSubgraph: try node.options[StableHLOReduceWindowOptions.bodySubgraphIndex])
    guard let function = WindowFunction(kind) else {
      throw node.invalid("cannot reduce windows by \(kind?.name ?? "a subgraph without operators")")
    }
    self.function = function
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [Shape(try axes(node).map(\.count))]
  }

  private func axes(_ node: NodeView) throws -> [SlidingAxis] {
    let input = try node.input(0)
    guard input.shape.rank == windows.count, input.shape.rank > 0 else {
      throw node.invalid("has windows of \(windows.count) axes, input \(input) has \(input.shape.rank)")
    }
    return try windows.indices.map { axis in
      let spacing = SpacedAxis(
        size: input.shape[axis], interior: spacings[axis] - 1, before: paddings[2 * axis], after: paddings[2 * axis + 1]
      )
      guard let size = spacing.spacedSize, size > 0 || input.shape[axis] == 0 else {
        throw node.invalid("cropping leaves nothing of axis \(axis) of input \(input)")
      }
      return try SlidingAxis(spacing, window: windows[axis], stride: strides[axis], dilation: dilations[axis], node)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try WindowReduction(axes(context.node), of: context.node.input(0).shape, context.node).prepare(context, function)
  }
}

/// STABLEHLO_PAD: elements of one value around and between the elements of a tensor.
///
/// - Shapes: input of rank 1 or more; the value, one element; for every axis, options for the number of elements
///   before, after, and between. Negative numbers before and after crop.
/// - Types: every type of whole bytes.
/// - Source: operator 195 of the model format. If cropping leaves nothing of one axis, every axis of the output is 0.
struct StableHLOPadOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloPad, versions: 1...1, types: .uniform(TypeSet.plain.types))
  }

  private let before: [Int]
  private let after: [Int]
  private let interior: [Int]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    before = try node.options[StableHLOPadOptions.edgePaddingLow]
    after = try node.options[StableHLOPadOptions.edgePaddingHigh]
    interior = try node.options[StableHLOPadOptions.interiorPadding]
    guard before.count == after.count, before.count == interior.count, !before.isEmpty else {
      throw node.invalid(
        "has \(before.count) low paddings, \(after.count) high paddings, and \(interior.count) interior paddings; every axis requires one of each"
      )
    }
    guard let negative = interior.first(where: { $0 < 0 || $0 == .max }) else { return }
    throw node.invalid("puts \(negative) elements between two; it must be at least 0")
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [try axes(node).spacedShape(node)]
  }

  private func axes(_ node: NodeView) throws -> [SpacedAxis] {
    let input = try node.input(0)
    guard input.shape.rank == before.count else {
      throw node.invalid("has paddings for \(before.count) axes, input \(input) has \(input.shape.rank)")
    }
    return before.indices.map {
      SpacedAxis(size: input.shape[$0], interior: interior[$0], before: before[$0], after: after[$0])
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .spaced(context, axes(context.node), value: 1)
  }
}

/// STABLEHLO_RNG_BIT_GENERATOR: random bits generated from a state, and the next state.
///
/// - Shapes: state `[2]`, or `[3]` for Philox; outputs: the next state, and bits in the shape declared by the model.
/// - Types: state uint64; bits int32, uint32, int64, or uint64.
/// - Source: operator 204 of the model format: Philox (the default) or ThreeFry. The lower 64 bits of the counter are
///   incremented.
struct StableHLORandomBitsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloRngBitGenerator, versions: 1...1,
      types: [
        TypeCombination(
          inputs: [TypeSet(.uint64)], outputs: [TypeSet(.uint64), TypeSet([.int32, .uint32, .int64, .uint64])])
      ])
  }

  private let isThreeFry: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1, outputs: 2...2)
    let code = try node.options.code(of: StableHLORngBitGeneratorOptions.algorithm)
    guard let algorithm = RandomAlgorithm(rawValue: code) else {
      throw node.invalid("has algorithm \(code); it must be 0, 1 (Philox) or 2 (ThreeFry)")
    }
    isThreeFry = algorithm == .threeFry
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let state = try node.input(0)
    guard state.shape == [2] || (state.shape == [3] && !isThreeFry) else {
      throw node.invalid("takes a state of 2 numbers\(isThreeFry ? "" : ", or 3"), got \(state)")
    }
    return [state.shape, try node.output(1).shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let (state, nextState, bits) = (try context.inputSlot(0), try context.outputSlot(0), try context.outputSlot(1))
    let stateWords = 2 * (try context.node.input(0).shape[0])
    let count = (try context.node.output(1).byteCount ?? 0) / 4
    let isThreeFry = isThreeFry
    // The number of words per count.
    let step = isThreeFry ? 2 : 4
    let counts = (count + step - 1) / step
    let counting = PreparedOperator.Stage(tileCount: 1, work: 100) { run, _ in
      let words = run.pointer(state, as: UInt32.self)
      let counter = (UInt64(words[3]) << 32 | UInt64(words[2])) &+ UInt64(counts)
      let next = run.pointer(nextState, as: UInt32.self)
      for index in 0..<stateWords { next[index] = words[index] }
      next[2] = UInt32(truncatingIfNeeded: counter)
      next[3] = UInt32(truncatingIfNeeded: counter >> 32)
    }
    let drawing = PreparedOperator.Stage(items: counts, cost: isThreeFry ? 400 : 25) { run, items in
      let words = run.pointer(state, as: UInt32.self)
      let output = run.pointer(bits, as: UInt32.self)
      let key = SIMD2(words[0], words[1])
      let first = UInt64(words[3]) << 32 | UInt64(words[2])
      let upper = stateWords == 6 ? SIMD2(words[4], words[5]) : key
      for item in items {
        let counter = first &+ UInt64(item), start = item &* step
        let low = SIMD2(UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: counter >> 32))
        if isThreeFry {
          let drawn = ThreeFry.words(counter: low, key: key)
          for index in 0..<min(2, count &- start) { output[start &+ index] = drawn[index] }
        } else {
          let drawn = Philox(counter: SIMD4(lowHalf: low, highHalf: upper), key: key).words()
          for index in 0..<min(4, count &- start) { output[start &+ index] = drawn[index] }
        }
      }
    }
    return PreparedOperator(stages: [drawing, counting])
  }
}
