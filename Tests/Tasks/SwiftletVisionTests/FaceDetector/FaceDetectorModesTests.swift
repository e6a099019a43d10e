import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face detector in images, videos, and live sessions", .timeLimit(.minutes(30)))
struct FaceDetectorModesTests {
  /// A model with the images to run it on.
  struct Work: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var base: BaseOptions
    var confidence: Float
    var images: [InputImage]

    func detector() throws -> FaceDetector {
      try FaceDetector(
        options: FaceDetectorOptions(baseOptions: base, minDetectionConfidence: confidence))
    }

    /// Returns the results of a separate detector for one image after the other.
    func expected() throws -> [[FaceDetection]] {
      let detector = try detector()
      return try images.map { try detector.faces(in: $0) }
    }
  }

  /// A synthetic model and, if the test data is available, a real one.
  static let all: [Work] = {
    var all: [Work] = []
    if let noise = try? (0..<4).map({ try SyntheticFaceModel.image(seed: $0) }) {
      all.append(
        Work(
          testDescription: "synthetic model", base: BaseOptions(model: .bytes(SyntheticFaceModel.bytes)),
          confidence: 0.65,
          images: noise))
    }
    let photographs = ["face.jpg", "coupleanddog.jpeg", "grace_hopper.jpg"].compactMap {
      try? InputImage(ImageDecoder.decode(path: TestData.path("images/" + $0)).image)
    }
    if !photographs.isEmpty {
      all.append(
        Work(
          testDescription: "short-range model",
          base: BaseOptions(model: .file(TestData.path("models/face/face_detector_short_range_metadata.tflite"))),
          confidence: 0.5,
          images: photographs))
    }
    return all
  }()

  @Test("a video session finds the same as single images", arguments: all)
  func video(_ work: Work) async throws {
    let expected = try work.expected()
    #expect(expected.contains { !$0.isEmpty })
    try blocking {
      let video = try work.detector().video()
      for round in 0..<2 {
        for (index, image) in work.images.enumerated() {
          let faces = try video.faces(in: image, at: .milliseconds((round * 10 + index) * 33))
          #expect(faces == expected[index])
        }
      }
    }
    let video = try work.detector().video()
    let faces = try await video.faces(in: work.images[0], at: .milliseconds(5), priority: .userInitiated)
    #expect(faces == expected[0])
  }

  @Test("a live session finds the same as single images, and keeps the timestamps of its frames", arguments: all)
  func live(_ work: Work) async throws {
    let expected = try work.expected()
    let live = try work.detector().live()
    var results = live.results.makeAsyncIterator()
    for (index, image) in work.images.enumerated() {
      try live.send(image, at: .milliseconds(index))
      let next = try #require(await results.next())
      #expect(try next.result.get() == expected[index] && next.time == .milliseconds(index))
    }
    #expect(live.droppedFrameCount == 0)
  }

  @Test("eight threads on one detector find the same as one", arguments: all)
  func eightThreads(_ work: Work) throws {
    let expected = try work.expected()
    let detector = try work.detector()
    let differences = Record<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<4 {
        let index = (thread + step) % work.images.count
        do {
          let found = try detector.faces(in: work.images[index])
          if found != expected[index] { differences.append("thread \(thread), image \(index)") }
        } catch {
          differences.append("\(error)")
        }
      }
    }
    #expect(differences.values == [])
  }

  @Test("two concurrent detectors find the same as consecutive ones", arguments: all)
  func twoAtOnce(_ work: Work) async throws {
    let expected = try work.expected()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let detector = try work.detector()
        group.addTask {
          for _ in 0..<3 {
            for (index, image) in work.images.enumerated() {
              let found = try await detector.faces(in: image, priority: .userInitiated)
              #expect(found == expected[index])
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Runs `body` outside of the test's async context, so that the blocking variant of a method is called.
  private func blocking(_ body: () throws -> Void) rethrows { try body() }
}
