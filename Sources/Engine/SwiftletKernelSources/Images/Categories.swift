import SwiftletKernels

/// The four pixels around a position, and the position between them.
private struct FourPixels {
  let upperLeft: UnsafePointer<Float>
  let upperRight: UnsafePointer<Float>
  let lowerLeft: UnsafePointer<Float>
  let lowerRight: UnsafePointer<Float>
  /// The vertical position, 0…1 from the upper to the lower pixels.
  let down: Float
  /// The horizontal position, 0…1 from the left to the right pixels.
  let across: Float

  /// The interpolated value of a channel: vertically first, then horizontally, as in MediaPipe.
  @inline(__always)
  func one(_ channel: Int) -> Float {
    let left = upperLeft[channel] + (lowerLeft[channel] - upperLeft[channel]) * down
    let right = upperRight[channel] + (lowerRight[channel] - upperRight[channel]) * down
    return left + (right - left) * across
  }

  /// Returns the interpolated values of four channels, starting at `channel`.
  @inline(__always)
  func four(_ channel: Int) -> SIMD4<Float> {
    let (a, b) = (load(upperLeft + channel), load(lowerLeft + channel))
    let (c, d) = (load(upperRight + channel), load(lowerRight + channel))
    let left = a + (b - a) * down
    let right = c + (d - c) * down
    return left + (right - left) * across
  }
}

/// Determines the categories of a row of pixels: of each the channel with the highest score, the first of equal ones.
/// With one channel, the category depends on whether the score is above a threshold.
@inline(__always)
func categories(
  of scores: UnsafePointer<Float>, count: Int, channels: Int, threshold: Float,
  into categories: UnsafeMutablePointer<UInt16>
) {
  var (pixel, index) = (scores, 0)
  while index < count {
    categories[index] = UInt16(
      category(channels: channels, threshold: threshold, one: { pixel[$0] }, four: { load(pixel + $0) }))
    pixel += channels
    index &+= 1
  }
}

/// Determines the categories of a row of a mask. Only cells with several categories are interpolated.
@inline(__always)
func fillCategories(_ row: CategoryRow, into target: UnsafeMutablePointer<UInt8>) {
  var column = 0
  while column < row.width {
    let tap = row.columns[column]
    let cell = row.cells[tap.index0]
    if cell != CategoryRow.mixed {
      target[column] = UInt8(truncatingIfNeeded: cell)
    } else {
      let (left, right) = (tap.index0 &* row.channels, tap.index1 &* row.channels)
      let pixels = FourPixels(
        upperLeft: row.upper + left, upperRight: row.upper + right, lowerLeft: row.lower + left,
        lowerRight: row.lower + right, down: row.down, across: tap.weight)
      target[column] = category(
        channels: row.channels, threshold: row.threshold, one: { pixels.one($0) }, four: { pixels.four($0) })
    }
    column &+= 1
  }
}

@inline(__always)
private func category(
  channels: Int, threshold: Float, one: (Int) -> Float, four: (Int) -> SIMD4<Float>
) -> UInt8 {
  if channels == 1 { return one(0) > threshold ? CategoryRow.foreground : CategoryRow.background }
  var (winner, index, channel) = (one(0), 0, 1)
  // Compare four channels at a time and then the lanes; of equal channels, the first wins.
  if channels >= 4 {
    var best = four(0)
    var indices = SIMD4<Int32>(0, 1, 2, 3)
    var candidates = indices
    channel = 4
    while channel &+ 4 <= channels {
      candidates &+= 4
      let scores = four(channel)
      let isBetter = scores .> best
      best.replace(with: scores, where: isBetter)
      indices.replace(with: candidates, where: isBetter)
      channel &+= 4
    }
    (winner, index) = (best[0], Int(indices[0]))
    var lane = 1
    while lane < 4 {
      let (score, place) = (best[lane], Int(indices[lane]))
      if score > winner || score == winner && place < index { (winner, index) = (score, place) }
      lane &+= 1
    }
  }
  while channel < channels {
    let score = one(channel)
    if score > winner { (winner, index) = (score, channel) }
    channel &+= 1
  }
  return UInt8(truncatingIfNeeded: index)
}

@inline(__always)
private func load(_ pointer: UnsafePointer<Float>) -> SIMD4<Float> {
  UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<Float>.self)
}
