/// Copies of rows of bytes in the form that products read fastest.
///
/// A copied row consists of all taps, each in whole groups of `V.groupBytes`, without gaps. Every four bytes are in the
/// form of `V.storeCopies`.
struct RowCopies<V: VectorISA> {
  let tapDepth: Int
  let source: RowSource
  /// 0x80808080 to copy signed bytes as unsigned bytes 128 higher; 0 to copy them unchanged.
  let flip: Int32

  /// The size of four copied bytes.
  @inline(__always) static var wordBytes: Int { 4 &* V.copiedByteSize }

  /// Copies rows. A vector of copies after the last row may be overwritten.
  @inline(__always)
  func compute(rows: Int, output: UnsafeMutableRawPointer) {
    let bytes = QuantizedRow<V>(tapDepth: tapDepth, flip: flip)
    let flips = V.splat(flip)
    let words = tapDepth &>> 2, tail = tapDepth & 3
    var target = output
    var row = 0
    while row < rows {
      var tap = 0
      while tap < source.taps {
        var run = source.pointer(row: row, tap: tap)
        var left = words
        while left >= V.lanes {
          V.storeCopies(V.loadInts(run), flip: flips, target)
          run += V.vectorBytes
          target += V.lanes &* Self.wordBytes
          left &-= V.lanes
        }
        // One or two words of 16 bits take fewer instructions than a vector.
        if left > (V.copiedByteSize > 1 ? 2 : 0) {
          V.storeCopies(V.loadFirstInts(left, run), flip: flips, target)
          run += left &* 4
          target += left &* Self.wordBytes
          left = 0
        }
        while V.copiedByteSize > 1, left > 0 {
          V.storeCopy(run.loadUnaligned(as: Int32.self) ^ flip, target)
          run += 4
          target += Self.wordBytes
          left &-= 1
        }
        if tail != 0 {
          V.storeCopy(bytes.last(of: tail, run) ^ flip, target)
          target += Self.wordBytes
        }
        if V.groupBytes > 4, (tapDepth &+ 3) & 4 != 0 {
          V.storeCopy(0, target)
          target += Self.wordBytes
        }
        tap &+= 1
      }
      row &+= 1
    }
  }
}
