import SwiftletEngine
import SwiftletFlatBuffers
import SwiftletKernels

/// A function of an 8-bit code as a table: exact, whatever the function costs.
struct LookupTable<Code: FixedWidthInteger & BitwiseCopyable, Result: BitwiseCopyable>: UnaryFunction {
  /// Owns the memory that `entries` points to.
  private let storage: AlignedBytes
  nonisolated(unsafe) private let entries: UnsafePointer<Result>

  /// Calls `function` for every code. `Code` must be an 8-bit type.
  init(_ function: (Code) throws -> Result) rethrows {
    let storage = AlignedBytes(zeroed: 256 * MemoryLayout<Result>.stride)
    for bits in 0..<256 {
      let result = try function(Code(truncatingIfNeeded: bits))
      storage.bytes.storeBytes(of: result, toByteOffset: bits * MemoryLayout<Result>.stride, as: Result.self)
    }
    self.storage = storage
    entries = UnsafePointer(storage.start.assumingMemoryBound(to: Result.self))
  }

  /// Applies the table to `count` codes by a kernel. `Result` must be an 8-bit type, too.
  func apply(
    _ kernels: ByteKernels, count: Int, from input: UnsafePointer<Code>, to output: UnsafeMutablePointer<Result>
  ) {
    kernels.lookUp(
      count: count, table: UnsafeRawPointer(entries).assumingMemoryBound(to: UInt8.self),
      input: UnsafeRawPointer(input).assumingMemoryBound(to: UInt8.self),
      output: UnsafeMutableRawPointer(output).assumingMemoryBound(to: UInt8.self))
  }

  @inline(__always)
  func callAsFunction(_ input: Code) -> Result { entries[Int(UInt8(truncatingIfNeeded: input))] }
}

extension LookupTable where Result == Code {
  /// The table of a real function between quantised 8-bit tensors.
  ///
  /// - Source: the reference's table rule: everything in single precision, the output scale applied as a reciprocal,
  ///   rounded half away from zero, then clamped.
  init(
    input: (scale: Float, zeroPoint: Int32), output: (scale: Float, zeroPoint: Int32), _ function: (Float) -> Float
  ) {
    let reciprocal = 1 / output.scale
    self.init { (code: Code) in
      let value = function(input.scale * Float(Int32(code) &- input.zeroPoint))
      let rounded = (value * reciprocal).rounded(.toNearestOrAwayFromZero) + Float(output.zeroPoint)
      return Code(saturating: rounded)
    }
  }
}

extension FixedWidthInteger {
  /// The nearest representable integer below or at `value`; NaN gives the smallest, as conversion instructions do.
  @inline(__always)
  init(saturating value: Float) {
    if value >= Float(Self.max) {
      self = .max
    } else if value > Float(Self.min) {
      self = Self(value)
    } else {
      self = .min
    }
  }
}
