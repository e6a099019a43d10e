import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face detector in its running modes", .timeLimit(.minutes(10)))
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
      return try pictures.map { try detector.detect(image: $0).detections }
    }
  }

  /// A made-up model and, where the test data is, a real one.
  static let all: [Work] = {
    var all: [Work] = []
    if let noise = try? (0..<4).map({ try MadeUpFaceModel.picture(seed: $0) }) {
      all.append(
        Work(
          testDescription: "made-up model", base: BaseOptions(modelBytes: MadeUpFaceModel.bytes), confidence: 0.65,
          pictures: noise))
    }
    let photographs = ["face.jpg", "coupleanddog.jpeg", "grace_hopper.jpg"].compactMap {
      try? MPImage(ImageDecoder.decode(path: TestData.path("images/" + $0)).image)
    }
    if !photographs.isEmpty {
      all.append(
        Work(
          testDescription: "short-range model",
          base: BaseOptions(modelAssetPath: TestData.path("models/face/face_detector_short_range_metadata.tflite")),
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
          let result = try detector.detect(videoFrame: image, timestampInMilliseconds: time)
          #expect(result == FaceDetectorResult(detections: expected[index], timestampInMilliseconds: time))
        }
      }
    }
    let detector = try work.detector(.video)
    let result = try await detector.detect(videoFrame: work.pictures[0], timestampInMilliseconds: 5)
    #expect(result == FaceDetectorResult(detections: expected[0], timestampInMilliseconds: 5))
  }

  @Test("a live stream finds what image mode finds", arguments: all)
  func liveStream(_ work: Work) async throws {
    let expected = try work.expected()
    let detector = try work.detector(.liveStream)
    var results = detector.liveResults.makeAsyncIterator()
    for (index, image) in work.pictures.enumerated() {
      try detector.detectAsync(image: image, timestampInMilliseconds: index)
      let next = try #require(await results.next())
      #expect(try next.result.get() == FaceDetectorResult(detections: expected[index], timestampInMilliseconds: index))
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
          let found = try detector.detect(image: work.pictures[index]).detections
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
              let found = try await detector.detect(image: image)
              #expect(found.detections == expected[index])
              #expect(found.timestampInMilliseconds == (round * work.pictures.count + index) * 1000)
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
    let text = " mode. Current Running Mode: Live Stream"
    #expect(
      failure { try live.detect(image: image) }?.description == "The vision task is not initialized with image" + text)
    #expect(
      failure { try live.detect(videoFrame: image, timestampInMilliseconds: 0) }?.description
        == "The vision task is not initialized with video" + text)
    let still = try FaceDetector(options: MadeUpFaceModel.options())
    #expect(
      failure { try still.detectAsync(image: image, timestampInMilliseconds: 0) }?.description
        == "The vision task is not initialized with live stream mode. Current Running Mode: Image")
  }

  /// Runs `body` outside of the test's async context, where the blocking form of a method is the one meant.
  private func blocking(_ body: () throws -> Void) rethrows { try body() }
}

@Suite("Where a task's model comes from")
struct ModelSourceTests {
  private func detections(_ base: BaseOptions) throws -> [Detection] {
    let options = FaceDetectorOptions(baseOptions: base, minDetectionConfidence: 0.65)
    return try FaceDetector(options: options).detect(image: try MadeUpFaceModel.picture(seed: 3)).detections
  }

  @Test("a path, a file URL and bytes are the same model")
  func sources() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("made up \(UUID().uuidString).tflite")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(MadeUpFaceModel.bytes).write(to: url)
    let expected = try detections(BaseOptions(modelBytes: MadeUpFaceModel.bytes))
    #expect(!expected.isEmpty)
    #expect(try detections(BaseOptions(modelAssetPath: url.path)) == expected)
    #expect(try detections(BaseOptions(modelURL: url)) == expected)
  }

  @Test("no source, a missing file, a URL that is no file's and bytes that are no model are told apart")
  func errors() throws {
    #expect(
      failure { try FaceDetector(modelPath: "") }?.description
        == "INVALID_ARGUMENT: ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    )
    #expect(
      failure { try FaceDetector(modelPath: "/nowhere/face.tflite") }
        == VisionTaskError(.notFound, "Unable to open file at /nowhere/face.tflite"))
    let web = try #require(URL(string: "https://example.com/face.tflite"))
    let error = failure { try detections(BaseOptions(modelURL: web)) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("https://example.com/face.tflite is not a file URL") == true)
    #expect(failure { try detections(BaseOptions(modelBytes: [1, 2, 3])) }?.code == .invalidArgument)
  }
}
