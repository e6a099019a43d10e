import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// A function from the elements of the last dimension to the same number of results.
protocol RowFunction: Sendable {
  associatedtype Input: BitwiseCopyable & Sendable
  associatedtype Result: BitwiseCopyable & Sendable
  func callAsFunction(_ input: UnsafePointer<Input>, _ output: UnsafeMutablePointer<Result>, count: Int)
}

extension PreparedOperator {
  /// The maximum row length. A row is processed in one piece, and longer rows would block a thread for seconds.
  private static var longestRow: Int { 1 << 24 }

  /// Applies `function` to every row of input 0.
  ///
  /// - Parameter cost: The approximate work of one element in nanoseconds.
  /// - Throws: `limitExceeded` for rows of more than sixteen million elements.
  static func rows<Function: RowFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    try rows(
      context, inputBytes: MemoryLayout<Function.Input>.stride, resultBytes: MemoryLayout<Function.Result>.stride,
      cost: cost
    ) { input, result, count in
      function(
        input.assumingMemoryBound(to: Function.Input.self), result.assumingMemoryBound(to: Function.Result.self),
        count: count)
    }
  }

  /// Creates the stage for any function, compiled once.
  private static func rows(
    _ context: PrepareContext, inputBytes: Int, resultBytes: Int, cost: Double,
    _ function: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  ) throws -> PreparedOperator {
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let shape = try context.node.input(0).shape
    let length = shape.innermost
    guard shape.elementCount > 0 else { return .empty }
    guard length <= longestRow else {
      throw RuntimeError(
        .limitExceeded, "takes rows of up to \(longestRow) elements, input 0 is \(try context.node.input(0))",
        location: context.node.node.location)
    }
    return PreparedOperator(items: shape.elementCount / length, cost: Double(length) * cost) { run, rows in
      let source = run.pointer(input), destination = run.pointer(output)
      for row in rows {
        function(source + row &* length &* inputBytes, destination + row &* length &* resultBytes, length)
      }
    }
  }
}

extension PreparedOperator {
  /// Runs a float32 kernel over the rows of input 0.
  ///
  /// - Parameters:
  ///   - cost: The approximate work of one element in nanoseconds.
  ///   - kernel: Called with the number of rows and the number of elements per row.
  static func floatRows(
    _ context: PrepareContext, cost: Double,
    kernel: @escaping @Sendable (Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) throws -> PreparedOperator {
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let shape = try context.node.input(0).shape
    let length = shape.innermost
    guard shape.elementCount > 0 else { return .empty }
    return PreparedOperator(items: shape.elementCount / length, cost: Double(length) * cost + 2) { run, rows in
      let start = rows.lowerBound &* length
      kernel(
        rows.count, length, UnsafePointer(run.pointer(input, as: Float.self)) + start,
        run.pointer(output, as: Float.self) + start)
    }
  }
}

extension NodeView {
  /// Returns the shape of input 0, which has at least one dimension.
  func shapeOfRows() throws -> Shape {
    let input = try input(0)
    guard input.shape.rank > 0 else { throw invalid("takes an input of rank 1 or more, got \(input)") }
    return input.shape
  }
}

/// A function of two floats in the kernel table, followed by a clamp. NaN passes through.
struct FloatKernel: BinaryKernel {
  let kernels: ElementwiseKernels
  let operation: BinaryOperation
  let lower: Float
  let upper: Float

  init(
    _ context: PrepareContext, _ operation: BinaryOperation, lower: Float = -.infinity, upper: Float = .infinity
  ) {
    kernels = context.kernels.elementwise
    self.operation = operation
    self.lower = lower
    self.upper = upper
  }

