/// The sums of the bytes of rows, over all taps.
struct RowSums<V: VectorISA> {
  let tapDepth: Int
  let source: RowSource
  /// 0x80808080 for signed bytes, which count as unsigned bytes 128 higher; otherwise 0.
  let flip: Int32

  /// Stores the sum of each row, multiplied by `factor`.
  @inline(__always)
  func compute(rows: Int, factor: Int32, output: UnsafeMutablePointer<Int32>) {
    var row = 0
    while row &+ 4 <= rows {
      let (a, b) = (sum(row), sum(row &+ 1)), (c, d) = (sum(row &+ 2), sum(row &+ 3))
      let total = V.sums(a.lanes, b.lanes, c.lanes, d.lanes) &+ SIMD4(a.rest, b.rest, c.rest, d.rest)
      UnsafeMutableRawPointer(output + row).storeBytes(of: total &* factor, as: SIMD4<Int32>.self)
      row &+= 4
    }
    while row < rows {
      let sum = sum(row)
      output[row] = (V.sum(sum.lanes) &+ sum.rest) &* factor
      row &+= 1
    }
  }

  /// Returns the sum of a row as one partial sum per lane, plus a scalar to add to their total.
  @inline(__always)
  private func sum(_ row: Int) -> (lanes: V.I, rest: Int32) {
    let ones = V.weightBytes(V.splat(0x0101_0101)), flips = V.splat(V.inputFlip(flip))
    // The amount by which a vector of products is too low.
    let missing = V.inputOffset &* Int32(truncatingIfNeeded: V.vectorBytes)
    let flipByte = UInt8(truncatingIfNeeded: flip)
    var lanes = V.I()
    var rest: Int32 = 0
    var tap = 0
    while tap < source.taps {
      let run = source.pointer(row: row, tap: tap)
      var position = 0
      while position &+ V.vectorBytes <= tapDepth {
        lanes = V.dot(lanes, V.inputBytes(V.loadInts(run + position), flip: flips), ones)
        rest &+= missing
        position &+= V.vectorBytes
      }
      let words = (tapDepth &- position) &>> 2
      if words > 0 {
        lanes = V.dot(lanes, V.inputBytes(V.loadFirstInts(words, run + position), flip: flips), ones)
        // Lanes that weren't loaded count as zero bytes; compensate for their flips.
        rest &+= missing &- Int32(truncatingIfNeeded: V.lanes &- words) &* 4 &* Int32(flipByte)
        position &+= words &* 4
      }
      while position < tapDepth {
        rest &+= Int32(run.load(fromByteOffset: position, as: UInt8.self) ^ flipByte)
        position &+= 1
      }
      tap &+= 1
    }
    return (lanes, rest)
  }
}
