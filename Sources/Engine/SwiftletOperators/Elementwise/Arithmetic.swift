import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// An arithmetic operation on two numbers of any type.
protocol ArithmeticOperation: Sendable {
  /// The kernel for floats.
  static var kernel: BinaryOperation { get }
  /// Applies the operation to integers, wrapping on overflow.
  static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element
}

/// The function `clamp(left ∘ right)` on plain integers.
struct IntegerArithmetic<Operation: ArithmeticOperation, Element: FixedWidthInteger & BitwiseCopyable & Sendable>:
  BinaryFunction
{
  let lower: Element
  let upper: Element

  init(_ activation: FusedActivation) {
    let (lower, upper) = activation.floatRange
    self.lower = lower.isFinite ? Element(clamping: Int(lower)) : .min
    self.upper = upper.isFinite ? Element(clamping: Int(upper)) : .max
  }

  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element {
    min(max(Operation.apply(left, right), lower), upper)
  }
}

/// The arithmetic operators ADD, SUB, MUL, and so on, with broadcasting and a fused clamp.
protocol ArithmeticOperator: FusesActivation {
  associatedtype Operation: ArithmeticOperation
  var activation: FusedActivation { get set }

  /// Returns the kernel on quantized 8- and 16-bit tensors.
  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator
}

extension ArithmeticOperator {
  var layoutBehavior: LayoutBehavior { .elementwise }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }

  /// Prepares the operator for all types except those that only one of the operators supports.
  func prepareArithmetic(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0)
    let (lower, upper) = activation.floatRange
    let floats = FloatKernel(context, Operation.kernel, lower: lower, upper: upper)
    switch output.elementType {
    case .float32:
      context.uses("vector arithmetic float32")
      return try .binary(context, floats, cost: 0.2)
    case .float16: return try .binary(context, .sixteenBitFloats(Half.self, floats), cost: 3)
    case .bfloat16: return try .binary(context, .sixteenBitFloats(BFloat16.self, floats), cost: 1)
    case .int32: return try .binary(context, IntegerArithmetic<Operation, Int32>(activation), cost: 0.4)
    case .uint32: return try .binary(context, IntegerArithmetic<Operation, UInt32>(activation), cost: 0.4)
    case .int64: return try .binary(context, IntegerArithmetic<Operation, Int64>(activation), cost: 0.8)
    case .int8: return try prepareQuantized(context, .int8)
    case .uint8: return try prepareQuantized(context, .uint8)
    case .int16 where output.quantization == nil:
      return try .binary(context, IntegerArithmetic<Operation, Int16>(activation), cost: 0.3)
    case .int16: return try prepareQuantized(context, .int16)
    default: throw context.node.invalid("does not take \(output)")
    }
  }
}
