import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ADD: `activation(left + right)`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, int64, int16 without quantization; int8, uint8, int16 quantized per tensor.
/// - Source: operator 0 of the model format.
struct AddOperator: ArithmeticOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .add, versions: 1...6, types: .uniform([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation: FusedActivation
  private let prefersPowersOfTwo: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: AddOptions.fusedActivation)
    prefersPowersOfTwo = try node.options[AddOptions.powerOfTwoScaleInt16]
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.add

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &+ right }
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? {
    try node.epilogueStep(.add, ofInput: index, clamp: activation)
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    try QuantizedAddition.prepare(
      context, type, sign: 1, activation: activation, prefersPowersOfTwo: prefersPowersOfTwo)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}

/// ADD_N: the sum of two or more tensors of one shape, from left to right.
///
/// - Shapes: all inputs of one shape, which is the output shape.
/// - Types: float32, int32.
/// - Source: operator 106 of the model format.
struct AddNOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.addN, versions: 1...1, types: .uniform([.float32, .int32]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...Int.max) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let first = try node.input(0)
    for index in 1..<node.inputCount {
      let other = try node.input(index)
      guard other.shape == first.shape else {
        throw node.invalid("input \(index) \(other) must have the shape of input 0 \(first)")
      }
    }
    return [first.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.input(0).elementType == .int32
      ? try prepare(context, Int32.self) { $0 &+ $1 } : try prepare(context, Float.self) { $0 + $1 }
  }

  @inline(__always)
  private func prepare<Element: BitwiseCopyable>(
    _ context: PrepareContext, _ type: Element.Type, _ add: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let sources = try (0..<context.node.inputCount).map { try context.inputSlot($0) }
    let destination = try context.outputSlot(0)
    let count = try context.node.output(0).shape.elementCount
    return PreparedOperator(items: count, cost: 0.2 * Double(sources.count)) { run, range in
      let output = run.pointer(destination, as: type)
      let first = run.pointer(sources[0], as: type)
      let second = run.pointer(sources[1], as: type)
      for index in range { output[index] = add(first[index], second[index]) }
      for source in sources.dropFirst(2) {
        let input = run.pointer(source, as: type)
        for index in range { output[index] = add(output[index], input[index]) }
      }
    }
  }
}

/// SUB: `activation(left - right)`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int32, int64, int16 without quantization; int8, uint8, int16 quantized per tensor.
/// - Source: operator 41 of the model format.
struct SubtractOperator: ArithmeticOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sub, versions: 1...5, types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation: FusedActivation
  private let prefersPowersOfTwo: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: SubOptions.fusedActivation)
    prefersPowersOfTwo = try node.options[SubOptions.powerOfTwoScaleInt16]
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.subtract

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &- right }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    try QuantizedAddition.prepare(
      context, type, sign: -1, activation: activation, prefersPowersOfTwo: prefersPowersOfTwo)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}
