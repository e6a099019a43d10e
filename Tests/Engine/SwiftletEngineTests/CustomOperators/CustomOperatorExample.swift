import Swiftlet

// The example of docs/guide/custom-operators.md, word for word; `CustomOperatorTests` compares them.

/// `threshold`: what is above a limit keeps its value, everything else becomes 0.
struct Threshold: CustomOperator {
  let limit: Float

  init(_ options: CustomOperatorOptions) throws {
    guard let limit = options.number("limit") else { throw ThresholdError.noLimit }
    self.limit = limit
  }

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    let input = try node.input(0)
    guard input.elementType == .float32 else { throw ThresholdError.type(input) }
    return [input.shape]
  }

  func run(_ call: CustomOperatorCall) throws {
    let input = try call.input(0, as: Float.self)
    let output = try call.output(0, as: Float.self)
    for index in input.indices { output[index] = input[index] > limit ? input[index] : 0 }
  }
}

enum ThresholdError: Error {
  case noLimit
  case type(TensorSpec)
}

func compile(_ file: Model) throws -> CompiledModel {
  var model = file
  model.addOperator(named: "Threshold") { try Threshold($0) }
  return try CompiledModel(model)
}
