import SwiftletBase
import SwiftletKernels

/// The rule that selects the category from scores: the channel with the highest score, or the first of equal ones. With
/// one channel, the category depends on whether the score is above 0.5.
struct CategoryComparison: Sendable {
  let channels: Int
  let appliesSigmoid: Bool

  /// The score above which the only channel is the foreground.
  var threshold: Float { appliesSigmoid ? Self.sigmoidThreshold : 0.5 }

  /// The largest number whose sigmoid is at most 0.5. Sigmoids of tiny numbers round to 0.5.
  private static let sigmoidThreshold: Float = {
    var (low, high) = (Float(0).bitPattern, Float(1e-6).bitPattern)
    while high - low > 1 {
      let middle = (low + high) / 2
      if sigmoid(Float(bitPattern: middle)) > 0.5 { high = middle } else { low = middle }
    }
    return Float(bitPattern: low)
  }()

  /// Determines the categories of `count` pixels.
  func categories(of scores: UnsafePointer<Float>, count: Int, into categories: UnsafeMutablePointer<UInt16>) {
    guard appliesSigmoid, channels > 1 else {
      KernelTable.current.images.categories(
        of: scores, count: count, channels: channels, threshold: threshold, into: categories)
      return
    }
    for pixel in 0..<count { categories[pixel] = UInt16(strongest { scores[pixel &* channels &+ $0] }) }
  }

  /// Determines the categories of a row of the mask.
  func fill(_ row: inout CategoryRow, into target: UnsafeMutablePointer<UInt8>) {
    guard appliesSigmoid, channels > 1 else {
      KernelTable.current.images.fillCategories(&row, into: target)
      return
    }
    for column in 0..<row.width {
      let tap = row.columns[column]
      let cell = row.cells[tap.index0]
      if cell != CategoryRow.mixed {
        target[column] = UInt8(truncatingIfNeeded: cell)
        continue
      }
      let (left, right, down) = (tap.index0 &* channels, tap.index1 &* channels, row.down)
      let (upper, lower) = (row.upper, row.lower)
      // Vertically first, then horizontally, as in MediaPipe.
      let winner = strongest { channel in
        let (a, b) = (upper[left &+ channel], lower[left &+ channel])
        let (c, d) = (upper[right &+ channel], lower[right &+ channel])
        let (first, second) = (a + (b - a) * down, c + (d - c) * down)
        return first + (second - first) * tap.weight
      }
      target[column] = UInt8(truncatingIfNeeded: winner)
    }
  }

  /// Returns the channel with the highest sigmoid. Different large scores may have the same sigmoid; the first one then
  /// wins.
  @inline(__always)
  private func strongest(_ score: (Int) -> Float) -> Int {
    var (best, index) = (score(0), 0)
    for channel in 1..<channels {
      let other = score(channel)
      if other > best, Self.sigmoid(other) > Self.sigmoid(best) { (best, index) = (other, channel) }
    }
    return index
  }

  /// Returns the sigmoid, in double precision except for the exponential, as in MediaPipe.
  private static func sigmoid(_ score: Float) -> Float {
    Float(1 / (1 + Double(expf(-score))))
  }
}
