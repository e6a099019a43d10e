import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_RNG_BIT_GENERATOR: random bits that follow from a state, and the state behind them.
///
/// - Shapes: state `[2]`, or `[3]` for Philox; outputs: the next state, and bits of the shape that the model declares.
/// - Types: state uint64; bits int32, uint32, int64 or uint64.
/// - Source: operator 204 of the model format: Philox (also by default) or ThreeFry, whose counters' lower 64 bits
///   count on.
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
      throw node.invalid("has algorithm \(code), it must be 0, 1 (Philox) or 2 (ThreeFry)")
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
    // Words that one count gives.
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
