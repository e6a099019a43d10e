import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face detector in its running modes", .timeLimit(.minutes(30)))
struct FaceDetectorModesTests {
  /// A model with the pictures to run it on.
  struct Work: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var base: BaseOptions
    var confidence: Float
    var pictures: [MPImage]

    func detector(_ mode: RunningMode = .image) throws -> FaceDetector {
      try FaceDetector(
        options: FaceDetectorOptions(baseOptions: base, runningMode: mode, minDetectionConfidence: confidence))
    }

    /// What a detector of its own finds, one picture after the other.
    func expected() throws -> [[Detection]] {
      let detector = try detector()
      return try pictures.map { try detector.detect($0).detections }
    }
  }

  /// A made-up model and, where the test data is, a real one.
  static let all: [Work] = {
    var all: [Work] = []
    if let noise = try? (0..<4).map({ try MadeUpFaceModel.picture(seed: $0) }) {
      all.append(
        Work(
          testDescription: "made-up model", base: BaseOptions(model: .bytes(MadeUpFaceModel.bytes)), confidence: 0.65,
          pictures: noise))
    }
    let photographs = ["face.jpg", "coupleanddog.jpeg", "grace_hopper.jpg"].compactMap {
      try? MPImage(ImageDecoder.decode(path: TestData.path("images/" + $0)).image)
    }
    if !photographs.isEmpty {
      all.append(
        Work(
          testDescription: "short-range model",
          base: BaseOptions(model: .file(TestData.path("models/face/face_detector_short_range_metadata.tflite"))),
          confidence: 0.5,
          pictures: photographs))
    }
    return all
  }()

  @Test("video mode finds what image mode finds, and keeps the frames' times", arguments: all)
  func video(_ work: Work) async throws {
    let expected = try work.expected()
    #expect(expected.contains { !$0.isEmpty })
    try blocking {
      let detector = try work.detector(.video)
      for round in 0..<2 {
        for (index, image) in work.pictures.enumerated() {
          let time = (round * 10 + index) * 33
          let result = try detector.detect(image, at: .milliseconds(time))
          #expect(result == FaceDetectorResult(detections: expected[index], timestamp: .milliseconds(time)))
        }
      }
    }
    let detector = try work.detector(.video)
    let result = try await detector.detect(work.pictures[0], at: .milliseconds(5))
    #expect(result == FaceDetectorResult(detections: expected[0], timestamp: .milliseconds(5)))
  }

  @Test("a live stream finds what image mode finds", arguments: all)
  func liveStream(_ work: Work) async throws {
    let expected = try work.expected()
    let detector = try work.detector(.liveStream)
    var results = detector.liveResults.makeAsyncIterator()
    for (index, image) in work.pictures.enumerated() {
      try detector.send(image, at: .milliseconds(index))
      let next = try #require(await results.next())
      #expect(try next.result.get() == FaceDetectorResult(detections: expected[index], timestamp: .milliseconds(index)))
    }
    #expect(detector.droppedFrameCount == 0)
  }

  @Test("eight threads on one detector find what one finds", arguments: all)
  func eightThreads(_ work: Work) throws {
    let expected = try work.expected()
    let detector = try work.detector()
    let differences = Record<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<4 {
        let index = (thread + step) % work.pictures.count
        do {
          let found = try detector.detect(work.pictures[index]).detections
          if found != expected[index] { differences.append("thread \(thread), picture \(index)") }
        } catch {
          differences.append("\(error)")
        }
      }
    }
    #expect(differences.values == [])
  }

  @Test("two detectors at once find what they find one after the other", arguments: all)
  func twoAtOnce(_ work: Work) async throws {
    let expected = try work.expected()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let detector = try work.detector()
        group.addTask {
          for round in 0..<3 {
            for (index, image) in work.pictures.enumerated() {
              let found = try await detector.detect(image)
              #expect(found.detections == expected[index])
              #expect(found.timestamp == .seconds(round * work.pictures.count + index))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("methods of other modes are refused")
  func misuse() throws {
    let image = try MadeUpFaceModel.picture(seed: 1)
    let live = try FaceDetector(options: MadeUpFaceModel.options(.liveStream))
    #expect(
      failure { try live.detect(image) }?.code == .wrongMode)
    #expect(
      failure { try live.detect(image, at: .zero) }?.code == .wrongMode)
    let still = try FaceDetector(options: MadeUpFaceModel.options())
    #expect(
      failure { try still.send(image, at: .zero) }?.code == .wrongMode)
  }

  /// Runs `body` outside of the test's async context, where the blocking form of a method is the one meant.
  private func blocking(_ body: () throws -> Void) rethrows { try body() }
}
