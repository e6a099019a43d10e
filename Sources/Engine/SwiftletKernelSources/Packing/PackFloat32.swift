/// Writes weights in the order in which the float tile reads them.
///
/// Each panel of columns consists of one row of biases (zeros without `bias`) and one row of weights for every step
/// along the depth. Columns past `columns` are zero, so that a tile can always compute whole panels.
@inline(__always)
func packFloat32<V: VectorISA>(
  _: V.Type, columns: Int, depth: Int, weights: UnsafePointer<Float>, columnStride: Int, depthStride: Int,
  bias: UnsafePointer<Float>?, panels: UnsafeMutablePointer<Float>
) {
  var column = 0
  var panel = panels
  while column < columns {
    let count = min(V.panelColumns, columns &- column)
    var lane = 0
    while lane < V.panelColumns {
      panel[lane] = 0
      if lane < count, let bias { panel[lane] = bias[column &+ lane] }
      lane &+= 1
    }
    let source = weights + column &* columnStride
    if columnStride == 1 && count == V.panelColumns {
      var step = 0
      while step < depth {
        let from = UnsafeRawPointer(source + step &* depthStride)
        let to = UnsafeMutableRawPointer(panel + (step &+ 1) &* V.panelColumns)
        V.store(V.load(from, 0), to)
        V.store(V.load(from, 1), to + V.vectorBytes)
        step &+= 1
      }
    } else {
      lane = 0
      while lane < V.panelColumns {
        var step = 0
        var to = panel + (lane &+ V.panelColumns)
        if lane < count {
          let from = source + lane &* columnStride
          while step < depth {
            to.pointee = from[step &* depthStride]
            to += V.panelColumns
            step &+= 1
          }
        } else {
          while step < depth {
            to.pointee = 0
            to += V.panelColumns
            step &+= 1
          }
        }
        lane &+= 1
      }
    }
    column &+= V.panelColumns
    panel += (depth &+ 1) &* V.panelColumns
  }
}
