import SwiftletBase

/// The four pixels around a position, and where between them it lies.
struct FourPixels {
  let upperLeft: UnsafePointer<Float>
  let upperRight: UnsafePointer<Float>
  let lowerLeft: UnsafePointer<Float>
  let lowerRight: UnsafePointer<Float>
  /// 0…1 from the upper to the lower pixels.
  let down: Float
  /// 0…1 from the left to the right pixels.
  let across: Float

  /// Down first, then across: MediaPipe's order.
  @inline(__always)
  subscript(channel: Int) -> Float {
    let left = upperLeft[channel] + (lowerLeft[channel] - upperLeft[channel]) * down
    let right = upperRight[channel] + (lowerRight[channel] - upperRight[channel]) * down
    return left + (right - left) * across
  }

  /// Four channels from `channel` on.
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

/// The rule by which scores become a category: the channel with the greatest score, the first one of equals. With one
/// channel, whether its score is above one half.
struct CategoryComparison: Sendable {
  let channels: Int
  let appliesSigmoid: Bool

  /// The category of a pixel with these scores.
  @inline(__always)
  func category(of scores: UnsafePointer<Float>) -> UInt8 {
    category(count: channels, one: { scores[$0] }, four: { FourPixels.load(scores + $0) })
  }

  /// The category between four pixels.
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
    // A sigmoid is above one half for numbers above 0, except for so small ones that it rounds to one half.
    return score > 1e-6 || score > 0 && Self.sigmoid(score) > 0.5
  }

  @inline(__always)
  private func strongest(count: Int, _ one: (Int) -> Float) -> Int {
    var best = one(0)
    var index = 0
    for channel in 1..<count {
      let score = one(channel)
      // Large scores that differ may have the same sigmoid; then the first wins.
      if score > best, !appliesSigmoid || Self.sigmoid(score) > Self.sigmoid(best) {
        best = score
        index = channel
      }
    }
    return index
  }

  /// Lane by lane first, where an earlier channel keeps its place against an equal one.
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

  /// In double precision except for the exponential, as MediaPipe computes it.
  private static func sigmoid(_ score: Float) -> Float {
    Float(1 / (1 + Double(expf(-score))))
  }
}
