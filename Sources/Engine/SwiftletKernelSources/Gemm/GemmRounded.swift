/// Float32 rows times packed bfloat16: rows are rounded a few at a time, so that the processor reads the next ones
/// while it multiplies.
///
/// Rows that overlap or follow each other are rounded as one run of memory.
///
/// - Parameter rounded: room for `roundedRows` rows and one more.
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

/// Whole tiles of about as many numbers as the processor can have in flight; more where one vector of columns leaves it
/// little to do.
@inline(__always)
func roundedRows<V: BFloat16ISA>(_: V.Type, columns: Int, depth: Int) -> Int {
  let numbers = columns > V.lanes ? 256 : 512
  return max(1, numbers / max(1, depth &* V.tileRows)) &* V.tileRows
}
