/// Multiplies float32 rows by packed bfloat16 weights. Rounds a few rows at a time, so that the CPU loads the next rows
/// while it multiplies.
///
/// Rows that overlap or are contiguous are rounded as one block of memory.
///
/// - Parameter rounded: Memory for `roundedRows` rows plus one.
@inline(__always)
func gemmRounded<M: BFloat16Multiplication>(
  _: M.Type, rows: Int, columns: Int, depth: Int, input: UnsafePointer<Float>, inputStride: Int,
  rounded: UnsafeMutablePointer<UInt16>, panels: UnsafeRawPointer, output: UnsafeMutablePointer<Float>,
  outputStride: Int,
  lower: Float, upper: Float
) {
  typealias V = M.V
  let isRun = inputStride <= depth
  let pitch = isRun ? inputStride : depth
  let piece = roundedRows(V.self, columns: columns, depth: depth)
  var row = 0
  while row < rows {
    let count = min(piece, rows &- row)
    roundRowsToBFloat16(
      V.self, rows: isRun ? 1 : count, columns: isRun ? (count &- 1) &* inputStride &+ depth : depth,
      input: input + row &* inputStride, inputStride: inputStride &* 4, output: rounded, outputStride: pitch &* 2)
    let source = RowSource(
      base: rounded, stride: pitch &* 2, offsets: nil, zeroRow: rounded, taps: 1, elementBytes: 2)
    M.multiply(
      rows: count, columns: columns, tapDepth: depth, source: source, panels: panels,
      output: output + row &* outputStride, outputStride: outputStride &* 4, lower: lower, upper: upper)
    row &+= count
  }
}

/// Returns the number of rows to round at a time: whole tiles with about as many values as the CPU can have in flight.
/// With only one vector of columns, the number is larger, because there is less work per row.
@inline(__always)
func roundedRows<V: BFloat16ISA>(_: V.Type, columns: Int, depth: Int) -> Int {
  let numbers = columns > V.lanes ? 256 : 512
  return max(1, numbers / max(1, depth &* V.tileRows)) &* V.tileRows
}
