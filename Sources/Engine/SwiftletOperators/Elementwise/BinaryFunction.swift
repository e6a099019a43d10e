import SwiftletEngine

/// A function of two elements, from which the loop over a row is generated.
///
/// Conforming types are small structs of constants with an `@inline(__always)` call, so that the loop is compiled for
/// the function. All other code is shared by all functions: the code that locates rows and converts operands.
protocol BinaryFunction: BinaryKernel {
  associatedtype Left: BitwiseCopyable
  associatedtype Right: BitwiseCopyable
  associatedtype Result: BitwiseCopyable

  func callAsFunction(_ left: Left, _ right: Right) -> Result
}

extension BinaryFunction {
  // Once per function instead of once per use.
  @inline(never)
  var rowKernel: BinaryRowKernel {
    BinaryRowKernel(
      BinaryRowKernel.ElementSizes(
        left: MemoryLayout<Left>.stride, right: MemoryLayout<Right>.stride, result: MemoryLayout<Result>.stride)
    ) { left, right, result, count in
      let left = left.assumingMemoryBound(to: Left.self)
      let right = right.assumingMemoryBound(to: Right.self)
      let result = result.assumingMemoryBound(to: Result.self)
      for index in 0..<count { result[index] = self(left[index], right[index]) }
    }
  }
}

extension BinaryRowKernel {
  /// A loop over `count` elements of both operands.
  typealias Loop =
    @Sendable (
      _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) -> Void

  /// The number of elements per piece of a long row if an operand must first be converted.
  private static let piece = 256

  /// Creates a kernel from a loop. If an operand has one element for a whole row, a row of that element is written
  /// first.
  // Compiled once instead of once per kernel.
  @inline(never)
  init(_ sizes: ElementSizes, loop: @escaping Loop) {
    self.init(sizes, loopScratch: 0) { left, right, result, count, _ in loop(left, right, result, count) }
  }

  /// Creates a kernel that applies `kernel` to converted operands, and then converts the results with `result`.
  /// Elements have at most 8 bytes.
  init(left: UnaryLoop, right: UnaryLoop, _ kernel: BinaryRowKernel, result: UnaryLoop? = nil) {
    let sizes = ElementSizes(
      left: left.inputBytes, right: right.inputBytes, result: result?.resultBytes ?? kernel.sizes.result)
    let bytes = Self.piece * 8
    self.init(sizes, loopScratch: 3 * bytes + kernel.scratchBytes) {
      leftStart, rightStart, resultStart, count, scratch in
      Self.inPieces(count) { first, count in
        let output = resultStart + first &* sizes.result
        left.run(leftStart + first &* sizes.left, scratch, count)
        right.run(rightStart + first &* sizes.right, scratch + bytes, count)
        let rows = BinaryRows(
          left: scratch, right: scratch + bytes, result: result == nil ? output : scratch + 2 &* bytes, columns: count,
          rows: 1, leftStride: 0, rightStride: 0, form: .vectors)
        kernel.run(rows, scratch + 3 &* bytes)
        result?.run(rows.result, output, count)
      }
    }
  }

  /// The kernel with its operands exchanged.
  var exchanged: BinaryRowKernel {
    let sizes = ElementSizes(left: sizes.right, right: sizes.left, result: sizes.result)
    return BinaryRowKernel(sizes: sizes, scratchBytes: scratchBytes) { rows, scratch in
      let form: BinaryForm =
        switch rows.form {
        case .vectors: .vectors
        case .leftScalar: .rightScalar
        case .rightScalar: .leftScalar
        }
      run(
        BinaryRows(
          left: rows.right, right: rows.left, result: rows.result, columns: rows.columns, rows: rows.rows,
          leftStride: rows.rightStride, rightStride: rows.leftStride, form: form), scratch)
    }
  }

  private init(
    _ sizes: ElementSizes, loopScratch: Int,
    loop:
      @escaping @Sendable (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) ->
      Void
  ) {
    let spreadBytes = Self.piece * max(sizes.left, sizes.right)
    self.init(sizes: sizes, scratchBytes: spreadBytes + loopScratch) { rows, scratch in
      let rest = scratch + spreadBytes
      guard rows.form == .vectors else { return Self.runScalars(rows, sizes, scratch, rest, loop) }
      for row in 0..<rows.rows {
        loop(
          rows.left + row &* rows.leftStride &* sizes.left, rows.right + row &* rows.rightStride &* sizes.right,
          rows.result + row &* rows.columns &* sizes.result, rows.columns, rest)
      }
    }
  }

  /// Runs rows where one operand is a single element, which is repeated. If rows are short and the other operand's rows
  /// are contiguous, the elements are repeated for as many rows as fit a piece.
  private static func runScalars(
    _ rows: BinaryRows, _ sizes: ElementSizes, _ scratch: UnsafeMutableRawPointer, _ rest: UnsafeMutableRawPointer,
    _ loop: (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void
  ) {
    let isLeft = rows.form == .leftScalar, columns = rows.columns
    let scalars = (
      start: isLeft ? rows.left : rows.right, bytes: isLeft ? sizes.left : sizes.right,
      stride: isLeft ? rows.leftStride : rows.rightStride
    )
    let others = (
      start: isLeft ? rows.right : rows.left, bytes: isLeft ? sizes.right : sizes.left,
      stride: isLeft ? rows.rightStride : rows.leftStride
    )
    let rowsAtOnce = others.stride == columns ? max(1, piece / max(1, columns)) : 1
    let width = min(columns, piece)
    var row = 0
    while row < rows.rows {
      let count = min(rowsAtOnce, rows.rows &- row)
      if row == 0 || scalars.stride != 0 {
        for index in 0..<count {
          spread(
            scalars.start + (row &+ index) &* scalars.stride &* scalars.bytes, scalars.bytes, width,
            scratch + index &* width &* scalars.bytes)
        }
      }
      let other = others.start + row &* others.stride &* others.bytes
      let result = rows.result + row &* columns &* sizes.result
      inPieces(count &* columns) { first, count in
        let (other, result) = (other + first &* others.bytes, result + first &* sizes.result)
        if isLeft { loop(scratch, other, result, count, rest) } else { loop(other, scratch, result, count, rest) }
      }
      row &+= count
    }
  }

  @inline(__always)
  private static func inPieces(_ columns: Int, _ body: (_ first: Int, _ count: Int) -> Void) {
    var first = 0
    while first < columns {
      let count = min(piece, columns &- first)
      body(first, count)
      first &+= count
    }
  }

  /// Writes the element `count` times.
  @inline(__always)
  private static func spread(
    _ element: UnsafeRawPointer, _ bytes: Int, _ count: Int, _ memory: UnsafeMutableRawPointer
  ) {
    switch bytes {
    case 1: write(UInt8.self, element, count, memory)
    case 2: write(UInt16.self, element, count, memory)
    case 4: write(UInt32.self, element, count, memory)
    case 8: write(UInt64.self, element, count, memory)
    default: ElementFill(element, elementBytes: bytes).fill(memory, byteCount: count &* bytes)
    }
  }

  @inline(__always)
  private static func write<Element: BitwiseCopyable>(
    _ type: Element.Type, _ element: UnsafeRawPointer, _ count: Int, _ memory: UnsafeMutableRawPointer
  ) {
    let value = element.loadUnaligned(as: type), memory = memory.assumingMemoryBound(to: type)
    for index in 0..<count { memory[index] = value }
  }
}
