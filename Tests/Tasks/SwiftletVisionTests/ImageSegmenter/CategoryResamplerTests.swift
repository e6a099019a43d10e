import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Category resampler")
struct CategoryResamplerTests {
  struct Scores {
    var width: Int
    var height: Int
    var channels: Int
    var values: [Float]

    /// Returns scores in steps of one half, so that ties are frequent.
    static func random(_ width: Int, _ height: Int, channels: Int, seed: UInt64) -> Scores {
      var random = SplitMix64(state: seed)
      let values = (0..<width * height * channels).map { _ in Float(Int.random(in: -6...6, using: &random)) / 2 }
      return Scores(width: width, height: height, channels: channels, values: values)
    }

    /// Returns the interpolated score with aligned corners, in double precision.
    func value(_ row: Int, _ column: Int, of size: (width: Int, height: Int), channel: Int) -> Double {
      let y = size.height > 1 ? Double(row) * Double(height - 1) / Double(size.height - 1) : 0
      let x = size.width > 1 ? Double(column) * Double(width - 1) / Double(size.width - 1) : 0
      func at(_ y: Int, _ x: Int) -> Double {
        Double(values[(min(y, height - 1) * width + min(x, width - 1)) * channels + channel])
      }
      let (top, left) = (Int(y), Int(x))
      let (down, across) = (y - Double(top), x - Double(left))
      let upper = at(top, left) * (1 - across) + at(top, left + 1) * across
      let lower = at(top + 1, left) * (1 - across) + at(top + 1, left + 1) * across
      return upper * (1 - down) + lower * down
    }
  }

  private func mask(
    _ scores: Scores, _ width: Int, _ height: Int, sigmoid: Bool = false, portions: [Range<Int>]? = nil
  ) throws -> [UInt8] {
    let resampler = try CategoryResampler(
      sourceWidth: scores.width, sourceHeight: scores.height, channels: scores.channels, width: width, height: height,
      appliesSigmoid: sigmoid)
    var result = [UInt8](repeating: 77, count: width * height)
    var scratch = [UInt16](repeating: 999, count: resampler.scratchCount)
    try scores.values.withUnsafeBufferPointer { scores in
      try result.withUnsafeMutableBufferPointer { result in
        try scratch.withUnsafeMutableBufferPointer { scratch in
          for rows in portions ?? [0..<height] {
            try resampler.resample(scores, targetRows: rows, into: result, scratch: scratch)
          }
        }
      }
    }
    return result
  }

  private func code(_ body: () throws -> Void) -> ImageError.Code? { (thrownError(body) as ImageError?)?.code }

  @Test("the greatest of the interpolated scores wins", arguments: [2, 3, 4, 5, 8, 21])
  func greatestWins(channels: Int) throws {
    for (width, height) in [(23, 17), (7, 5), (3, 2), (1, 1), (60, 1)] {
      let scores = Scores.random(7, 5, channels: channels, seed: UInt64(channels))
      let mask = try mask(scores, width, height)
      for row in 0..<height {
        for column in 0..<width {
          let values = (0..<channels).map { scores.value(row, column, of: (width, height), channel: $0) }
          let found = Int(mask[row * width + column])
          // Rounding can decide between scores that are practically equal.
          #expect(found < channels && values[found] > (values.max() ?? 0) - 1e-5)
        }
      }
    }
  }

  @Test("the first of equal scores wins", arguments: [2, 4, 6, 21])
  func firstOfEquals(channels: Int) throws {
    for winner in 0..<channels {
      let pixel = (0..<channels).map { $0 < winner ? Float(-1) : 3 }
      let scores = Scores(
        width: 2, height: 2, channels: channels, values: Array([pixel, pixel, pixel, pixel].joined()))
      #expect(try mask(scores, 5, 4).allSatisfy { $0 == UInt8(winner) })
    }
  }

  @Test("corners are aligned, and the border between two classes is where their scores cross")
  func cornersAreAligned() throws {
    // Class 1 minus class 0 goes from −1 to 3 over the width, and is zero at a quarter.
    let scores = Scores(width: 2, height: 1, channels: 2, values: [1, 0, 0, 3])
    #expect(try mask(scores, 9, 1) == [0, 0, 0, 1, 1, 1, 1, 1, 1])
  }

  @Test("one channel is foreground (0) above one half, and background (255) otherwise")
  func singleChannel() throws {
    let scores = Scores(width: 4, height: 1, channels: 1, values: [0.5, 0.50001, -1, 2])
    #expect(try mask(scores, 4, 1) == [255, 0, 255, 0])
    #expect(try mask(Scores(width: 2, height: 1, channels: 1, values: [0, 1]), 5, 1) == [255, 255, 255, 0, 0])
  }

  @Test("one channel before its sigmoid is foreground above 0")
  func singleChannelWithSigmoid() throws {
    let scores = Scores(width: 5, height: 1, channels: 1, values: [0, 1e-12, 0.001, -5, 40])
    #expect(try mask(scores, 5, 1, sigmoid: true) == [255, 255, 0, 255, 0])
  }

  @Test("scores with equal sigmoids are equal")
  func saturatedSigmoids() throws {
    let scores = Scores(width: 1, height: 1, channels: 5, values: [-3, 30, 50, 2, 40])
    #expect(try mask(scores, 1, 1, sigmoid: true) == [1])
    #expect(try mask(scores, 1, 1) == [2])
  }

  @Test("rows in any partition equal the whole")
  func rowPortions() throws {
    let scores = Scores.random(6, 9, channels: 5, seed: 3)
    let whole = try mask(scores, 14, 20)
    #expect(try mask(scores, 14, 20, portions: [13..<20, 0..<1, 1..<13]) == whole)
  }

  @Test("NaN scores do not select invalid classes")
  func notANumber() throws {
    let scores = Scores(width: 2, height: 2, channels: 5, values: [Float](repeating: .nan, count: 20))
    #expect(try mask(scores, 4, 4).allSatisfy { $0 < 5 })
  }

  @Test("inconsistent sizes and buffers are rejected")
  func refusals() {
    let scores = Scores.random(3, 3, channels: 2, seed: 1)
    #expect(code { _ = try mask(scores, 4, 4, portions: [3..<5]) } == .tooFewBytes)
    var short = scores
    short.values.removeLast()
    #expect(code { _ = try mask(short, 4, 4) } == .tooFewBytes)
    for (width, channels) in [(0, 2), (4, 257), (4, 0), (1 << 21, 2)] {
      #expect(
        code {
          _ = try CategoryResampler(
            sourceWidth: 3, sourceHeight: 3, channels: channels, width: width, height: 4, appliesSigmoid: false)
        } == .invalidSize)
    }
  }
}
