import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// The differences between numbers and MediaPipe's.
struct GoldenDifference {
  /// The differences in ascending order.
  private let differences: [Float]
  let count: Int

  /// Creates the differences.
  ///
  /// - Parameters:
  ///   - found: The results, with as many numbers per point as `golden`.
  ///   - golden: MediaPipe's points, each a list of numbers.
  init(_ found: [Float], _ golden: GoldenValue) {
    let expected = golden.numbers
    count = expected.count
    #expect(found.count == expected.count)
    differences = zip(found, expected).map { abs($0 - $1) }.sorted()
  }

  init(_ points: [NormalizedLandmark], _ golden: GoldenValue) {
    self.init(points.flatMap { [$0.x, $0.y, $0.z] }, golden.places)
  }

  init(_ points: [Landmark], _ golden: GoldenValue) {
    self.init(points.flatMap { [$0.x, $0.y, $0.z] }, golden.places)
  }

  var median: Float { differences.isEmpty ? 0 : differences[differences.count / 2] }
  var largest: Float { differences.last ?? 0 }
  /// The p95 difference.
  var usual: Float { differences.isEmpty ? 0 : differences[(differences.count - 1) * 19 / 20] }
  var mean: Float { differences.isEmpty ? 0 : differences.reduce(0, +) / Float(differences.count) }
}

extension GoldenValue {
  /// The first three numbers of every point.
  fileprivate var places: GoldenValue { .array(elements.map { .array(Array($0.elements.prefix(3))) }) }
}

extension GoldenDifference {
  /// Returns the differences of a mask from 144 samples of MediaPipe's mask, and from its mean. It also checks the
  /// mask's size.
  static func mask(_ mask: ConfidenceMask?, _ golden: GoldenValue) throws -> (samples: GoldenDifference, mean: Float) {
    let mask = try #require(mask)
    #expect(mask.width == golden["width"].int && mask.height == golden["height"].int)
    let numbers = mask.pixels
    let samples = golden["samples"].elements
    let found = samples.map { numbers[($0[1].int ?? 0) * mask.width + ($0[0].int ?? 0)] }
    let mean = numbers.reduce(0) { $0 + Double($1) } / Double(numbers.count)
    return (
      GoldenDifference(found, .array(samples.map { $0[2] })), abs(Float(mean) - (golden["mean"].float ?? -1))
    )
  }
}
