/// Writes weights rounded to bfloat16 in the order in which the tile reads them.
///
/// The layout is that of float32, but every step along the depth contains a group of values for each column, and every
/// tap starts with a new step. Values of a tap's last group that have no element are zero.
@inline(__always)
func packBFloat16<V: BFloat16ISA>(
  _: V.Type, columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Float>, columnStride: Int, tapStride: Int,
  depthStride: Int, bias: UnsafePointer<Float>?, panels: UnsafeMutablePointer<UInt32>
) {
  let words = V.bfloat16Group &>> 1
  var column = 0
  var panel = panels
  while column < columns {
    var to = panel
    var lane = 0
    while lane < V.panelColumns {
      let isUsed = column &+ lane < columns
      to = panel + lane
      to.pointee = 0
      if isUsed, let bias { to.pointee = bias[column &+ lane].bitPattern }
      to = panel + (V.panelColumns &+ lane &* words)
      var tap = 0
      while tap < taps {
        var from = weights + ((isUsed ? column &+ lane : 0) &* columnStride &+ tap &* tapStride)
        var position = 0
        while position < tapDepth {
          var word = 0
          while word < words {
            var pair: UInt32 = 0
            if isUsed, position < tapDepth {
              pair = bfloat16Bits(from.pointee)
              if position &+ 1 < tapDepth { pair |= bfloat16Bits(from[depthStride]) &<< 16 }
            }
            to[word] = pair
            from += 2 &* depthStride
            position &+= 2
            word &+= 1
          }
          to += V.panelColumns &* words
        }
        tap &+= 1
      }
      lane &+= 1
    }
    column &+= V.panelColumns
    panel = to - (V.panelColumns &- 1) &* words
  }
}

/// Returns the upper half of a float32 value after rounding to nearest, ties to even. NaN stays NaN.
@inline(__always)
func bfloat16Bits(_ x: Float) -> UInt32 {
  let bits = x.bitPattern
  // The bits of infinity are the largest that aren't NaN. A NaN must not be rounded up into the sign bit.
  let isNaN = bits &<< 1 > 0xFF00_0000
  return isNaN ? bits &>> 16 | 0x40 : (bits &+ 0x7FFF &+ (bits &>> 16 & 1)) &>> 16
}
