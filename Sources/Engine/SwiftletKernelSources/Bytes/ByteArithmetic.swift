// Goals, in order: results bit-exact with XNNPACK, so that tasks agree with it; output may be either operand; bytes are
// widened, combined, and narrowed four vectors at a time.

/// The arithmetic of `ByteRowOperands` on one vector of quantized values, read as unsigned bytes.
protocol ByteCombination<ISA> {
  associatedtype ISA: VectorISA
  /// An operand by itself, so that an operand with one element per row is prepared once.
  associatedtype Operand

  func left(_ quantized: ISA.I) -> Operand
  func right(_ quantized: ISA.I) -> Operand
  /// The result without the output's zero point.
  func combine(_ left: Operand, _ right: Operand) -> ISA.I
}

/// `(left * leftMultiplier + right * rightMultiplier + bias) >> shift`. The bias includes the zero points and one half.
struct ByteSum<ISA: VectorISA>: ByteCombination {
  let leftMultiplier: ISA.I
  let rightMultiplier: ISA.I
  let bias: ISA.I
  let shift: ISA.I

  @inline(__always) func left(_ quantized: ISA.I) -> ISA.I { quantized &* leftMultiplier &+ bias }
  @inline(__always) func right(_ quantized: ISA.I) -> ISA.I { quantized &* rightMultiplier }
  @inline(__always) func combine(_ left: ISA.I, _ right: ISA.I) -> ISA.I { (left &+ right) &>> shift }
}

/// `left * right * factor`, rounded half to even. The product is exact before it is multiplied by the factor.
struct ByteProduct<ISA: VectorISA>: ByteCombination {
  let leftZeroPoint: ISA.F
  let rightZeroPoint: ISA.F
  let factor: ISA.F
  let high: ISA.F

  @inline(__always) func left(_ quantized: ISA.I) -> ISA.F { ISA.toFloat(quantized) - leftZeroPoint }
  @inline(__always) func right(_ quantized: ISA.I) -> ISA.F { ISA.toFloat(quantized) - rightZeroPoint }
  @inline(__always) func combine(_ left: ISA.F, _ right: ISA.F) -> ISA.I {
    ISA.toInt(ISA.minimum(high, left * right * factor))
  }
}

/// `left * (left < 0 ? right * slopeFactor : factor)`, rounded half to even. Differs from the reference's PRELU by at
/// most one step.
struct ByteParametricRelu<ISA: VectorISA>: ByteCombination {
  let leftZeroPoint: ISA.F
  let rightZeroPoint: ISA.F
  let factor: ISA.F
  let slopeFactor: ISA.F
  let high: ISA.F

  @inline(__always) func left(_ quantized: ISA.I) -> ISA.F { ISA.toFloat(quantized) - leftZeroPoint }
  @inline(__always) func right(_ quantized: ISA.I) -> ISA.F { (ISA.toFloat(quantized) - rightZeroPoint) * slopeFactor }
  @inline(__always) func combine(_ left: ISA.F, _ right: ISA.F) -> ISA.I {
    ISA.toInt(ISA.minimum(high, left * ISA.select(signOf: left, negative: right, positive: factor)))
  }
}

/// Rows of two byte operands and of the output. Strides are in bytes.
struct ByteRowOperands<V: VectorISA> {
  let rows: Int
  let columns: Int
  let left: UnsafeRawPointer
  let leftStride: Int
  let right: UnsafeRawPointer
  let rightStride: Int
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  /// 0x80 for signed bytes, which are read as unsigned bytes 128 higher; otherwise 0.
  let flip: Int32
  /// The zero point of signed output bytes.
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32
  /// 0x80808080 for unsigned output; otherwise 0.
  let outputFlip: Int32

  /// Combines the rows.
  ///
  /// - Parameter form: 0 for two vectors, 1 if left has one element per row, 2 if right has.
  @inline(__always)
  func apply<Combination: ByteCombination>(form: Int32, _ combination: Combination) where Combination.ISA == V {
    switch form {
    case 1: apply(leftIsScalar: true, rightIsScalar: false, combination)
    case 2: apply(leftIsScalar: false, rightIsScalar: true, combination)
    default: apply(leftIsScalar: false, rightIsScalar: false, combination)
    }
  }

  @inline(__always)
  private func apply<Combination: ByteCombination>(
    leftIsScalar: Bool, rightIsScalar: Bool, _ combination: Combination
  ) where Combination.ISA == V {
    let flips = V.splat(flip)
    let zero = V.splat(zeroPoint &<< 16 | zeroPoint & 0xFFFF), low = V.splat((lower & 0xFF) &* 0x0101_0101)
    let high = V.splat((upper & 0xFF) &* 0x0101_0101)
    let outputFlips = V.splat(outputFlip)
    var row = 0
    while row < rows {
      let leftRow = left + row &* leftStride, rightRow = right + row &* rightStride
      let target = output + row &* outputStride
      let leftScalar = combination.left(
        leftIsScalar ? V.splat(Int32(leftRow.load(as: UInt8.self))) ^ flips : V.I())
      let rightScalar = combination.right(
        rightIsScalar ? V.splat(Int32(rightRow.load(as: UInt8.self))) ^ flips : V.I())
      var column = 0
      while column &+ 4 &* V.lanes <= columns {
        let at = column
        @inline(__always) func vector(_ index: Int) -> V.I {
          let offset = at &+ index &* V.lanes
          return combination.combine(
            leftIsScalar ? leftScalar : combination.left(V.loadBytes(leftRow + offset) ^ flips),
            rightIsScalar ? rightScalar : combination.right(V.loadBytes(rightRow + offset) ^ flips))
        }
        let (first, second) = V.saturatedBytes(
          vector(0), vector(1), vector(2), vector(3), zeroPoint: zero, lower: low, upper: high, flip: outputFlips)
        (target + column).storeBytes(of: first, as: V.PanelBytes.self)
        (target + (column &+ 2 &* V.lanes)).storeBytes(of: second, as: V.PanelBytes.self)
        column &+= 4 &* V.lanes
      }
      while column < columns {
        let count = min(V.lanes, columns &- column)
        let x = combination.combine(
          leftIsScalar ? leftScalar : combination.left(V.loadFirstBytes(count, leftRow + column) ^ flips),
          rightIsScalar ? rightScalar : combination.right(V.loadFirstBytes(count, rightRow + column) ^ flips))
        let (bytes, _) = V.saturatedBytes(x, x, x, x, zeroPoint: zero, lower: low, upper: high, flip: outputFlips)
        V.storeFirst(count, bytes, target + column)
        column &+= V.lanes
      }
      row &+= 1
    }
  }
}
