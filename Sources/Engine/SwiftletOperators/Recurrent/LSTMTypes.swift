import SwiftletEngine
import SwiftletSchema

/// The types that go together in a long short-term memory: all float32, float32 with 8-bit weights, or all integers.
enum LSTMTypes {

  /// One list entry for each of the 24 inputs.
  static let combinations: [TypeCombination] = [
    floatingPoint(weights: .float32), floatingPoint(weights: .int8), floatingPoint(weights: .uint8),
    combination(
      data: .int8, weights: .int8, peephole: .int16, bias: .int32, state: .int8, cell: .int16, norm: .int16),
  ]

  /// The same for two directions with 48 inputs; there is no integer form.
  static let bidirectionalCombinations: [TypeCombination] = [TypeSet.float32, .int8, .uint8].map { weights in
    let direction = Array(floatingPoint(weights: weights).inputs[1...17])
    let states = [TypeSet](repeating: .float32, count: 5)
    return TypeCombination(
      inputs: [.float32] + direction + direction + states + [TypeSet](repeating: weights, count: 8), outputs: [.float32]
    )
  }

  private static func floatingPoint(weights: TypeSet) -> TypeCombination {
    combination(
      data: .float32, weights: weights, peephole: weights, bias: .float32, state: .float32, cell: .float32,
      norm: .float32)
  }

  private static func combination(
    data: TypeSet, weights: TypeSet, peephole: TypeSet, bias: TypeSet, state: TypeSet, cell: TypeSet, norm: TypeSet
  ) -> TypeCombination {
    // Recurrent vectors stay float32 when matrices are quantised.
    let recurrent = data == .float32 ? weights.union(.float32) : weights
    var inputs = [data]
    inputs += [TypeSet](repeating: weights, count: 4)
    inputs += [TypeSet](repeating: recurrent, count: 4)
    inputs += [TypeSet](repeating: peephole, count: 3)
    inputs += [TypeSet](repeating: bias, count: 4)
    inputs += [weights, bias, state, cell]
    inputs += [TypeSet](repeating: norm, count: 4)
    return TypeCombination(inputs: inputs, outputs: [data])
  }
}

extension PreparedOperator {
  /// A long short-term memory whose inputs are those of `LSTMInputs.unidirectional`.
  static func longShortTermMemory(
    _ context: PrepareContext, _ dimensions: LSTMDimensions, _ options: LSTMParameters
  ) throws -> PreparedOperator {
    guard dimensions.batches > 0, dimensions.steps > 0 else { return .empty }
    if try context.node.input(0).elementType == .int8 {
      let memory = try IntegerLSTM(context, .unidirectional, dimensions, options)
      return PreparedOperator(stages: memory.stages, multiplyAdds: memory.multiplyAdds)
    }
    let memory = try FloatLSTM(
      context, .unidirectional, dimensions, options, output: try context.outputSlot(0), outputStride: dimensions.outputs
    )
    return PreparedOperator(stages: memory.stages, multiplyAdds: memory.multiplyAdds)
  }
}
