import SwiftletBase

/// The four pixels around a position, and the position between them.
struct FourPixels {
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
  subscript(channel: Int) -> Float {
    let left = upperLeft[channel] + (lowerLeft[channel] - upperLeft[channel]) * down
    let right = upperRight[channel] + (lowerRight[channel] - upperRight[channel]) * down
    return left + (right - left) * across
  }

  /// Returns the interpolated values of four channels, starting at `channel`.
  @inline(__always)
  func four(from channel: Int) -> SIMD4<Float> {
    let (a, b) = (Self.load(upperLeft + channel), Self.load(lowerLeft + channel))
    let (c, d) = (Self.load(upperRight + channel), Self.load(lowerRight + channel))
    let left = a + (b - a) * down
    let right = c + (d - c) * down
    return left + (right - left) * across
  }

  @inline(__always)
  static func load(_ pointer: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<Float>.self)
  }
}

/// The rule that selects the category from scores: the channel with the highest score, or the first of equal ones. With
/// one channel, the category depends on whether the score is above 0.5.
struct CategoryComparison: Sendable {
  let channels: Int
  let appliesSigmoid: Bool

  /// Returns the category of a pixel with the given scores.
  @inline(__always)
  func category(of scores: UnsafePointer<Float>) -> UInt8 {
    category(count: channels, one: { scores[$0] }, four: { FourPixels.load(scores + $0) })
  }

  /// Returns the category between four pixels.
  @inline(__always)
  func category(_ pixels: FourPixels) -> UInt8 {
    category(count: channels, one: { pixels[$0] }, four: { pixels.four(from: $0) })
  }

  @inline(__always)
  private func category(count: Int, one: (Int) -> Float, four: (Int) -> SIMD4<Float>) -> UInt8 {
    if count == 1 { return isForeground(one(0)) ? CategoryResampler.foreground : CategoryResampler.background }
    let strongest =
      count < 4 || appliesSigmoid ? strongest(count: count, one) : strongestOfFours(count: count, one, four)
    return UInt8(truncatingIfNeeded: strongest)
  }

  private func isForeground(_ score: Float) -> Bool {
    guard appliesSigmoid else { return score > 0.5 }
    // The sigmoid is above 0.5 for positive numbers, except for tiny ones whose sigmoid rounds to 0.5.
    return score > 1e-6 || score > 0 && Self.sigmoid(score) > 0.5
  }

  @inline(__always)
  private func strongest(count: Int, _ one: (Int) -> Float) -> Int {
    var best = one(0)
    var index = 0
    for channel in 1..<count {
      let score = one(channel)
      // Different large scores may have the same sigmoid; the first one then wins.
      if score > best, !appliesSigmoid || Self.sigmoid(score) > Self.sigmoid(best) {
        best = score
        index = channel
      }
    }
    return index
  }

  /// Returns the channel with the highest score. It compares four channels at a time and then the lanes; of equal
  /// channels, the first wins.
  @inline(__always)
  private func strongestOfFours(count: Int, _ one: (Int) -> Float, _ four: (Int) -> SIMD4<Float>) -> Int {
    var best = four(0)
    var indices = SIMD4<Int32>(0, 1, 2, 3)
    var candidates = indices
    var channel = 4
    while channel &+ 4 <= count {
      candidates &+= 4
      let scores = four(channel)
      let isBetter = scores .> best
      best.replace(with: scores, where: isBetter)
      indices.replace(with: candidates, where: isBetter)
      channel &+= 4
    }
    var winner = best[0]
    var index = Int(indices[0])
    for lane in 1..<4 where best[lane] > winner || best[lane] == winner && Int(indices[lane]) < index {
      winner = best[lane]
      index = Int(indices[lane])
    }
    while channel < count {
      let score = one(channel)
      if score > winner {
        winner = score
        index = channel
      }
      channel &+= 1
    }
    return index
  }

  /// Returns the sigmoid, in double precision except for the exponential, as in MediaPipe.
  private static func sigmoid(_ score: Float) -> Float {
    Float(1 / (1 + Double(expf(-score))))
  }
}