  var rowKernel: BinaryRowKernel {
    let bytes = MemoryLayout<Float>.stride
    return BinaryRowKernel(
      sizes: BinaryRowKernel.ElementSizes(left: bytes, right: bytes, result: bytes), scratchBytes: 0
    ) { rows, _ in
      kernels.combine(
        operation, form: rows.form, rows: rows.rows, columns: rows.columns,
        left: rows.left.assumingMemoryBound(to: Float.self), leftStride: rows.leftStride,
        right: rows.right.assumingMemoryBound(to: Float.self), rightStride: rows.rightStride,
        output: rows.result.assumingMemoryBound(to: Float.self), outputStride: rows.columns, lower: lower, upper: upper)
    }
  }
}

/// A function of int16 values in the kernel table, in single precision.
struct Int16Kernel: BinaryKernel {
  private let kernels: ElementwiseKernels
  private let operation: Int16BinaryOperation
  private let parameters: Int16BinaryParameters

  /// Creates the kernel. `Int16BinaryOperation` defines the parameters.
  init(
    _ context: PrepareContext, _ operation: Int16BinaryOperation, _ first: Float, _ second: Float, _ third: Float,
    _ fourth: Float = 0, _ fifth: Float = 0, range: OutputRange
  ) {
    context.uses("vector arithmetic int16")
    kernels = context.kernels.elementwise
    self.operation = operation
    parameters = Int16BinaryParameters(first, second, third, fourth, fifth, lower: range.lower, upper: range.upper)
  }

  var rowKernel: BinaryRowKernel {
    BinaryRowKernel(
      BinaryRowKernel.ElementSizes(left: 2, right: operation == .parametricRelu ? 1 : 2, result: 2)
    ) { left, right, result, count in
      kernels.combineInt16(operation, parameters, count: count, left: left, right: right, output: result)
    }
  }
}

/// A fill of memory with one element.
struct ElementFill: Sendable {
  private let elementBytes: Int
  private let low: UInt64
  private let high: UInt64

  /// Creates the fill.
  ///
  /// - Parameters:
  ///   - element: The bytes of the element.
  ///   - elementBytes: The element size: 1, 2, 4, 8, or 16.
  init(_ element: UnsafeRawPointer, elementBytes: Int) {
    self.elementBytes = elementBytes
    switch elementBytes {
    case 1: low = UInt64(element.load(as: UInt8.self)) &* 0x0101_0101_0101_0101
    case 2: low = UInt64(element.loadUnaligned(as: UInt16.self)) &* 0x0001_0001_0001_0001
    case 4: low = UInt64(element.loadUnaligned(as: UInt32.self)) &* 0x0000_0001_0000_0001
    default: low = element.loadUnaligned(as: UInt64.self)
    }
    high = elementBytes == 16 ? element.loadUnaligned(fromByteOffset: 8, as: UInt64.self) : low
  }

  /// Creates the element from the little-endian bytes of `value`, followed by zero bytes or sign bytes.
  init(_ value: Int64, elementBytes: Int) {
    let words = (value, elementBytes == 16 ? 0 : value)
    self = withUnsafeBytes(of: words) { bytes in
      // The sixteen bytes of the tuple always have an address.
      ElementFill(bytes.baseAddress.unsafelyUnwrapped, elementBytes: elementBytes)
    }
  }

  /// Whether all bytes of the element are equal, so that memory can be set byte by byte.
  private var isUniform: Bool {
    low == high && low == UInt64(UInt8(truncatingIfNeeded: low)) &* 0x0101_0101_0101_0101
  }

  /// Fills `byteCount` bytes, a multiple of the element's size.
  func fill(_ destination: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount > 0 else { return }
    if isUniform {
      memset(destination, Int32(truncatingIfNeeded: low & 0xFF), byteCount)
      return
    }
    let pairs = byteCount / 16
    let pattern = SIMD2(low, high)
    for index in 0..<pairs { destination.storeBytes(of: pattern, toByteOffset: index &* 16, as: SIMD2<UInt64>.self) }
    // The rest is shorter than the pattern, which repeats the element from its first byte.
    withUnsafeBytes(of: pattern) { bytes in
      let done = pairs &* 16
      for index in done..<byteCount {
        destination.storeBytes(of: bytes[index &- done], toByteOffset: index, as: UInt8.self)
      }
    }
  }
}
