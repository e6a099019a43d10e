// Goals, in order: at most one step from the reference's fixed-point result; output may be either operand; bytes are
// widened, combined in float and narrowed four vectors at a time.

/// Rows of two byte operands and where the results go; distances in bytes.
struct ByteRowOperands<V: VectorISA> {
  let rows: Int
  let columns: Int
  let left: UnsafeRawPointer
  let leftStride: Int
  let right: UnsafeRawPointer
  let rightStride: Int
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  /// 0x80 for signed bytes, which are read as unsigned ones 128 higher, else 0.
  let flip: Int32
  let leftZeroPoint: Float
  let rightZeroPoint: Float
  let leftScale: Float
  let rightScale: Float
  /// Of signed output bytes.
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32
  /// 0x80808080 for unsigned output, else 0.
  let outputFlip: Int32

  /// `form`: 0 for two vectors, 1 where left is one element per row, 2 where right is. `isProduct`: multiply (the factor
  /// is `leftScale`) rather than add.
  @inline(always)
  func apply(form: Int32, isProduct: Bool) {
    switch form {
    case 1: apply(leftIsScalar: true, rightIsScalar: false, isProduct: isProduct)
    case 2: apply(leftIsScalar: false, rightIsScalar: true, isProduct: isProduct)
    default: apply(leftIsScalar: false, rightIsScalar: false, isProduct: isProduct)
    }
  }

  @inline(always)
  private func apply(leftIsScalar: Bool, rightIsScalar: Bool, isProduct: Bool) {
    let flips = V.splat(flip)
    let leftZero = V.splat(leftZeroPoint), rightZero = V.splat(rightZeroPoint)
    let a = V.splat(leftScale), b = V.splat(rightScale)
    let high = V.splat(Float(upper &- zeroPoint))
    let zero = V.splat(zeroPoint &<< 16 | zeroPoint & 0xFFFF), low = V.splat((lower & 0xFF) &* 0x0101_0101)
    let outputFlips = V.splat(outputFlip)
    @inline(always) func leftValue(_ x: V.I) -> V.F { V.toFloat(x ^ flips) - leftZero }
    @inline(always) func rightValue(_ x: V.I) -> V.F { V.toFloat(x ^ flips) - rightZero }
    @inline(always) func combine(_ x: V.F, _ y: V.F) -> V.I {
      let result = isProduct ? x * y * a : V.multiplyAdd(x, a, y * b)
      return V.toInt(V.minimum(high, result))
    }
    var row = 0
    while row < rows {
      let leftRow = left + row &* leftStride, rightRow = right + row &* rightStride
      let target = output + row &* outputStride
      let leftScalar = leftIsScalar ? leftValue(V.splat(Int32(leftRow.load(as: UInt8.self)))) : V.F()
      let rightScalar = rightIsScalar ? rightValue(V.splat(Int32(rightRow.load(as: UInt8.self)))) : V.F()
      var column = 0
      while column &+ 4 &* V.lanes <= columns {
        let at = column
        @inline(always) func vector(_ index: Int) -> V.I {
          let offset = at &+ index &* V.lanes
          return combine(
            leftIsScalar ? leftScalar : leftValue(V.loadBytes(leftRow + offset)),
            rightIsScalar ? rightScalar : rightValue(V.loadBytes(rightRow + offset)))
        }
        let (first, second) = V.saturatedBytes(
          vector(0), vector(1), vector(2), vector(3), zeroPoint: zero, lower: low, flip: outputFlips)
        (target + column).storeBytes(of: first, as: V.PanelBytes.self)
        (target + (column &+ 2 &* V.lanes)).storeBytes(of: second, as: V.PanelBytes.self)
        column &+= 4 &* V.lanes
      }
      while column < columns {
        let count = min(V.lanes, columns &- column)
        let x = combine(
          leftIsScalar ? leftScalar : leftValue(V.loadFirstBytes(count, leftRow + column)),
          rightIsScalar ? rightScalar : rightValue(V.loadFirstBytes(count, rightRow + column)))
        let (bytes, _) = V.saturatedBytes(x, x, x, x, zeroPoint: zero, lower: low, flip: outputFlips)
        V.storeFirst(count, bytes, target + column)
        column &+= V.lanes
      }
      row &+= 1
    }
  }
}
