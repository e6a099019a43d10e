/// Rounds float32 rows to bfloat16. Strides are in bytes.
@inline(__always)
func roundRowsToBFloat16<V: BFloat16ISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafeRawPointer, inputStride: Int, output: UnsafeMutableRawPointer,
  outputStride: Int
) {
  let step = 2 &* V.lanes
  var row = 0
  while row < rows {
    let from = input + row &* inputStride
    let to = output + row &* outputStride
    var column = 0
    while column &+ step <= columns {
      let source = from + column &* 4
      V.store(V.roundedToBFloat16(V.load(source, 0), V.load(source, 1)), to + column &* 2)
      column &+= step
    }
    let rest = columns &- column
    if rest > 0 {
      let source = from + column &* 4
      let low = V.loadFirst(min(rest, V.lanes), source)
      let high = V.loadFirst(max(rest &- V.lanes, 0), source + V.vectorBytes)
      V.storeFirstBFloat16(rest, V.roundedToBFloat16(low, high), to + column &* 2)
    }
    row &+= 1
  }
}
