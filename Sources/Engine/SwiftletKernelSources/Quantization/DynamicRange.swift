import SwiftletKernels

// Goals, in order: results bit-exact with the reference for every vector width; one pass over memory each.

/// Returns the smallest and the largest of `count` floats. Ignores NaN. Returns two zeros if `count` is 0, and the
/// infinities if all elements are NaN.
@inline(__always)
func extremes<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Float>
) -> (lowest: Float, highest: Float) {
  var lowest = Float.infinity, highest = -Float.infinity
  if count >= V.lanes {
    var l0 = V.splat(Float.infinity), l1 = l0, l2 = l0, l3 = l0
    var h0 = V.splat(-Float.infinity), h1 = h0, h2 = h0, h3 = h0
    @inline(__always) func take(_ x: V.F, _ low: inout V.F, _ high: inout V.F) {
      low = V.minimum(x, low)
      high = V.maximum(x, high)
    }
    var index = 0
    while index &+ 4 &* V.lanes <= count {
      let from = input + index
      take(V.load(from, 0), &l0, &h0)
      take(V.load(from, 1), &l1, &h1)
      take(V.load(from, 2), &l2, &h2)
      take(V.load(from, 3), &l3, &h3)
      index &+= 4 &* V.lanes
    }
    while index < count {
      // The last vector overlaps the previous one. Counting an element twice doesn't change the extremes.
      take(V.load(input + min(index, count &- V.lanes)), &l0, &h0)
      index &+= V.lanes
    }
    l0 = V.minimum(V.minimum(l0, l1), V.minimum(l2, l3))
    h0 = V.maximum(V.maximum(h0, h1), V.maximum(h2, h3))
    lowest = 0 - V.largest(V.F() - l0)
    highest = V.largest(h0)
  } else {
    var index = 0
    while index < count {
      let x = input[index]
      lowest = x < lowest ? x : lowest
      highest = x > highest ? x : highest
      index &+= 1
    }
  }
  return count > 0 ? (lowest, highest) : (0, 0)
}

/// The extremes of four rows, including zero.
struct RowExtremes<V: VectorISA> {
  let low: SIMD4<Float>
  let high: SIMD4<Float>

  /// Finds the extremes of four contiguous rows. Ignores NaN.
  @inline(__always)
  init(columns: Int, input: UnsafePointer<Float>) {
    var l0 = V.F(), l1 = l0, l2 = l0, l3 = l0, h0 = l0, h1 = l0, h2 = l0, h3 = l0
    @inline(__always) func take(_ load: (UnsafeRawPointer) -> V.F, _ pointer: UnsafePointer<Float>) {
      @inline(__always) func row(_ index: Int, _ low: inout V.F, _ high: inout V.F) {
        let x = load(pointer + index &* columns)
        low = V.minimum(x, low)
        high = V.maximum(x, high)
      }
      row(0, &l0, &h0)
      row(1, &l1, &h1)
      row(2, &l2, &h2)
      row(3, &l3, &h3)
    }
    var column = 0
    while column &+ V.lanes <= columns {
      take({ V.load($0) }, input + column)
      column &+= V.lanes
    }
    if column < columns {
      let left = columns &- column
      take({ V.loadFirst(left, $0) }, input + column)
    }
    high = V.largest(h0, h1, h2, h3)
    low = SIMD4() - V.largest(V.F() - l0, V.F() - l1, V.F() - l2, V.F() - l3)
  }
}

/// Quantizes contiguous rows to int8, each with the scale and zero point from its own extremes. NaN becomes the
/// smallest quantized value.
@inline(__always)
func quantizeRows<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, scales: UnsafeMutablePointer<Float>,
  zeroPoints: UnsafeMutablePointer<Int32>, output: UnsafeMutablePointer<Int8>
) {
  var from = input, to = UnsafeMutableRawPointer(output)
  @inline(__always) func quantize(factor: Float, zeroPoint: Int32) {
    quantizeBytes(
      V.self, count: columns, input: from, scale: factor, isProduct: true, toEven: true, zeroPoint: zeroPoint,
      lower: -128, upper: 127, flip: 0, output: to)
    from += columns
    to += columns
  }
  var row = 0
  while row &+ 4 <= rows {
    let extremes = RowExtremes<V>(columns: columns, input: from)
    let parameters = DynamicRangeParameters.Rows(low: extremes.low, high: extremes.high)
    let (scales, zeroPoints) = (scales + row, zeroPoints + row)
    UnsafeMutableRawPointer(zeroPoints).storeBytes(of: parameters.zeroPoint, as: SIMD4<Int32>.self)
    // The factors take the place of the scales until the rows are quantized.
    UnsafeMutableRawPointer(scales).storeBytes(of: parameters.factor, as: SIMD4<Float>.self)
    var index = 0
    while index < 4 {
      quantize(factor: scales[index], zeroPoint: zeroPoints[index])
      index &+= 1
    }
    UnsafeMutableRawPointer(scales).storeBytes(of: parameters.scale, as: SIMD4<Float>.self)
    row &+= 4
  }
  while row < rows {
    let range = extremes(V.self, count: columns, input: from)
    let parameters = DynamicRangeParameters(low: range.lowest, high: range.highest)
    scales[row] = parameters.scale
    zeroPoints[row] = parameters.zeroPoint
    quantize(factor: parameters.factor, zeroPoint: parameters.zeroPoint)
    row &+= 1
  }
}

/// Computes `clamp(sum * scales[c] * rowScale + bias[c])` for contiguous rows, in one of the orders of `SumScaling`.
@inline(__always)
func scaleSums<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, sums: UnsafePointer<Int32>, rowScale: Float, scales: UnsafePointer<Float>,
  bias: UnsafePointer<Float>, hasBias: Bool, order: SumScaling, lower: Float, upper: Float,
  output: UnsafeMutablePointer<Float>
) {
  let factor = V.splat(rowScale), low = V.splat(lower), high = V.splat(upper)
  @inline(__always) func value(_ sum: V.I, _ scale: V.F, _ bias: V.F) -> V.F {
    let sum = V.toFloat(sum)
    if order == .rowFirst {
      return V.clamp(hasBias ? V.multiplyAdd(sum * factor, scale, bias) : sum * factor * scale, low, high)
    }
    let product = order == .columnFirst ? sum * scale * factor : sum * (scale * factor)
    return V.minimum(V.maximum(hasBias ? product + bias : product, low), high)
  }
  var from = sums, to = output
  var row = 0
  while row < rows {
    var column = 0
    while column &+ V.lanes <= columns {
      V.store(value(V.loadInts(from + column), V.load(scales + column), V.load(bias + column)), to + column)
      column &+= V.lanes
    }
    if column < columns {
      let left = columns &- column
      V.storeFirst(
        left,
        value(
          V.loadFirstInts(left, from + column), V.loadFirst(left, scales + column), V.loadFirst(left, bias + column)),
        to + column)
    }
    from += columns
    to += columns
    row &+= 1
  }
}
