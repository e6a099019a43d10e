/// The location of byte weights. Column, tap, and channel each have a stride in bytes.
struct ByteWeights {
  let pointer: UnsafeRawPointer
  let columnStride: Int
  let tapStride: Int
  let channelStride: Int
  /// 0x80808080 for uint8 weights, which are packed as `weight - 128`; 0 for int8.
  let flip: UInt32

  /// Returns up to four channels, starting at `channel`, as signed bytes of one word. Bytes without a channel are 0.
  @inline(__always)
  func word(column: Int, tap: Int, channel: Int, count: Int) -> UInt32 {
    let first = pointer + (column &* columnStride &+ tap &* tapStride &+ channel &* channelStride)
    if channelStride == 1 && count >= 4 { return first.loadUnaligned(as: UInt32.self) ^ flip }
    let present = min(count, 4)
    var word: UInt32 = 0
    var index = present &- 1
    while index >= 0 {
      word =
        word &<< 8 | UInt32(first.load(fromByteOffset: index &* channelStride, as: UInt8.self) ^ UInt8(flip & 0xFF))
      index &-= 1
    }
    return word
  }
}

/// Writes byte weights in the order that `QuantizedPanel` describes, with the contributions of the zero points folded
/// into the biases.
///
/// The sum is `Σ (x - xz)(w - wz)`. The packed bias contains `bias - xz Σ w + depth · xz · wz`, the tile adds `Σ x w`,
/// and only `-wz Σ x` depends on the row. If the tile's inputs are `inputOffset` lower, the `xz` before `Σ w` is lower
/// too.
@inline(__always)
func packBytes<V: VectorISA>(
  _: V.Type, columns: Int, taps: Int, tapDepth: Int, weights: ByteWeights, weightZeroPoint: Int32,
  inputZeroPoint: Int32, bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>?, scaleStride: Int,
  floatBias: UnsafePointer<Float>?, panels: UnsafeMutableRawPointer
) {
  let rowBytes = V.panelColumns &* 4
  let constant = Int32(truncatingIfNeeded: taps &* tapDepth) &* inputZeroPoint &* weightZeroPoint
  var column = 0
  var panel = panels
  while column < columns {
    var lane = 0
    while lane < V.panelColumns {
      let header = panel + lane &* 4
      var target = panel + (4 &* rowBytes &+ lane &* V.groupBytes)
      let exists = column &+ lane < columns
      var sum: Int32 = 0
      var tap = 0
      while tap < taps {
        var channel = 0
        let end = QuantizedPanel<V>.groups(tapDepth) &* V.groupBytes
        while channel < end {
          var word: UInt32 = 0
          if exists, channel < tapDepth {
            word = weights.word(column: column &+ lane, tap: tap, channel: channel, count: tapDepth &- channel)
          }
          target.storeBytes(of: word, as: UInt32.self)
          let signed = Int32(bitPattern: word)
          sum &+= ((signed &<< 24) &>> 24) &+ ((signed &<< 16) &>> 24) &+ ((signed &<< 8) &>> 24) &+ (signed &>> 24)
          channel &+= 4
          // The next word of the group, or the first of the next group.
          target += 4
          if channel & (V.groupBytes &- 1) == 0 { target += V.panelColumns &* V.groupBytes &- V.groupBytes }
        }
        tap &+= 1
      }
      var start = constant &- (inputZeroPoint &- V.inputOffset) &* sum
      var scale: Float = 0
      var offset: Float = 0
      if exists {
        if let bias { start &+= bias[column &+ lane] }
        if let scales { scale = scales[(column &+ lane) &* scaleStride] }
        if let floatBias { offset = floatBias[column &+ lane] }
      }
      header.storeBytes(of: start, as: Int32.self)
      header.storeBytes(of: sum, toByteOffset: rowBytes, as: Int32.self)
      header.storeBytes(of: scale, toByteOffset: 2 &* rowBytes, as: Float.self)
      header.storeBytes(of: offset, toByteOffset: 3 &* rowBytes, as: Float.self)
      lane &+= 1
    }
    column &+= V.panelColumns
    panel += QuantizedPanel<V>.bytes(taps: taps, tapDepth: tapDepth)
  }
}
