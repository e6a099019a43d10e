/// `factor` times the sum of each row's bytes, over all taps.
@inline(always)
func rowSums<V: VectorISA>(
  _: V.Type, rows: Int, tapDepth: Int, source: RowSource, flip: Int32, factor: Int32,
  output: UnsafeMutablePointer<Int32>
) {
  let ones = V.weightBytes(V.splat(0x0101_0101)), flips = V.splat(flip)
  let flipByte = UInt8(truncatingIfNeeded: flip)
  var row = 0
  while row < rows {
    var sums = V.I()
    var sum: Int32 = 0
    var tap = 0
    while tap < source.taps {
      let run = source.pointer(row: row, tap: tap)
      var position = 0
      while position &+ V.vectorBytes <= tapDepth {
        sums = V.dot(sums, V.inputBytes(V.loadInts(run + position), flip: flips), ones)
        position &+= V.vectorBytes
      }
      while position < tapDepth {
        sum &+= Int32(run.load(fromByteOffset: position, as: UInt8.self) ^ flipByte)
        position &+= 1
      }
      tap &+= 1
    }
    output[row] = (sum &+ V.sum(sums)) &* factor
    row &+= 1
  }
}
