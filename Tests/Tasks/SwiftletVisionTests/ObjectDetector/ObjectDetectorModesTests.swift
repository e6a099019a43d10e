import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Object detector in its running modes", .timeLimit(.minutes(30)))
struct ObjectDetectorModesTests {
  private func detector(_ mode: RunningMode = .image, threshold: Float = 0.5) throws -> ObjectDetector {
    try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .bytes(MadeUpObjectModel.bytes)), runningMode: mode, scoreThreshold: threshold))
  }

  @Test("all modes find the same; only the time differs")
  func modes() async throws {
    let image = try MadeUpObjectModel.picture()
    let expected = [
      Detection(
        categories: [ResultCategory(index: 1, score: Float(230) * (1 / 255))],
        boundingBox: CGRect(x: 0, y: 0, width: 2, height: 1)),
      Detection(
        categories: [ResultCategory(index: 2, score: Float(179) * (1 / 255))],
        boundingBox: CGRect(x: 1, y: 1, width: 2, height: 3)),
    ]
    let still = try await detector().detect(image)
    #expect(still == ObjectDetectorResult(detections: expected, timestamp: .zero))
    let video = try await detector(.video).detect(image, at: .milliseconds(77))
    #expect(video == ObjectDetectorResult(detections: expected, timestamp: .milliseconds(77)))
    let live = try detector(.liveStream)
    var results = live.liveResults.makeAsyncIterator()
    try live.send(image, at: .milliseconds(78))
    let told = try #require(await results.next())
    #expect(try told.result.get() == ObjectDetectorResult(detections: expected, timestamp: .milliseconds(78)))
  }

  @Test("methods of other modes are refused, and a time that does not rise fails its frame only")
  func misuse() throws {
    let image = try MadeUpObjectModel.picture()
    let video = try detector(.video)
    #expect(
      failure { try video.detect(image) }?.code == .wrongMode)
    #expect(
      failure { try video.send(image, at: .zero) }?.code == .wrongMode)
    _ = try video.detect(image, at: .milliseconds(1))
    #expect(
      failure { try video.detect(image, at: .milliseconds(1)) }?.code == .timeNotIncreasing)
    #expect(try video.detect(image, at: .milliseconds(2)).detections.count == 2)
  }

  @Test(
    "an object detector and a face detector at once find what they find one after the other",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func besideFaceDetector() async throws {
    func photograph(_ name: String) throws -> MPImage {
      try MPImage(ImageDecoder.decode(path: TestData.path("images/" + name)).image)
    }
    let pets = try photograph("cats_and_dogs.jpg")
    let person = try photograph("face.jpg")
    let objects = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(
          model: .file(TestData.path("models/detection/coco_ssd_mobilenet_v1_1.0_quant.tflite"))), scoreThreshold: 0.3
      ))
    let faces = try FaceDetector(model: .file(TestData.path("models/face/face_detector_short_range_metadata.tflite")))
    let expectedObjects = try await objects.detect(pets).detections
    let expectedFaces = try await faces.detect(person).detections
    #expect(!expectedObjects.isEmpty && !expectedFaces.isEmpty)
    for _ in 0..<3 {
      async let foundObjects = objects.detect(pets)
      async let foundFaces = faces.detect(person)
      #expect(try await foundObjects.detections == expectedObjects)
      #expect(try await foundFaces.detections == expectedFaces)
    }
  }
}
