import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Object detector in images, videos, and live sessions", .timeLimit(.minutes(30)))
struct ObjectDetectorModesTests {
  private func detector() throws -> ObjectDetector {
    try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .bytes(SyntheticObjectModel.bytes)), scoreThreshold: 0.5))
  }

  @Test("all three forms of a call find the same objects")
  func ways() async throws {
    let image = try SyntheticObjectModel.image()
    let expected = [
      ObjectDetection(
        categories: [ResultCategory(index: 1, score: Float(230) * (1 / 255))],
        box: PixelRect(x: 0, y: 0, width: 2, height: 1)),
      ObjectDetection(
        categories: [ResultCategory(index: 2, score: Float(179) * (1 / 255))],
        box: PixelRect(x: 1, y: 1, width: 2, height: 3)),
    ]
    let detector = try detector()
    #expect(try await detector.objects(in: image, priority: .userInitiated) == expected)
    #expect(try await detector.video().objects(in: image, at: .milliseconds(77), priority: .userInitiated) == expected)
    let live = detector.live()
    var results = live.results.makeAsyncIterator()
    try live.send(image, at: .milliseconds(78))
    let frame = try #require(await results.next())
    #expect(try frame.result.get() == expected && frame.time == .milliseconds(78))
  }

  @Test("a nonincreasing timestamp fails only its frame")
  func times() throws {
    let image = try SyntheticObjectModel.image()
    let video = try detector().video()
    _ = try video.objects(in: image, at: .milliseconds(1))
    #expect(failure { try video.objects(in: image, at: .milliseconds(1)) }?.code == .timeNotIncreasing)
    #expect(try video.objects(in: image, at: .milliseconds(2)).count == 2)
  }

  @Test(
    "concurrent object and face detectors find the same as consecutive ones",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func besideFaceDetector() async throws {
    func photograph(_ name: String) throws -> InputImage {
      try InputImage(ImageDecoder.decode(path: TestData.path("images/" + name)).image)
    }
    let pets = try photograph("cats_and_dogs.jpg")
    let person = try photograph("face.jpg")
    let objects = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(
          model: .file(TestData.path("models/detection/coco_ssd_mobilenet_v1_1.0_quant.tflite"))), scoreThreshold: 0.3
      ))
    let faces = try FaceDetector(.file(TestData.path("models/face/face_detector_short_range_metadata.tflite")))
    let expectedObjects = try await objects.objects(in: pets, priority: .userInitiated)
    let expectedFaces = try await faces.faces(in: person, priority: .userInitiated)
    #expect(!expectedObjects.isEmpty && !expectedFaces.isEmpty)
    for _ in 0..<3 {
      async let foundObjects = objects.objects(in: pets, priority: .userInitiated)
      async let foundFaces = faces.faces(in: person, priority: .userInitiated)
      #expect(try await foundObjects == expectedObjects)
      #expect(try await foundFaces == expectedFaces)
    }
  }
}
