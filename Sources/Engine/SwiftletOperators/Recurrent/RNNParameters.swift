import SwiftletEngine
import SwiftletSchema

/// What the simple recurrent operators share.
struct RNNParameters: Sendable {
  let activation: FusedActivation
  let isAsymmetric: Bool

  /// Reads the fields of the table that the operator has.
  init(_ node: NodeReader, activation: OptionField<FusedActivation>, asymmetric: OptionField<Bool>) throws {
    self.activation = try FusedActivation(
      node, field: activation, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    isAsymmetric = try node.options[asymmetric]
  }

  /// Float32, alone or with 8-bit weights in the given inputs.
  static func types(inputs count: Int, weights: Set<Int>) -> [TypeCombination] {
    [TypeSet.float32, .int8, .uint8].map { type in
      TypeCombination(inputs: (0..<count).map { weights.contains($0) ? type : .float32 }, outputs: [.float32])
    }
  }
}

extension PreparedOperator {
  /// A simple recurrent layer whose inputs are those of `RNNInputs.unidirectional`.
  static func recurrent(
    _ context: PrepareContext, _ dimensions: RNNDimensions, _ options: RNNParameters
  ) throws -> PreparedOperator {
    guard dimensions.batches > 0, dimensions.steps > 0 else { return .empty }
    let layer = try FloatRNN(
      context, .unidirectional, dimensions, activation: options.activation, isAsymmetric: options.isAsymmetric,
      output: try context.outputSlot(0), outputStride: dimensions.units)
    return PreparedOperator(stages: layer.stages, multiplyAdds: layer.multiplyAdds)
  }
}
