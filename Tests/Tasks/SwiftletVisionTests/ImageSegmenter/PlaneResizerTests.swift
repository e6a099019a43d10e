import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Plane resizer")
struct PlaneResizerTests {
  /// The plane `(3x + 5y) mod 7 − 2.5`.
  private static let plane: [Float] = (0..<20).map { index in
    let (x, y) = (index % 5, index / 5)
    return Float((3 * x + 5 * y) % 7) - 2.5
  }

  private func resized(
    _ source: [Float], channels: Int = 1, _ width: Int, _ height: Int, activation: ChannelActivation = .none,
    portions: [Range<Int>]? = nil, sourceWidth: Int = 5, sourceHeight: Int = 4
  ) throws -> [[Float]] {
    let resizer = try PlaneResizer(
      sourceWidth: sourceWidth, sourceHeight: sourceHeight, channels: channels, width: width, height: height,
      activation: activation)
    let result = UnsafeMutableBufferPointer<Float>.allocate(capacity: channels * width * height)
    defer { result.deallocate() }
    result.initialize(repeating: .nan)
    var scratch = [Float](repeating: .nan, count: resizer.scratchCount)
    let base = try #require(result.baseAddress)
    let planes = (0..<channels).map { base + $0 * width * height }
    try planes.withUnsafeBufferPointer { planes in
      try source.withUnsafeBufferPointer { source in
        try scratch.withUnsafeMutableBufferPointer { scratch in
          for rows in portions ?? [0..<height] {
            try resizer.resize(source, targetRows: rows, into: planes, scratch: scratch)
          }
        }
      }
    }
    return (0..<channels).map { Array(result[$0 * width * height..<($0 + 1) * width * height]) }
  }

  private func code(_ body: () throws -> Void) -> ImageError.Code? { (thrownError(body) as ImageError?)?.code }

  @Test("planes are interpolated like OpenCV's, for every combination of larger and smaller sides")
  func planesAreInterpolated() throws {
    let wide: [Float] = [
      -1.66667, -0.61905, 1.02381, 3.16667, 0.30952, 0.45238, 2.16667, 1.5, 1.21429, 0.85714, 0.5, 0.14286, -0.21429,
      -0.5, -1.16667, 0.54762, 0.69048, -2.16667, -0.02381, 1.61905, 2.66667,
    ]
    #expect(zip(try resized(Self.plane, 7, 3)[0], wide).allSatisfy { abs($0 - $1) < 1e-5 })
    let narrow: [Float] = [
      -0.25, 0.25, -0.29167, -0.08333, -0.40278, -0.97222, -0.31944, -1.56944, 1.125, -0.125, 2.56944, 1.31944, 1.97222,
      1.40278, 1.08333, 1.29167, 0.75, 1.25,
    ]
    #expect(zip(try resized(Self.plane, 2, 9)[0], narrow).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("denormals are flushed to zero, and only there")
  func flushesDenormals() throws {
    let smallest = Float.leastNonzeroMagnitude
    let mixed = try resized([Float](repeating: 1000 * smallest, count: 20), 13, 9)[0]
    #expect(mixed.allSatisfy { $0 == 0 })
    let kept = try resized([Float](repeating: 0.25, count: 20), 13, 9)[0]
    #expect(kept.allSatisfy { abs($0 - 0.25) < 1e-6 })
    #expect(mixed.reduce(smallest, +) + smallest == 2 * smallest)
  }

  @Test("the same size is the same plane", arguments: [1, 2, 3, 21])
  func sameSize(channels: Int) throws {
    let source = (0..<20 * channels).map { Float($0) * 0.37 }
    let planes = try resized(source, channels: channels, 5, 4)
    for channel in 0..<channels {
      #expect(planes[channel] == stride(from: channel, to: source.count, by: channels).map { source[$0] })
    }
  }

  @Test("every channel of interleaved values is resized like a separate plane", arguments: [2, 3, 9, 21])
  func interleavedChannels(channels: Int) throws {
    let interleaved = Self.plane.flatMap { value in (0..<channels).map { value + Float($0) * 10 } }
    for (width, height) in [(7, 3), (2, 9), (5, 6), (8, 4)] {
      let planes = try resized(interleaved, channels: channels, width, height)
      for channel in 0..<channels {
        let alone = try resized(Self.plane.map { $0 + Float(channel) * 10 }, width, height)[0]
        #expect(zip(planes[channel], alone).allSatisfy { abs($0 - $1) < 1e-4 })
      }
    }
  }

  @Test("rows in any partition equal the whole", arguments: [1, 3])
  func rowPortions(channels: Int) throws {
    let source = (0..<20 * channels).map { Float(($0 * 7) % 11) }
    let whole = try resized(source, channels: channels, 6, 11)
    #expect(try resized(source, channels: channels, 6, 11, portions: [7..<11, 0..<1, 1..<7]) == whole)
  }

  @Test("softmax is applied to a pixel's channels before they are interpolated")
  func softmax() throws {
    let source: [Float] = [0, 2, 1, -100, 100, 0]
    let planes = try resized(source, channels: 3, 4, 1, activation: .softmax, sourceWidth: 2, sourceHeight: 1)
    let first: [Float] = [0.09003057, 0.66524096, 0.24472847]
    let second: [Float] = [0, 1, 0]
    for channel in 0..<3 {
      let (a, b) = (first[channel], second[channel])
      let expected = [a, a * 0.75 + b * 0.25, a * 0.25 + b * 0.75, b]
      #expect(zip(planes[channel], expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("sigmoid is applied to each channel separately, and softmax of one channel is 1")
  func singleChannels() throws {
    let sigmoid = try resized([-1000, 0, 2, 1000], 2, 2, activation: .sigmoid, sourceWidth: 2, sourceHeight: 2)[0]
    #expect(zip(sigmoid, [0, 0.5, 0.880797, 1] as [Float]).allSatisfy { abs($0 - $1) < 1e-6 })
    let softmax = try resized([-3, 0, 2, 7], 2, 2, activation: .softmax, sourceWidth: 2, sourceHeight: 2)[0]
    #expect(softmax == [1, 1, 1, 1])
  }

  @Test("buffers that are too small are rejected")
  func smallBuffers() throws {
    #expect(code { _ = try resized(Array(Self.plane.dropLast()), 7, 3) } == .tooFewBytes)
    #expect(code { _ = try resized(Self.plane, channels: 2, 7, 3) } == .tooFewBytes)
    #expect(code { _ = try resized(Self.plane, 7, 3, portions: [2..<4]) } == .tooFewBytes)
    for (width, height, channels) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1 << 20, 1, 1 << 12), (1, 1, .max)] {
      #expect(
        code {
          _ = try PlaneResizer(sourceWidth: 5, sourceHeight: 4, channels: channels, width: width, height: height)
        } == .invalidSize)
    }
  }
}
