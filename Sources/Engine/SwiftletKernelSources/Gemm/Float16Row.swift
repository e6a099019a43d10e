/// Products of one row of float32 with packed float16 weights.
///
/// The products and their order are those of `gemm`, so that results are the same. Only the memory traffic, which a
/// product of one row waits for, is half. A panel has a row of float32 biases, and for every step along the depth a row
/// of float16 weights.
struct Float16Row<V: VectorISA> {
  let columns: Int
  let depth: Int
  let input: UnsafePointer<Float>
  let panels: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let lower: V.F
  let upper: V.F

  @inline(__always)
  func compute() {
    var column = 0
    while column < columns {
      let panelsLeft = (columns &- column &+ V.panelColumns &- 1) / V.panelColumns
      // Eight chains keep the multiply-add units busy; the two of one panel don't.
      let count = panelsLeft > 3 ? 4 : panelsLeft > 1 ? 2 : 1
      switch count {
      case 4: compute(4, column)
      case 2: compute(2, column)
      default: compute(1, column)
      }
      column &+= count &* V.panelColumns
    }
  }

  /// Computes one, two, or four panels. `count` is a constant.
  @inline(__always)
  private func compute(_ count: Int, _ column: Int) {
    let panelBytes = (depth &+ 2) &* V.vectorBytes
    var w0 = panels + column / V.panelColumns &* panelBytes
    var w1 = count > 1 ? w0 + panelBytes : w0, w2 = count > 2 ? w1 + panelBytes : w0
    var w3 = count > 2 ? w2 + panelBytes : w0
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
      w0 += V.vectorBytes
      if count > 1 {
        add(w1, &c10, &c11)
        w1 += V.vectorBytes
      }
      if count > 2 {
        add(w2, &c20, &c21)
        add(w3, &c30, &c31)
        w2 += V.vectorBytes
        w3 += V.vectorBytes
      }
      step &+= 1
    }
    @inline(__always) func store(_ index: Int, _ x: V.F) {
      let left = columns &- column &- index &* V.lanes
      let target = output + (column &+ index &* V.lanes) &* 4
      if left >= V.lanes {
        V.store(V.clamp(x, lower, upper), target)
      } else if left > 0 {
        V.storeFirst(left, V.clamp(x, lower, upper), target)
      }
    }
    store(0, c00)
    store(1, c01)
    if count > 1 {
      store(2, c10)
      store(3, c11)
    }
    if count > 2 {
      store(4, c20)
      store(5, c21)
      store(6, c30)
      store(7, c31)
    }
  }
}
