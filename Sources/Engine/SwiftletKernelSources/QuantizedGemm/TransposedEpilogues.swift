#if SWIFTLET_AVX512
  // The epilogues of tiles with one row per lane. Each step is that of the epilogue with one column per lane.

  extension QuantizedEpilogue {
    /// Computes and stores the last columns of the rows that are computed with one row per lane.
    @inline(__always)
    func store(
      _ tile: TransposedTile<TransposedBytes<V>>, _ last: TransposedColumns<V>, column: Int, panel: QuantizedPanel<V>
    ) {
      @inline(__always) func compute(_ columns: Int) {
        var row = 0
        while row < last.rows {
          store(tile.sums(columns: columns, row: row), last, row: row, column: column, panel: panel)
          row &+= V.lanes
        }
      }
      if last.count > 4 {
        compute(8)
      } else {
        compute(4)
      }
    }
  }

  extension QuantizedPanel where V: TransposingISA {
    /// Returns one of the first four rows of values for a column, in every lane.
    @inline(__always) func integer(_ row: Int, _ column: Int) -> V.I {
      V.splat(pointer.load(fromByteOffset: (row &* V.panelColumns &+ column) &* 4, as: Int32.self))
    }
    @inline(__always) func float(_ row: Int, _ column: Int) -> V.F {
      V.splat(pointer.load(fromByteOffset: (row &* V.panelColumns &+ column) &* 4, as: Float.self))
    }
  }

  extension RowTerms {
    /// Returns the terms of as many rows as there are lanes.
    @inline(__always)
    func lanes<V: VectorISA>(_: V.Type, row: Int) -> V.I {
      if let values { V.loadInts(values + row) } else { V.I() }
    }
  }

  extension RequantizingEpilogue {
    @inline(__always)
    func store(
      _ sums: TransposedSums<V.I>, _ last: TransposedColumns<V>, row: Int, column: Int, panel: QuantizedPanel<V>
    ) {
      let terms = rowTerms.lanes(V.self, row: row)
      let zero = V.splat(zeroPoint &<< 16 | zeroPoint & 0xFFFF), flips = V.splat(flip)
      let low = V.splat((lower & 0xFF) &* 0x0101_0101), high = V.splat((upper & 0xFF) &* 0x0101_0101)
      let scaled = sums.map(from: last.first) { V.toIntInRange(V.toFloat($0 &+ terms) * panel.float(2, $1)) }
      @inline(__always) func words(_ x: (V.I, V.I, V.I, V.I)) -> V.I {
        V.transposedBytes(
          V.saturatedRow(x.0, x.1, x.2, x.3, zeroPoint: zero, lower: low, upper: high, flip: flips))
      }
      let first = words(scaled.first), second = last.count > 4 ? words(scaled.second) : first
      let rows = V.transposedWords(first, second, first, second)
      let output = output + row &* outputStride + column
      @inline(__always) func store(_ index: Int, _ x: V.I) {
        V.forEachQuad(x) { quad, group in
          let pointer = output + (4 &* group &+ index) &* outputStride
          switch last.count {
          case 8: pointer.storeBytes(of: quad.lowHalf, as: SIMD2<Int32>.self)
          case 4: pointer.storeBytes(of: quad.x, as: Int32.self)
          default: V.storeFirstBytes(last.count, quad, pointer)
          }
        }
      }
      store(0, rows.0)
      store(1, rows.1)
      store(2, rows.2)
      store(3, rows.3)
    }
  }

  extension AccumulatingEpilogue {
    @inline(__always)
    func store(
      _ sums: TransposedSums<V.I>, _ last: TransposedColumns<V>, row: Int, column: Int, panel: QuantizedPanel<V>
    ) {
      let terms = rowTerms.lanes(V.self, row: row)
      V.storeColumns(
        last.count, sums.map { $0 &+ terms }, output + row &* outputStride + column &* 4,
        stride: outputStride)
    }
  }

  extension DynamicRangeEpilogue {
    @inline(__always)
    func store(
      _ sums: TransposedSums<V.I>, _ last: TransposedColumns<V>, row: Int, column: Int, panel: QuantizedPanel<V>
    ) {
      let isShared = rowParameterStride == 0
      let scale = isShared ? V.splat(rowScales[0]) : V.load(rowScales + row)
      let zero =
        (isShared ? V.splat(rowZeroPoints[0]) : V.loadInts(rowZeroPoints + row)) &+ V.splat(zeroPointOffset)
      let low = V.splat(lower), high = V.splat(upper)
      let results = sums.map(from: last.first) { x, column in
        let sum = V.toFloat(x &- zero &* panel.integer(1, column))
        let factor = panel.float(2, column), bias = panel.float(3, column)
        return V.bits(
          V.clamp(
            isFused ? V.multiplyAdd(sum * scale, factor, bias) : sum * factor * scale + bias, low, high))
      }
      V.storeColumns(last.count, results, output + row &* outputStride + column &* 4, stride: outputStride)
    }
  }
#endif
