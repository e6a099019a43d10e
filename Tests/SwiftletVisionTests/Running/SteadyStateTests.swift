import AllocationCounter
import Foundation
import Testing

@testable import SwiftletVision

/// Without optimisation the standard library's generic code allocates by itself, in every loop.
private var isOptimized: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}

@Suite("Steady state", .enabled(if: swiftlet_test_counts_allocations(), "allocations are counted on glibc, without sanitizers"))
struct SteadyStateTests {
  /// The allocations of the calling thread while `body` runs.
  static func allocations(_ body: () throws -> Void) rethrows -> Int {
    let before = swiftlet_test_allocations_so_far().count
    try body()
    return Int(swiftlet_test_allocations_so_far().count - before)
  }

  @Test("the counter counts")
  func counter() {
    var kept: [[Int]] = []
    kept.reserveCapacity(10)
    #expect(Self.allocations { for size in 1...10 { kept.append([Int](repeating: size, count: size)) } } == 10)
    #expect(kept.count == 10)
    #expect(Self.allocations {} == 0)
  }

  @Test("the runner itself allocates nothing")
  func runner() throws {
    let image = try picture()
    let still = try FakeRunner.make(.image)
    _ = try still.image(image)
    #expect(try Self.allocations { for _ in 0..<100 { _ = try still.image(image) } } == 0)
    let video = try FakeRunner.make(.video)
    _ = try video.video(image, timestampInMilliseconds: 0)
    #expect(try Self.allocations { for time in 1...100 { _ = try video.video(image, timestampInMilliseconds: time) } } == 0)
  }

  @Test("a face detector allocates its result and nothing else", .enabled(if: isOptimized, "needs an optimised build"))
  func faces() throws {
    let detector = try FaceDetector(options: MadeUpFaceModel.options())
    let image = try MadeUpFaceModel.picture(seed: 3)
    let found = try detector.detect(image: image).detections.count
    #expect(found > 0)
    _ = try detector.detect(image: image)
    // The array, and for each face its categories and its keypoints.
    let expected = 1 + 2 * found
    #expect(try Self.allocations { for _ in 0..<10 { _ = try detector.detect(image: image) } } == 10 * expected)
  }

  @Test("an object detector allocates its result and nothing else", .enabled(if: isOptimized, "needs an optimised build"))
  func objects() throws {
    let detector = try ObjectDetector(
      options: ObjectDetectorOptions(baseOptions: BaseOptions(modelBytes: MadeUpObjectModel.bytes), scoreThreshold: 0.5))
    let image = try MadeUpObjectModel.picture()
    let found = try detector.detect(image: image).detections.count
    #expect(found == 2)
    _ = try detector.detect(image: image)
    // The array, and for each object its categories.
    let expected = 1 + found
    #expect(try Self.allocations { for _ in 0..<10 { _ = try detector.detect(image: image) } } == 10 * expected)
  }
}
