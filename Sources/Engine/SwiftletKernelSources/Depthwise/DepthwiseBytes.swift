import SwiftletKernels

// Goals, in order: integer sums are exact, so the split of rows and channels doesn't affect results; nothing outside
// the image is read, and quantized zeros replace it; input bytes are interleaved once for all outputs that read them.

/// A depthwise convolution of bytes. A lane is a channel, and a dot product covers four rows of a column.
struct DepthwiseBytes<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let strip: DepthwiseRowPair
  let input: UnsafeRawPointer
  /// The flip that is applied to input bytes before dot products: 0x80808080 or 0.
  let flip: V.I
  /// The quantized value of zero, as stored in memory and as read by dot products.
  let quantizedZero: UInt8
  let inputZero: Int32
  let panels: UnsafeRawPointer
  let epilogue: DepthwiseByteEpilogue<V>
  /// One vector of quantized zeros, then the columns of a strip.
  let scratch: UnsafeMutableRawPointer

  private var columns: UnsafeMutableRawPointer { @inline(__always) get { scratch + V.vectorBytes } }

  /// Computes output rows `first ..< last`.
  @inline(__always)
  func compute(first: Int, last: Int) {
    var byte = 0
    while byte < V.lanes {
      scratch.storeBytes(of: quantizedZero, toByteOffset: byte, as: UInt8.self)
      byte &+= 1
    }
    var block = first
    while block < last {
      // Rows `block ..< block + distance`, and the rows `distance` below them.
      let blockEnd = min(last, block &+ strip.distance)
      var row = block
      while row < blockEnd {
        let second = row &+ strip.distance
        computeStrip(row, second: strip.outputs == 2 && second < last ? second : row)
        row &+= 1
      }
      block &+= strip.distance &* strip.outputs
    }
  }

  /// Computes rows `row` and `second`, which are equal if there is no second row.
  @inline(__always)
  private func computeStrip(_ row: Int, second: Int) {
    let g = geometry
    let panelBytes = strip.panelVectors(kernelWidth: g.kernelWidth) &* V.vectorBytes
    var panel = panels
    var channel = 0
    while channel < g.channels {
      let target = Target(
        first: row &* g.outputWidth &* g.outputPixelStride &+ channel,
        second: second &* g.outputWidth &* g.outputPixelStride &+ channel, hasSecond: second != row, channel: channel,
        channels: min(V.lanes, g.channels &- channel))
      var column = 0
      while column < g.outputWidth {
        let count = min(DepthwiseRowPair.columnBlock, g.outputWidth &- column)
        gather(row, column, count, target)
        multiply(panel, column, count, target)
        column &+= count
      }
      panel += panelBytes
      channel &+= V.lanes
    }
  }

  /// The output location of a vector of channels of a strip.
  struct Target {
    /// The element indices of the first outputs of both rows.
    let first: Int
    let second: Int
    let hasSecond: Bool
    let channel: Int
    /// The number of channels in the vector.
    let channels: Int
  }

  /// Interleaves the bytes for `count` output columns. For every group of rows and every input column, a vector
  /// contains the four rows' bytes of each channel.
  @inline(__always)
  private func gather(_ row: Int, _ column: Int, _ count: Int, _ target: Target) {
    let g = geometry
    let span = DepthwiseRowPair.span(count, g)
    let left = column &* g.columnStride &- g.paddingLeft
    let inner = min(span, max(0, 0 &- left)), innerEnd = max(inner, min(span, g.inputWidth &- left))
    let top = row &* g.rowStride &- g.paddingTop
    let zero = V.splat(Int32(truncatingIfNeeded: UInt32(inputZeroByte) &* 0x0101_0101))
    var to = columns
    var group = 0
    while group < strip.groups {
      let r0 = source(top, 4 &* group, left, target), r1 = source(top, 4 &* group &+ 1, left, target)
      let r2 = source(top, 4 &* group &+ 2, left, target), r3 = source(top, 4 &* group &+ 3, left, target)
      var position = 0
      while position < inner {
        V.store(zero, to)
        to += V.vectorBytes
        position &+= 1
      }
      if target.channels == V.lanes {
        while position < innerEnd {
          let x = V.interleaved(
            V.loadByteRow(r0.at(position)), V.loadByteRow(r1.at(position)), V.loadByteRow(r2.at(position)),
            V.loadByteRow(r3.at(position)))
          V.store(x ^ flip, to)
          to += V.vectorBytes
          position &+= 1
        }
      } else {
        let count = target.channels
        while position < innerEnd {
          let x = V.interleaved(
            V.loadFirstByteRow(count, r0.at(position)), V.loadFirstByteRow(count, r1.at(position)),
            V.loadFirstByteRow(count, r2.at(position)), V.loadFirstByteRow(count, r3.at(position)))
          V.store(x ^ flip, to)
          to += V.vectorBytes
          position &+= 1
        }
      }
      while position < span {
        V.store(zero, to)
        to += V.vectorBytes
        position &+= 1
      }
      group &+= 1
    }
  }

  private var inputZeroByte: UInt8 { @inline(__always) get { UInt8(truncatingIfNeeded: inputZero) } }

  /// One input row of a strip: pixels at a stride, or quantized zeros at stride 0.
  private struct Source {
    let start: UnsafeRawPointer
    let step: Int
    @inline(__always) func at(_ position: Int) -> UnsafeRawPointer { start + position &* step }
  }

  @inline(__always)
  private func source(_ top: Int, _ slot: Int, _ left: Int, _ target: Target) -> Source {
    let g = geometry
    let y = top &+ slot &* g.rowDilation
    guard y >= 0, y < g.inputHeight, slot < g.kernelHeight &+ strip.shift else {
      return Source(start: UnsafeRawPointer(scratch), step: 0)
    }
    return Source(
      start: input + ((y &* g.inputWidth &+ left) &* g.inputPixelStride &+ target.channel), step: g.inputPixelStride)
  }

  /// Multiplies the interleaved columns by a panel. The most common windows get loops with constant bounds.
  @inline(__always)
  private func multiply(_ panel: UnsafeRawPointer, _ column: Int, _ count: Int, _ target: Target) {
    let g = geometry
    let planes = Int(panel.loadUnaligned(fromByteOffset: V.vectorBytes, as: Int32.self))
    let isCommon = g.columnDilation == 1 && count >= 4
    if isCommon && g.kernelWidth == 3 && strip.groups == 1 && g.columnStride == 1 && strip.outputs == 2 {
      if planes == 1 {
        sweep(panel, column, count, target, planes: 1, groups: 1, width: 3, stride: 1, dilation: 1, outputs: 2)
      } else {
        sweep(panel, column, count, target, planes: 2, groups: 1, width: 3, stride: 1, dilation: 1, outputs: 2)
      }
    } else if isCommon && g.kernelWidth == 3 && strip.groups == 1 && g.columnStride == 2 && strip.outputs == 1 {
      if planes == 1 {
        sweep(panel, column, count, target, planes: 1, groups: 1, width: 3, stride: 2, dilation: 1, outputs: 1)
      } else {
        sweep(panel, column, count, target, planes: 2, groups: 1, width: 3, stride: 2, dilation: 1, outputs: 1)
      }
    } else if isCommon && g.kernelWidth == 5 && strip.groups == 2 && g.columnStride == 1 && strip.outputs == 2 {
      sweep(panel, column, count, target, planes: planes, groups: 2, width: 5, stride: 1, dilation: 1, outputs: 2)
    } else if count >= 4 {
      if strip.outputs == 2 {
        sweep(
          panel, column, count, target, planes: planes, groups: strip.groups, width: g.kernelWidth,
          stride: g.columnStride, dilation: g.columnDilation, outputs: 2)
      } else {
        sweep(
          panel, column, count, target, planes: planes, groups: strip.groups, width: g.kernelWidth,
          stride: g.columnStride, dilation: g.columnDilation, outputs: 1)
      }
    } else {
      sweepSingles(panel, column, count, target, planes: planes)
    }
  }

  /// Returns the initial sums: the bias minus the contribution of the input's zero point.
  @inline(__always)
  private func start(_ panel: UnsafeRawPointer, _ target: Target) -> V.I {
    epilogue.bias(target) &- V.splat(inputZero) &* V.loadInts(panel)
  }

  /// Computes four output columns of all rows of the strip at a time. The last four overlap the previous ones if
  /// necessary.
  @inline(__always)
  private func sweep(
    _ panel: UnsafeRawPointer, _ column: Int, _ count: Int, _ target: Target, planes: Int, groups: Int, width: Int,
    stride: Int, dilation: Int, outputs: Int
  ) {
    let start = start(panel, target)
    let span = (count &- 1) &* stride &+ (width &- 1) &* dilation &+ 1
    var position = 0
    while position < count {
      let from = min(position, count &- 4)
      var a0 = start, a1 = start, a2 = start, a3 = start, b0 = start, b1 = start, b2 = start, b3 = start
      /// Adds to output column `from + first` and the next one or three.
      @inline(__always)
      func accumulate(_ first: Int, isWide: Bool, _ a0: inout V.I, _ a1: inout V.I, _ b0: inout V.I, _ b1: inout V.I) {
        var weights = panel + 2 &* V.vectorBytes
        var plane = 0
        while plane < planes {
          var group = 0
          while group < groups {
            let inputs = UnsafeRawPointer(columns) + (group &* span &+ (from &+ first) &* stride) &* V.vectorBytes
            var tap = 0
            while tap < width {
              let w0 = V.weightBytes(V.loadInts(weights))
              let w1 = outputs == 2 ? V.weightBytes(V.loadInts(weights, 1)) : w0
              @inline(__always) func add(_ column: Int, _ a: inout V.I, _ b: inout V.I) {
                let x = V.inputBytes(V.loadInts(inputs, tap &* dilation &+ column &* stride), flip: V.I())
                a = V.dot(a, x, w0)
                if outputs == 2 { b = V.dot(b, x, w1) }
              }
              add(0, &a0, &b0)
              add(1, &a1, &b1)
              if isWide {
                add(2, &a2, &b2)
                add(3, &a3, &b3)
              }
              weights += outputs &* V.vectorBytes
              tap &+= 1
            }
            group &+= 1
          }
          plane &+= 1
        }
      }
      if V.splitsBytes {
        accumulate(0, isWide: false, &a0, &a1, &b0, &b1)
        accumulate(2, isWide: false, &a2, &a3, &b2, &b3)
      } else {
        accumulate(0, isWide: true, &a0, &a1, &b0, &b1)
      }
      let offset = (column &+ from) &* geometry.outputPixelStride
      epilogue.store(a0, a1, a2, a3, element: target.first &+ offset, target)
      if outputs == 2 && target.hasSecond { epilogue.store(b0, b1, b2, b3, element: target.second &+ offset, target) }
      position &+= 4
    }
  }

  /// Computes fewer than four output columns, one by one.
  @inline(__always)
  private func sweepSingles(_ panel: UnsafeRawPointer, _ column: Int, _ count: Int, _ target: Target, planes: Int) {
    let g = geometry
    let start = start(panel, target)
    let span = DepthwiseRowPair.span(count, g)
    var position = 0
    while position < count {
      var output = 0
      while output < strip.outputs {
        var sum = start
        var weights = panel + (2 &+ output) &* V.vectorBytes
        var plane = 0
        while plane < planes {
          var group = 0
          while group < strip.groups {
            let first = UnsafeRawPointer(columns) + (group &* span &+ position &* g.columnStride) &* V.vectorBytes
            var tap = 0
            while tap < g.kernelWidth {
              let x = V.inputBytes(V.loadInts(first, tap &* g.columnDilation), flip: V.I())
              sum = V.dot(sum, x, V.weightBytes(V.loadInts(weights)))
              weights += strip.outputs &* V.vectorBytes
              tap &+= 1
            }
            group &+= 1
          }
          plane &+= 1
        }
        let offset = (column &+ position) &* g.outputPixelStride
        if output == 0 {
          epilogue.store(sum, element: target.first &+ offset, target)
        } else if target.hasSecond {
          epilogue.store(sum, element: target.second &+ offset, target)
        }
        output &+= 1
      }
      position &+= 1
    }
  }
}
