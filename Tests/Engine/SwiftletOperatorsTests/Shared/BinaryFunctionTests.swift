import SwiftletBase
import SwiftletKernels
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Loops over two operands")
struct BinaryFunctionTests {
  private struct Difference: BinaryFunction {
    func callAsFunction(_ left: Int32, _ right: Int16) -> Int64 { Int64(left) - Int64(right) }
  }

  private struct Quotient: BinaryFunction {
    func callAsFunction(_ left: Float, _ right: Float) -> Float { left / right }
  }

  private struct Doubled: UnaryFunction {
    func callAsFunction(_ input: Int8) -> Int32 { 2 * Int32(input) }
  }

  private struct Widened: UnaryFunction {
    func callAsFunction(_ input: UInt8) -> Int16 { Int16(input) }
  }

  private struct Narrowed: UnaryFunction {
    func callAsFunction(_ input: Int64) -> Int16 { Int16(truncatingIfNeeded: input) }
  }

  /// Rows are longer than the pieces into which scalars are expanded.
  private static let columns = 600

  private func run<Left: BitwiseCopyable, Right: BitwiseCopyable, Result: BitwiseCopyable>(
    _ kernel: BinaryRowKernel, _ left: [Left], _ right: [Right], rows: Int, columns: Int = Self.columns,
    strides: (Int, Int), _ form: BinaryForm, _ zero: Result
  ) throws -> [Result] {
    var result = [Result](repeating: zero, count: rows * columns)
    let scratch = AlignedBytes(zeroed: kernel.scratchBytes)
    try left.withUnsafeBytes { left in
      try right.withUnsafeBytes { right in
        try result.withUnsafeMutableBytes { result in
          kernel.run(
            BinaryRows(
              left: try #require(left.baseAddress), right: try #require(right.baseAddress),
              result: try #require(result.baseAddress), columns: columns, rows: rows, leftStride: strides.0,
              rightStride: strides.1, form: form), scratch.start)
        }
      }
    }
    return result
  }

  private let long = (0..<3 * columns).map { Int32($0 * 37 % 1009) }
  private let short = (0..<3 * columns).map { Int16($0 * 53 % 997) }

  @Test("both operands are rows")
  func vectors() throws {
    let result = try run(
      Difference().rowKernel, long, short, rows: 3, strides: (Self.columns, Self.columns), .vectors, Int64(0))
    #expect(result == zip(long, short).map { Int64($0) - Int64($1) })
  }

  @Test("one operand has one element per row, or one for all rows", arguments: [0, 1])
  func scalars(stride: Int) throws {
    let left = try run(
      Difference().rowKernel, long, short, rows: 3, strides: (stride, Self.columns), .leftScalar, Int64(0))
    let right = try run(
      Difference().rowKernel, long, short, rows: 3, strides: (Self.columns, stride), .rightScalar, Int64(0))
    for index in 0..<3 * Self.columns {
      let row = index / Self.columns
      #expect(left[index] == Int64(long[row * stride]) - Int64(short[index]))
      #expect(right[index] == Int64(long[index]) - Int64(short[row * stride]))
    }
  }

  @Test("one operand has one element for each of many short rows", arguments: [1, 3, 40, 256], [0, 1])
  func shortRows(columns: Int, stride: Int) throws {
    let rows = 3 * Self.columns / columns, dense = rows * columns
    let left = try run(
      Difference().rowKernel, long, short, rows: rows, columns: columns, strides: (stride, columns), .leftScalar,
      Int64(0))
    let right = try run(
      Difference().rowKernel, long, short, rows: rows, columns: columns, strides: (columns, stride), .rightScalar,
      Int64(0))
    let repeated = try run(
      Difference().rowKernel, long, short, rows: rows, columns: columns, strides: (stride, 0), .leftScalar, Int64(0))
    for index in 0..<dense {
      let row = index / columns
      #expect(left[index] == Int64(long[row * stride]) - Int64(short[index]))
      #expect(right[index] == Int64(long[index]) - Int64(short[row * stride]))
      #expect(repeated[index] == Int64(long[row * stride]) - Int64(short[index % columns]))
    }
  }

  @Test("operands are swapped")
  func exchanged() throws {
    let result = try run(
      Difference().rowKernel.exchanged, short, long, rows: 3, strides: (Self.columns, 1), .rightScalar, Int64(0))
    for index in 0..<3 * Self.columns {
      #expect(result[index] == Int64(long[index / Self.columns]) - Int64(short[index]))
    }
  }

  @Test("operands and results are mapped, in rows of any length")
  func mapped() throws {
    let signed = (0..<Self.columns).map { Int8(truncatingIfNeeded: $0) }
    let unsigned = (0..<Self.columns).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let kernel = BinaryRowKernel(
      left: Doubled().loop, right: Widened().loop, Difference().rowKernel, result: Narrowed().loop)
    let result = try run(kernel, signed, unsigned, rows: 1, strides: (0, 0), .vectors, Int16(0))
    #expect(result == zip(signed, unsigned).map { 2 * Int16($0) - Int16($1) })
    let scalar = try run(kernel, signed, unsigned, rows: 1, strides: (0, 0), .leftScalar, Int16(0))
    #expect(scalar == unsigned.map { -Int16($0) })
  }

  @Test("float16 is computed in single precision and rounded once")
  func sixteenBitFloats() throws {
    let left = (0..<Self.columns).map { Half(Float($0) / 7) }
    let right = (0..<Self.columns).map { Half(Float($0 + 1) / 3) }
    let result = try run(
      .sixteenBitFloats(Half.self, Quotient()), left, right, rows: 1, strides: (0, 0), .vectors, Half(0))
    let expected = zip(left, right).map { Half($0.floatValue / $1.floatValue) }
    #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
  }
}
