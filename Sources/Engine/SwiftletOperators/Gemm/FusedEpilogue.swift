import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

extension NodeView {
  /// Returns a node with two inputs as an epilogue step that is applied to input `index`. Returns `nil` unless the
  /// other input has the same shape, or, with `allowsVector`, has one element per element of the last dimension.
  func epilogueStep(
    _ operation: BinaryOperation, ofInput index: Int, clamp: FusedActivation = .none, allowsVector: Bool = false
  ) throws -> EpilogueStep? {
    guard inputCount == 2 else { return nil }
    let shape = try output(0).shape, other = try input(1 - index)
    guard try input(index).shape == shape, other.elementType == .float32 else { return nil }
    if other.shape == shape {
      return .binary(operation, operand: 1 - index, isVector: false, clamp: clamp)
    }
    let isVector =
      allowsVector && other.shape.rank > 0 && shape.rank > 0 && other.shape.innermost == shape.innermost
      && other.shape.elementCount == shape.innermost
    return isVector ? .binary(operation, operand: 1 - index, isVector: true, clamp: clamp) : nil
  }
}

/// The epilogue of a prepared node.
struct FusedEpilogue: Sendable {
  private let steps: [(step: EpilogueStep, operand: TensorSlot?)]
  private let kernels: ElementwiseKernels

  /// The approximate number of elements to which shorter vectors are repeated, so that few vector lanes are idle.
  private static let repeatedElements = 256

  /// The size of the worker scratch memory that `apply` writes to.
  static let scratchBytes = repeatedElements * 4

  /// The number of results between two calls of `apply` that stay in the core's private cache.
  static let cachedElements = 1 << 14

  init(_ context: PrepareContext, _ epilogue: [EpilogueStep]) throws {
    kernels = context.kernels.elementwise
    if !epilogue.isEmpty { context.requireWorkerScratch(bytes: Self.scratchBytes) }
    steps = try epilogue.map { step in
      guard case .binary(_, let operand, _, _) = step else { return (step, nil) }
      return (step, try context.inputSlot(operand))
    }
  }

  var isEmpty: Bool { steps.isEmpty }
  var count: Int { steps.count }

  /// Applies the epilogue to results.
  ///
  /// - Parameters:
  ///   - output: The whole tensor, whose rows are `distance` elements long.
  ///   - first: The first element of `rows` rows of `columns` elements to change.
  func apply(
    _ run: RunContext, _ output: UnsafeMutablePointer<Float>, first: Int, rows: Int, columns: Int, distance: Int
  ) {
    let results = output + first
    let isDense = columns == distance
    for (step, operand) in steps {
      switch step {
      case .unary(let kernel):
        for row in 0..<(isDense ? 1 : rows) {
          let line = results + row &* distance
          kernels.apply(
            kernel.operation, count: isDense ? rows &* columns : columns, input: line, output: line,
            first: kernel.first, second: kernel.second)
        }
      case .replaceNaN:
        for row in 0..<rows {
          let line = results + row &* distance
          for column in 0..<columns { line[column] = line[column] == line[column] ? line[column] : 0 }
        }
      case .binary(let operation, _, let isVector, let clamp):
        guard let operand else { continue }
        let (lower, upper) = clamp.floatRange
        let right = UnsafePointer(run.pointer(operand, as: Float.self)) + (isVector ? first % distance : first)
        func combine(
          first: Int = 0, rows: Int, columns: Int, distance: Int, right: UnsafePointer<Float>, rightStride: Int
        ) {
          let line = results + first
          kernels.combine(
            operation, form: .vectors, rows: rows, columns: columns, left: line, leftStride: distance,
            right: right, rightStride: rightStride, output: line, outputStride: distance, lower: lower, upper: upper)
        }
        if !isDense {
          combine(
            rows: rows, columns: columns, distance: distance, right: right, rightStride: isVector ? 0 : distance)
        } else if !isVector {
          // Dense rows are processed as one long row.
          combine(rows: 1, columns: rows &* columns, distance: 0, right: right, rightStride: 0)
        } else {
          let narrow = NarrowRows(channels: columns, rows: rows, wideElements: Self.repeatedElements)
          let repetitions = narrow.repetitions
          let repeated = run.workerScratch.assumingMemoryBound(to: Float.self)
          for index in 0..<(repetitions > 1 ? repetitions : 0) {
            (repeated + index &* columns).update(from: right, count: columns)
          }
          let vector = repetitions > 1 ? UnsafePointer(repeated) : right
          narrow.forEach(of: rows) { first, rows, columns in
            combine(first: first, rows: rows, columns: columns, distance: columns, right: vector, rightStride: 0)
          }
        }
      }
    }
  }
}

extension FusedActivation {
  /// Creates the activation from `field` of the options.
  ///
  /// - Throws: An error for an invalid value, and for activations that aren't a clamp and aren't in `allowed`.
  init(
    _ node: NodeReader, field: OptionField<FusedActivation>,
    allowed: [FusedActivation] = [.none, .relu, .reluN1To1, .relu6]
  ) throws {
    let value = try node.options.code(of: field)
    guard let activation = FusedActivation(rawValue: value) else {
      throw node.invalid("has fused activation \(value), which the format does not define")
    }
    guard allowed.contains(activation) else {
      throw node.invalid("has fused activation \(activation), which the operator does not take")
    }
    self = activation
  }

  /// Returns the clamp in quantized units of an output with the given scale and zero point, within `range` of its
  /// element type.
  ///
  /// - Source: the reference runtime's activation range rule. The real bounds are divided by the scale in single
  ///   precision and rounded half away from zero.
  func quantizedRange(scale: Float, zeroPoint: Int32, in range: ClosedRange<Int32>) -> ClosedRange<Int32> {
    Self.quantizedRange(of: floatRange, scale: scale, zeroPoint: zeroPoint, in: range)
  }

  /// Returns the quantized range of any clamp in real numbers.
  static func quantizedRange(
    of real: (lower: Float, upper: Float), scale: Float, zeroPoint: Int32, in range: ClosedRange<Int32>
  ) -> ClosedRange<Int32> {
    func quantized(_ value: Float) -> Int32 {
      let steps = Int32(saturating: (value / scale).rounded(.toNearestOrAwayFromZero))
      return Int32(clamping: Int64(zeroPoint) + Int64(steps))
    }
    let low = real.lower.isFinite ? max(range.lowerBound, quantized(real.lower)) : range.lowerBound
    let high = real.upper.isFinite ? min(range.upperBound, quantized(real.upper)) : range.upperBound
    return low <= high ? low...high : low...low
  }
}

extension ElementType {
  /// The integers of a quantized type; `nil` for other types.
  var quantizedRange: ClosedRange<Int32>? {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    default: nil
    }
  }
}
