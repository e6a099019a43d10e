/// The blocks of a row of int4 weights, in the order of the depth.
package struct Int4Blocks {
  /// The number of blocks and of channels in each. Weights with one scale per column are a single block.
  package var count: Int
  package var size: Int
  /// Whether every block has its own scale. If not, every column has one.
  package var haveScales: Bool

  package init(count: Int, size: Int, haveScales: Bool) {
    self.count = count
    self.size = size
    self.haveScales = haveScales
  }

  /// The number of groups of eight channels in a block, including a partial last one.
  fileprivate var groups: Int { (size + 7) / 8 }
}

extension QuantizedGemmKernels {
  /// Returns the size of packed int4 weights in bytes.
  package func packedByteCount(columns: Int, blocks: Int4Blocks) -> Int {
    let rows = 4 + blocks.count * (blocks.groups + (blocks.haveScales ? 1 : 0))
    return (columns + panelColumns - 1) / panelColumns * panelColumns * 4 * rows
  }

  /// Packs weights from -8 to 7 for `multiplyDynamicRange` with int4 weights. Every weight takes a byte of `weights`,
  /// and a column is contiguous.
  ///
  /// To pack a range of columns, see `pack`.
  ///
  /// - Parameters:
  ///   - columnStride: The distance between two columns of `weights`.
  ///   - scales: A scale for every column, or for every block of every column, column by column.
  ///   - bias: A bias for every column, or nil for zeros.
  ///   - panels: Memory for `packedByteCount` bytes, aligned to at least 4 bytes. 64-byte alignment is fastest.
  package func packInt4(
    columns: Int, blocks: Int4Blocks, weights: UnsafePointer<Int8>, columnStride: Int, scales: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, into panels: UnsafeMutableRawPointer
  ) {
    let byteCount = packedByteCount(columns: columns, blocks: blocks)
    panels.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    let panelBytes = packedByteCount(columns: 1, blocks: blocks), row = panelColumns * 4
    for column in 0..<columns {
      let header = panels + (column / panelColumns &* panelBytes &+ column % panelColumns &* 4)
      let source = weights + column &* columnStride
      var target = header + 4 &* row
      var sum: Int32 = 0
      // The contribution of one step of the row's zero point.
      var scaledSum: Float = 0
      for block in 0..<blocks.count {
        let blockSum = packGroups(of: blocks, source + block &* blocks.size, into: &target)
        sum &+= blockSum
        guard blocks.haveScales else { continue }
        let scale = scales[column &* blocks.count &+ block]
        scaledSum += scale * Float(blockSum)
        target.storeBytes(of: scale, as: Float.self)
        target += row
      }
      header.storeBytes(of: sum, toByteOffset: row, as: Int32.self)
      header.storeBytes(of: blocks.haveScales ? scaledSum : scales[column], toByteOffset: 2 &* row, as: Float.self)
      header.storeBytes(of: bias?[column] ?? 0, toByteOffset: 3 &* row, as: Float.self)
    }
  }

  /// Packs a block of a column, and returns the sum of its weights.
  private func packGroups(
    of blocks: Int4Blocks, _ weights: UnsafePointer<Int8>, into target: inout UnsafeMutableRawPointer
  ) -> Int32 {
    var sum: Int32 = 0
    var first = 0
    while first &+ 8 <= blocks.size {
      // The low halves of the bytes, plus 8.
      let bytes =
        (UnsafeRawPointer(weights + first).loadUnaligned(as: UInt64.self).littleEndian ^ 0x0808_0808_0808_0808)
        & 0x0F0F_0F0F_0F0F_0F0F
      // The top byte of the product is the sum of all bytes, at most 8 times 15.
      sum &+= Int32(truncatingIfNeeded: (bytes &* 0x0101_0101_0101_0101) &>> 56) &- 64
      // Channels 0 to 3 are in the low halves of the bytes, channels 4 to 7 in the high halves.
      target.storeBytes(of: UInt32(truncatingIfNeeded: bytes | bytes &>> 28), as: UInt32.self)
      target += panelColumns &* 4
      first &+= 8
    }
    guard first < blocks.size else { return sum }
    var word: UInt32 = 0
    for index in 0..<blocks.size &- first {
      let weight = Int32(weights[first &+ index])
      sum &+= weight
      word |= (UInt32(truncatingIfNeeded: weight &+ 8) & 15) &<< UInt32(index & 3 &* 8 &+ index &>> 2 &* 4)
    }
    target.storeBytes(of: word, as: UInt32.self)
    target += panelColumns &* 4
    return sum
  }
}
