/// Multiplies one row of float32 by packed float16 weights.
///
/// The products and their order are those of `gemm`, so that results are the same. Only the memory traffic, which a
/// product of one row waits for, is half. A panel has a row of float32 biases, and for every step along the depth a row
/// of float16 weights.
@inline(__always)
func multiplyFloat16Row<V: VectorISA>(
  _: V.Type, columns: Int, depth: Int, input: UnsafePointer<Float>, panels: UnsafeRawPointer,
  output: UnsafeMutableRawPointer, lower: Float, upper: Float
) {
  let panelBytes = (depth &+ 2) &* V.vectorBytes, low = V.splat(lower), high = V.splat(upper)
  var column = 0
  while column < columns {
    // Four panels at a time, because two chains wouldn't keep the multiply-add units busy. Panels that don't exist are
    // replaced by the last one.
    let last = (columns &- 1 &- column) / V.panelColumns
    let first = panels + column / V.panelColumns &* panelBytes
    @inline(__always) func panel(_ index: Int) -> UnsafeRawPointer { first + min(index, last) &* panelBytes }
    var w0 = panel(0), w1 = panel(1), w2 = panel(2), w3 = panel(3)
    var c00 = V.load(w0, 0), c01 = V.load(w0, 1), c10 = V.load(w1, 0), c11 = V.load(w1, 1)
    var c20 = V.load(w2, 0), c21 = V.load(w2, 1), c30 = V.load(w3, 0), c31 = V.load(w3, 1)
    w0 += 2 &* V.vectorBytes
    w1 += 2 &* V.vectorBytes
    w2 += 2 &* V.vectorBytes
    w3 += 2 &* V.vectorBytes
    var step = 0
    while step < depth {
      let x = V.splat(input[step])
      @inline(__always) func add(_ w: UnsafeRawPointer, _ c0: inout V.F, _ c1: inout V.F) {
        c0 = V.multiplyAdd(x, V.loadFloat16(w), c0)
        c1 = V.multiplyAdd(x, V.loadFloat16(w + V.lanes &* 2), c1)
      }
      add(w0, &c00, &c01)
      add(w1, &c10, &c11)
      add(w2, &c20, &c21)
      add(w3, &c30, &c31)
      w0 += V.vectorBytes
      w1 += V.vectorBytes
      w2 += V.vectorBytes
      w3 += V.vectorBytes
      step &+= 1
    }
    @inline(__always) func store(_ index: Int, _ x: V.F) {
      let left = columns &- column &- index &* V.lanes
      let target = output + (column &+ index &* V.lanes) &* 4
      if left >= V.lanes {
        V.store(V.clamp(x, low, high), target)
      } else if left > 0 {
        V.storeFirst(left, V.clamp(x, low, high), target)
      }
    }
    store(0, c00)
    store(1, c01)
    store(2, c10)
    store(3, c11)
    store(4, c20)
    store(5, c21)
    store(6, c30)
    store(7, c31)
    column &+= 4 &* V.panelColumns
  }
}
