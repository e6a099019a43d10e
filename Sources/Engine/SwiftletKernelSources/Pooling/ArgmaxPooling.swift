import SwiftletKernels

private typealias Numbers = SIMD8<Float>

/// Maximum pooling that also returns the position of each maximum in its window, and the inverse operation.
///
/// Loops don't iterate over ranges, because their checks would add unwind tables to the assembly.
struct ArgmaxPooling {
  /// The geometry of the pooling; the inverse operation writes to its input.
  let geometry: DepthwiseGeometry

  /// Computes one output row. A position is `row × kernelWidth + column + 0.1`; the first of equal elements is used.
  @inline(__always)
  func pool(
    row: Int, _ image: UnsafePointer<Float>, maxima: UnsafeMutablePointer<Float>,
    positions: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    let g = geometry
    let top = row &* g.rowStride &- g.paddingTop
    let rows = DepthwiseGeometry.taps(g.kernelHeight, from: top, dilation: 1, size: g.inputHeight)
    var (column, offset) = (0, 0)
    while column < g.outputWidth {
      let left = column &* g.columnStride &- g.paddingLeft
      let columns = DepthwiseGeometry.taps(g.kernelWidth, from: left, dilation: 1, size: g.inputWidth)
      // The first element of the window, which may be outside the image.
      let window = (top &* g.inputWidth &+ left) &* g.channels
      var channel = 0
      while channel < g.channels {
        let isVector = channel &+ 8 <= g.channels
        var (most, place) = (Numbers(repeating: -.greatestFiniteMagnitude), Numbers(repeating: 0.1))
        var y = rows.lower
        while y < rows.upper {
          var x = columns.lower
          while x < columns.upper {
            let element = image + (window &+ (y &* g.inputWidth &+ x) &* g.channels &+ channel)
            let value = isVector ? load(element) : Numbers(repeating: element.pointee)
            let position = Float(Int32(truncatingIfNeeded: y &* g.kernelWidth &+ x)) + 0.1
            let isLarger = value .> most
            most.replace(with: value, where: isLarger)
            place.replace(with: Numbers(repeating: position), where: isLarger)
            x &+= 1
          }
          y &+= 1
        }
        most.replace(with: Numbers(repeating: lower), where: most .< lower)
        most.replace(with: Numbers(repeating: upper), where: most .> upper)
        if isVector {
          store(most, maxima + (offset &+ channel))
          store(place, positions + (offset &+ channel))
        } else {
          maxima[offset &+ channel] = most[0]
          positions[offset &+ channel] = place[0]
        }
        channel &+= isVector ? 8 : 1
      }
      offset &+= g.channels
      column &+= 1
    }
  }

  /// Writes the elements of one row to their positions in the image. Positions outside the image are ignored.
  @inline(__always)
  func unpool(
    row: Int, _ values: UnsafePointer<Float>, _ positions: UnsafePointer<Float>, into image: UnsafeMutablePointer<Float>
  ) {
    let g = geometry
    let top = row &* g.rowStride &- g.paddingTop
    // In most models, the positions are inside the window. Then test all positions of a small window, several channels
    // at once.
    let isSmall = g.kernelHeight &* g.kernelWidth <= 9
    let end = Float(Int32(truncatingIfNeeded: g.kernelHeight &* g.kernelWidth))
    var (column, offset) = (0, 0)
    while column < g.outputWidth {
      let left = column &* g.columnStride &- g.paddingLeft
      var channel = 0
      while channel < g.channels {
        let (value, position) = (values + (offset &+ channel), positions + (offset &+ channel))
        if isSmall, channel &+ 8 <= g.channels, all(load(position) .> -1 .& load(position) .< end) {
          put(load(value), load(position), top: top, left: left, channel, into: image)
          channel &+= 8
          continue
        }
        put(value.pointee, position.pointee, top: top, left: left, channel, into: image)
        channel &+= 1
      }
      offset &+= g.channels
      column &+= 1
    }
  }

  @inline(__always)
  private func put(
    _ value: Numbers, _ position: Numbers, top: Int, left: Int, _ channel: Int, into image: UnsafeMutablePointer<Float>
  ) {
    let g = geometry
    // The fraction of a position is ignored. The first position includes all positions above −1.
    var (y, low) = (0, Float(-1))
    var place: Int32 = 1
    while y < g.kernelHeight {
      var x = 0
      while x < g.kernelWidth {
        let next = Float(place)
        if isInside(top &+ y, left &+ x) {
          let target = image + (((top &+ y) &* g.inputWidth &+ left &+ x) &* g.channels &+ channel)
          store(load(target).replacing(with: value, where: position .< next .& position .>= low), target)
        }
        low = next
        place &+= 1
        x &+= 1
      }
      y &+= 1
    }
  }

  @inline(__always)
  private func put(
    _ value: Float, _ position: Float, top: Int, left: Int, _ channel: Int, into image: UnsafeMutablePointer<Float>
  ) {
    let g = geometry
    // The conversion takes only numbers in the range of the integer.
    let isLow = !(position > -0x1p31)
    let clamped = position >= 0x1p31 || isLow ? 0 : position
    let whole = SelectedISA.toIntTruncating(SelectedISA.splat(clamped))[0]
    let place = Int(position >= 0x1p31 ? Int32.max : isLow ? Int32.min : whole)
    // With this divisor, the compiler knows that the division can't trap.
    let width = max(1, g.kernelWidth)
    let (y, x) = (top &+ place / width, left &+ place % width)
    if isInside(y, x) { image[(y &* g.inputWidth &+ x) &* g.channels &+ channel] = value }
  }

  @inline(__always)
  private func isInside(_ y: Int, _ x: Int) -> Bool {
    y >= 0 && y < geometry.inputHeight && x >= 0 && x < geometry.inputWidth
  }
}

@inline(__always)
private func load(_ pointer: UnsafePointer<Float>) -> Numbers {
  UnsafeRawPointer(pointer).loadUnaligned(as: Numbers.self)
}

@inline(__always)
private func store(_ numbers: Numbers, _ pointer: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: numbers, as: Numbers.self)
}
