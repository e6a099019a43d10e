import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// An operation on two numbers of every kind.
protocol ArithmeticOperation: Sendable {
  /// The kernel for float32.
  static var kernel: BinaryOperation { get }
  static func apply(_ left: Float, _ right: Float) -> Float
  /// Wraps on overflow.
  static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element
}

/// `clamp(left ∘ right)` on 16-bit floats, computed in single precision and rounded once.
struct ShortFloatArithmetic<Operation: ArithmeticOperation, Element: ShortFloat>: BinaryFunction {
  let lower: Float
  let upper: Float

  init(_ activation: FusedActivation) { (lower, upper) = activation.floatRange }

  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element {
    let value = Operation.apply(left.floatValue, right.floatValue)
    let raised = value < lower ? lower : value
    return Element(raised > upper ? upper : raised)
  }
}

/// `clamp(left ∘ right)` on plain integers.
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

/// ADD, SUB, MUL and their like: broadcasting arithmetic with a fused clamp.
protocol ArithmeticOperator: FusesActivation {
  associatedtype Operation: ArithmeticOperation
  var activation: FusedActivation { get set }

  /// The kernel on quantised 8- and 16-bit tensors.
  func prepareQuantized<Code: QuantizedCode>(_ context: PrepareContext, _ type: Code.Type) throws -> PreparedOperator
}

extension ArithmeticOperator {
  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }

  /// Everything but types that only one of the operators takes.
  func prepareArithmetic(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0)
    switch output.elementType {
    case .float32:
      let (lower, upper) = activation.floatRange
      return try .binary(context, FloatKernel(context, Operation.kernel, lower: lower, upper: upper), cost: 0.2)
    case .float16: return try .binary(context, ShortFloatArithmetic<Operation, HalfFloat>(activation), cost: 3)
    case .bfloat16: return try .binary(context, ShortFloatArithmetic<Operation, BrainFloat>(activation), cost: 1)
    case .int32: return try .binary(context, IntegerArithmetic<Operation, Int32>(activation), cost: 0.4)
    case .uint32: return try .binary(context, IntegerArithmetic<Operation, UInt32>(activation), cost: 0.4)
    case .int64: return try .binary(context, IntegerArithmetic<Operation, Int64>(activation), cost: 0.8)
    case .int8: return try prepareQuantized(context, Int8.self)
    case .uint8: return try prepareQuantized(context, UInt8.self)
    case .int16 where output.quantization == nil:
      return try .binary(context, IntegerArithmetic<Operation, Int16>(activation), cost: 0.3)
    case .int16: return try prepareQuantized(context, Int16.self)
    default: throw context.node.invalid("does not take \(output)")
    }
  }
}
