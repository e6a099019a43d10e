/// One row of bytes, broadcast four at a time.
struct QuantizedRow<V: VectorISA> {
  let tapDepth: Int
  let flip: Int32

  /// Multiplies the row by four whole panels. Their eight chains keep the multipliers busy; the two chains of one panel
  /// wouldn't.
  @inline(__always)
  func accumulate(
    from source: RowSource, panel p0: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>
  ) {
    let p1 = p0.next(panelBytes), p2 = p0.next(2 &* panelBytes), p3 = p0.next(3 &* panelBytes)
    tile.c00 = p0.bias(0)
    tile.c01 = p0.bias(1)
    tile.c10 = p1.bias(0)
    tile.c11 = p1.bias(1)
    tile.c20 = p2.bias(0)
    tile.c21 = p2.bias(1)
    tile.c30 = p3.bias(0)
    tile.c31 = p3.bias(1)
    var weights = p0.weights
    let flip = V.splat(flip)
    let tail = tapDepth & 3
    let whole = tapDepth &- tail
    var tap = 0
    while tap < source.taps {
      let a = source.pointer(row: 0, tap: tap)
      var position = 0
      while position < whole {
        multiply(four(a, position), flip, weights, panelBytes, &tile)
        weights += 2 &* V.vectorBytes
        position &+= 4
      }
      if tail != 0 {
        multiply(last(a), flip, weights, panelBytes, &tile)
        weights += 2 &* V.vectorBytes
      }
      tap &+= 1
    }
  }

  /// Multiplies four bytes by the same position of four panels.
  @inline(__always)
  private func multiply(
    _ x: Int32, _ flip: V.I, _ weights: UnsafeRawPointer, _ panelBytes: Int, _ tile: inout QuantizedTile<V>
  ) {
    let bytes = V.inputBytes(V.splat(x), flip: flip)
    let w1 = weights + panelBytes, w2 = weights + 2 &* panelBytes, w3 = weights + 3 &* panelBytes
    tile.c00 = V.dot(tile.c00, bytes, V.weightBytes(V.loadInts(weights, 0)))
    tile.c01 = V.dot(tile.c01, bytes, V.weightBytes(V.loadInts(weights, 1)))
    tile.c10 = V.dot(tile.c10, bytes, V.weightBytes(V.loadInts(w1, 0)))
    tile.c11 = V.dot(tile.c11, bytes, V.weightBytes(V.loadInts(w1, 1)))
    tile.c20 = V.dot(tile.c20, bytes, V.weightBytes(V.loadInts(w2, 0)))
    tile.c21 = V.dot(tile.c21, bytes, V.weightBytes(V.loadInts(w2, 1)))
    tile.c30 = V.dot(tile.c30, bytes, V.weightBytes(V.loadInts(w3, 0)))
    tile.c31 = V.dot(tile.c31, bytes, V.weightBytes(V.loadInts(w3, 1)))
  }

  @inline(__always)
  func four(_ run: UnsafeRawPointer, _ position: Int) -> Int32 {
    run.loadUnaligned(fromByteOffset: position, as: Int32.self)
  }

  /// Returns the last `tapDepth % 4` bytes of a tap.
  @inline(__always)
  func last(_ run: UnsafeRawPointer) -> Int32 { last(of: tapDepth & 3, run + (tapDepth & ~3)) }

  /// Returns `count` bytes, one to three, in the low bytes of a word, without reading past them. The other bytes can
  /// have any value, because their weights are zero.
  @inline(__always)
  func last(of count: Int, _ run: UnsafeRawPointer) -> Int32 {
    @inline(__always) func byte(_ position: Int) -> Int32 {
      Int32(run.load(fromByteOffset: min(position, count &- 1), as: UInt8.self))
    }
    return byte(0) | byte(1) &<< 8 | byte(2) &<< 16
  }
}
