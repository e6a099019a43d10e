internal import SwiftletKernelSets

/// Copies of rows in the form that products read fastest: unsigned, one tap after another, and in 16 bits if the
/// instruction set multiplies 16-bit values.
extension QuantizedGemmKernels {
  /// The maximum size of the copies of a part of the rows, except for the rows of one tile. They stay in the first-level
  /// cache while panels are read.
  private static var partBytes: Int { 1 << 14 }
  /// The maximum size of the copies of a tile.
  private static var maximumTileBytes: Int { 1 << 18 }

  /// Returns whether products are faster if they copy their rows first.
  ///
  /// Costs are approximate counts of instructions per row. With AVX2, both ways took the same time on Zen 3 for 1×1 layers
  /// at the limit, such as 64 channels and 16 filters.
  ///
  /// - Parameter flips: Whether rows are signed and have one tap, so that instruction sets with products of unsigned
  ///   bytes would flip their sign bits once instead of once per panel.
  package func prefersCopies(rows: Int, columns: Int, taps: Int, tapDepth: Int, flips: Bool) -> Bool {
    guard copiedByteSize > 1 else { return flips && prefersUnsigned && rows >= tileRows && columns >= 64 }
    let words = (tapDepth + 3) / 4, lanes = panelColumns / 2
    guard rows > 1, taps * words <= Self.maximumTileBytes / copiedByteSize / tileRows / 4 else { return false }
    let rest = words % lanes
    let copy = 8 + words / lanes * 12 + (rest > 2 ? 12 : rest * 6)
    // For each vector of columns, a product that reads copies saves about a cycle per word.
    return copy < (columns + lanes / 2) / lanes * words
  }

  /// Returns the size of the memory for copies of up to `rows` rows.
  package func copyByteCount(rows: Int, taps: Int, tapDepth: Int) -> Int {
    let rowBytes = copiedRowBytes(taps: taps, tapDepth: tapDepth)
    // The kernel writes whole vectors of groups.
    return min(rows, partRows(rowBytes)) * rowBytes + 2 * panelColumns * copiedByteSize
  }

  /// Calls `body` with parts of `input`, as copies if it has memory for them, and with the position of their first rows.
  ///
  /// - Parameter keepsSigns: Whether copies of signed bytes remain signed, because a kernel needs to know.
  @inline(__always)
  func forEachPart(
    rows: Int, input: ByteRows, keepsSigns: Bool = false,
    _ body: (_ first: Int, _ rows: Int, _ input: RowArguments) -> Void
  ) {
    guard let memory = input.copyMemory else { return body(0, rows, RowArguments(input)) }
    let rowBytes = copiedRowBytes(taps: input.taps, tapDepth: input.tapDepth)
    let depth = rowBytes / copiedByteSize, step = partRows(rowBytes)
    // 16-bit copies are unsigned in any case, and bit 0 marks them.
    let isWide = copiedByteSize > 1, keepsSigns = keepsSigns && !isWide
    var first = 0
    while first < rows {
      let count = min(step, rows &- first)
      let offsets = input.offsets.map { $0 + first &* input.taps }
      let base = offsets == nil ? input.base + first &* input.stride : input.base
      set.call.copy_rows_u8(
        count, input.taps, input.tapDepth, base, input.stride, keepsSigns ? 0 : input.flip, offsets, input.zeroRow,
        memory)
      body(
        first, count,
        RowArguments(
          taps: 1, tapDepth: depth, base: UnsafeRawPointer(memory), stride: rowBytes,
          flip: isWide ? input.flip | 1 : keepsSigns ? input.flip : 0, offsets: nil, zeroRow: UnsafeRawPointer(memory)))
      first &+= count
    }
  }

  private func copiedRowBytes(taps: Int, tapDepth: Int) -> Int {
    taps &* ((tapDepth &+ groupBytes &- 1) / groupBytes) &* groupBytes &* copiedByteSize
  }

  /// Returns the number of rows in a part: whole tiles.
  private func partRows(_ rowBytes: Int) -> Int { max(1, Self.partBytes / max(1, rowBytes) / tileRows) &* tileRows }
}

/// The arguments that describe the rows of a product to a kernel.
struct RowArguments {
  let taps: Int
  let tapDepth: Int
  let base: UnsafeRawPointer
  let stride: Int
  /// 0x80808080 for signed bytes, otherwise 0. Bit 0 is set for 16-bit copies.
  let flip: Int32
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
}

extension RowArguments {
  init(_ rows: ByteRows) {
    self.init(
      taps: rows.taps, tapDepth: rows.tapDepth, base: rows.base, stride: rows.stride, flip: rows.flip,
      offsets: rows.offsets, zeroRow: rows.zeroRow)
  }
}
