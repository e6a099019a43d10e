// Goals, in order: output may be either operand if the row strides are equal; full registers of bytes, four per lane.

/// The maximum or minimum of rows of two byte operands. Strides are in bytes.
struct ByteExtremes<V: VectorISA> {
  let rows: Int
  let columns: Int
  let left: UnsafeRawPointer
  let leftStride: Int
  let right: UnsafeRawPointer
  let rightStride: Int
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  /// 0x80808080 for signed bytes, which are compared as unsigned bytes 128 higher; otherwise 0.
  let flip: Int32

  /// Computes the maxima or minima.
  ///
  /// - Parameter form: 0 for two vectors, 1 if left has one element per row, 2 if right has.
  @inline(__always)
  func apply(form: Int32, isMaximum: Bool) {
    switch form {
    // The operation is commutative.
    case 1: apply(right, rightStride, left, leftStride, secondIsScalar: true, isMaximum: isMaximum)
    case 2: apply(left, leftStride, right, rightStride, secondIsScalar: true, isMaximum: isMaximum)
    default: apply(left, leftStride, right, rightStride, secondIsScalar: false, isMaximum: isMaximum)
    }
  }

  @inline(__always)
  private func apply(
    _ first: UnsafeRawPointer, _ firstStride: Int, _ second: UnsafeRawPointer, _ secondStride: Int,
    secondIsScalar: Bool, isMaximum: Bool
  ) {
    let flips = V.splat(flip)
    @inline(__always) func extreme(_ x: V.I, _ y: V.I) -> V.I {
      (isMaximum ? V.maximumBytes(x ^ flips, y ^ flips) : V.minimumBytes(x ^ flips, y ^ flips)) ^ flips
    }
    var row = 0
    while row < rows {
      let x = first + row &* firstStride, y = second + row &* secondStride, target = output + row &* outputStride
      let scalar = secondIsScalar ? V.splat(Int32(y.load(as: UInt8.self)) &* 0x0101_0101) : V.I()
      var column = 0
      if columns >= V.vectorBytes {
        while column < columns {
          // The last vector overlaps the previous one. This doesn't change the result, because maximum and minimum are
          // idempotent.
          let at = min(column, columns &- V.vectorBytes)
          V.store(extreme(V.loadInts(x + at), secondIsScalar ? scalar : V.loadInts(y + at)), target + at)
          column &+= V.vectorBytes
        }
      }
      while column < columns {
        let count = min(V.lanes, columns &- column)
        V.storeFirstBytes(
          count,
          extreme(
            V.loadFirstBytes(count, x + column), secondIsScalar ? scalar : V.loadFirstBytes(count, y + column)),
          target + column)
        column &+= V.lanes
      }
      row &+= 1
    }
  }
}

/// Finds the position of the largest byte of each row after an exclusive or with `flip` (a byte). Ties go to the first
/// position.
///
/// A byte and its distance from the end of the row form one integer, whose maximum gives both.
@inline(__always)
func positionsOfLargestBytes<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafeRawPointer, flip: Int32, output: UnsafeMutablePointer<Int32>
) {
  let flips = V.splat(flip)
  let ramp = V.ramp()
  var row = 0
  while row < rows {
    let source = input + row &* columns
    var best = V.splat(-1 as Int32)
    var column = 0
    while column < columns {
      let count = columns &- column
      // Lanes past the end become negative.
      let behind = V.splat(Int32(truncatingIfNeeded: count &- 1)) &- ramp
      let bytes = count >= V.lanes ? V.loadBytes(source + column) : V.loadFirstBytes(count, source + column)
      best = V.maximum(best, ((bytes ^ flips) &<< 22) | behind)
      column &+= V.lanes
    }
    output[row] = Int32(truncatingIfNeeded: columns &- 1) &- (V.largest(best) & 0x3F_FFFF)
    row &+= 1
  }
}
