import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Canonical faces")
struct CanonicalFaceTests {
  private func error(_ face: SyntheticCanonicalFace) -> TaskError? { error(face.bytes) }

  private func error(_ bytes: [UInt8]) -> TaskError? { taskError { _ = try CanonicalFace(ByteRegion(bytes)) } }

  @Test("numbers may be packed or not")
  func read() throws {
    for isPacked in [false, true] {
      let face = try CanonicalFace(ByteRegion(SyntheticCanonicalFace(isPacked: isPacked).bytes))
      #expect(face.weightedPoints == [4, 33, 61, 199, 263, 291])
    }
  }

  @Test("a face with other points, weights, or kinds is rejected")
  func refused() {
    var face = SyntheticCanonicalFace()
    face.points.removeLast()
    #expect(error(face)?.message.contains("2335 numbers") == true)
    face.points += [.zero, .zero]
    #expect(error(face)?.message.contains("more than 468 points") == true)
    for number in [Float.nan, .infinity, 1e20] {
      var face = SyntheticCanonicalFace()
      face.points[7].x = number
      #expect(error(face)?.message.contains("number 35 of the canonical face") == true)
      face = SyntheticCanonicalFace()
      face.weights[2].weight = number
      #expect(error(face)?.message.contains("the weight of point 61") == true)
    }
    for point in [UInt64(468), .max] {
      var face = SyntheticCanonicalFace()
      face.weights[0].point = point
      #expect(error(face)?.message.contains("point \(point) has a weight") == true)
    }
    #expect(error(SyntheticCanonicalFace(weights: [(1, -1)]))?.message.contains("must be at least 0") == true)
    for weights in [[], [(point: UInt64(1), weight: Float(1))], [(1, 0), (2, 0), (3, 0)]] {
      #expect(error(SyntheticCanonicalFace(weights: weights))?.message.contains("coincide, or have no weight") == true)
    }
    #expect(error(SyntheticCanonicalFace(source: 2))?.message.contains("six points") == true)
    #expect(error([])?.message.contains("has 0 numbers") == true)
  }

  @Test("any bytes give a face or an error")
  func hostile() {
    let bytes = SyntheticCanonicalFace().bytes
    for count in stride(from: 0, to: bytes.count, by: 97) { _ = error(Array(bytes.prefix(count))) }
    var random = SplitMix64(state: 3)
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = error(changed)
      _ = error((0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test(
    "a damaged message is rejected with its position",
    arguments: [
      ([0x80], "a number does not end"), ([UInt8](repeating: 0xFF, count: 11), "more than ten bytes"),
      ([0x0A, 0x05, 0x08], "5 bytes are declared, but 1 are left"), ([0x1D, 0, 0], "4 bytes is declared, but 2"),
      ([0x19, 0], "8 bytes is declared, but 1"), ([0x0B], "field 1 is of kind 3"), ([0x00, 0], "the number 0"),
      ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "are declared, but 0 are left"),
      ([0x0A, 0x03, 0x1A, 0x01, 0x00], "4 bytes is declared, but 1"),
    ] as [([UInt8], String)])
  func damaged(bytes: [UInt8], message: String) {
    let error = error(bytes)
    #expect(error?.code == .invalidModel && error?.message.contains("damaged at byte") == true)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }
}
