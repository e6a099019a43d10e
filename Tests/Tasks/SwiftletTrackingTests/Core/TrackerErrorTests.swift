import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Errors of the object tracker")
struct TrackerErrorTests {
  @Test("codes have documented numbers")
  func codes() {
    let codes: [ObjectTrackerError.Code] = [
      .missingLocalizerModel, .modelNotFound, .forbiddenModel, .invalidModel, .unsuitableModel, .unsupportedModel,
      .missingMetadata, .invalidOption, .invalidImage, .limitExceeded, .deadlineExceeded, .cancelled, .failed,
    ]
    #expect(codes == ObjectTrackerError.Code.allCases && codes.map(\.rawValue) == Array(1...13))
    #expect(
      ModelFault.allCases.map(\.rawValue) == [
        2, 100, 101, 102, 200, 201, 202, 203, 204, 205, 206, 208, 300, 301, 302, 400, 401, 402,
      ])
    let names = """
      invalidArgument fileNotFound filePermission fileRead metadataSchema associatedFileMissing archive \
      metadataInconsistent processUnits labelCountMismatch scoreCalibration normalizationMissing inputCount \
      inputDimensions inputType outputDimensions outputType outputMissing
      """
    #expect(ModelFault.allCases.map { "\($0)" } == names.split(separator: " ").map(String.init))
  }

  @Test("an error keeps what it is made of, in one line")
  func fields() {
    let error = ObjectTrackerError(.failed, "a\u{1B}b\n", fault: .archive)
    #expect(error.code == .failed && error.fault == .archive && error.description == error.message)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 } && error.errorDescription == error.message)
    #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.message && error.errorCode == 13)
    #expect(ObjectTrackerError.errorDomain == "com.swiftlet.tracking")
    #expect(ObjectTrackerError(.failed, "a").fault == nil)
    let missing = ObjectTrackerError.modelNotFound(path: "/a")
    #expect(
      missing.code == .modelNotFound && missing.message == "there is no model at /a" && missing.fault == .fileNotFound)
    let unsuitable = ObjectTrackerError.unsuitableModel(.outputType, "no")
    #expect(unsuitable.code == .unsuitableModel && unsuitable.message == "no (401)" && unsuitable.fault == .outputType)
    let image = ObjectTrackerError.invalidImage("empty")
    #expect(image == ObjectTrackerError(.invalidImage, "the picture cannot be used: empty"))
    #expect(ObjectTrackerError.invalidOption("x") == ObjectTrackerError(.invalidOption, "x"))
    #expect(ObjectTrackerError.missingLocalizerModel.code == .missingLocalizerModel)
    #expect(
      ObjectTrackerError.missingLocalizerModel.message.hasPrefix("no model says where objects are; name ") == true)
  }

  private func wrapped(_ error: any Error, naming model: ModelSource? = nil) -> ObjectTrackerError? {
    trackerError { try ObjectTrackerError.wrapping(naming: model) { throw error } }
  }

  @Test(
    "every code of a task has one of the tracker",
    arguments: [
      (TaskError.Code.modelNotFound, ObjectTrackerError.Code.modelNotFound), (.missingMetadata, .missingMetadata),
      (.unsupportedModel, .unsupportedModel), (.unreadableModel, .invalidModel), (.invalidModel, .invalidModel),
      (.limitExceeded, .limitExceeded), (.deadlineExceeded, .deadlineExceeded), (.cancelled, .cancelled),
      (.failed, .failed), (.unsupportedRegion, .failed), (.invalidAudio, .failed), (.invalidOption, .invalidOption),
      (.invalidArgument, .invalidOption), (.wrongMode, .invalidOption), (.timeNotIncreasing, .invalidOption),
      (.unsupportedOrientation, .invalidImage), (.invalidRegion, .invalidImage), (.invalidImage, .invalidImage),
    ])
  func taskErrors(code: TaskError.Code, expected: ObjectTrackerError.Code) {
    #expect(wrapped(TaskError(code, "what happened")) == ObjectTrackerError(expected, "what happened"))
  }

  private struct Fault: Error, CustomStringConvertible {
    let description = "a fault"
  }

  @Test("circumstances and other errors are told apart")
  func others() {
    let missing = TaskError(.modelNotFound, "x", .missingFile(path: "/a.tflite"))
    #expect(wrapped(missing) == .modelNotFound(path: "/a.tflite"))
    #expect(wrapped(TaskError(.unreadableModel, "x", .forbiddenFile)) == ObjectTrackerError(.forbiddenModel, "x"))
    let member = TaskError(.modelNotFound, "x", .missingMember(name: "a", others: []))
    #expect(wrapped(member) == ObjectTrackerError(.modelNotFound, "x"))
    #expect(wrapped(ImageError(code: .invalidSize, message: "small")) == .invalidImage("small"))
    #expect(wrapped(Fault()) == ObjectTrackerError(.failed, "a fault"))
    let own = ObjectTrackerError(.unsuitableModel, "own", fault: .archive)
    #expect(wrapped(own) == own)
    #expect((try? ObjectTrackerError.wrapping { 5 }) == 5)
  }

  @Test("an error of a model names its file, once, unless it is about something else")
  func naming() {
    let file = ModelSource.file("/a/model.tflite")
    let fault = ObjectTrackerError(.unsuitableModel, "broken", fault: .archive)
    #expect(
      wrapped(fault, naming: file)
        == ObjectTrackerError(.unsuitableModel, "/a/model.tflite: broken", fault: .archive))
    let named = ObjectTrackerError(.invalidModel, "/a/model.tflite is broken")
    #expect(wrapped(named, naming: file) == named && wrapped(fault, naming: .bytes([])) == fault)
    #expect(wrapped(fault, naming: .file("")) == fault && wrapped(fault) == fault)
    for code in ObjectTrackerError.Code.allCases {
      let isNamed = ![.missingLocalizerModel, .modelNotFound, .invalidOption, .invalidImage].contains(code)
      let message = wrapped(ObjectTrackerError(code, "broken"), naming: file)?.message
      #expect(message == (isNamed ? "/a/model.tflite: broken" : "broken"), "\(code)")
    }
  }

  // MARK: Geometry

  @Test("an image on its side is as wide as it is stored high", arguments: ImageOrientation.allCases)
  func geometry(orientation: ImageOrientation) throws {
    let geometry = PictureGeometry(width: 200, height: 100, orientation: orientation)
    let isTurned = orientation.swapsWidthAndHeight
    #expect(geometry.uprightWidth == (isTurned ? 100 : 200) && geometry.uprightHeight == (isTurned ? 200 : 100))
    let image = try MPImage(rgb: [UInt8](repeating: 0, count: 60), width: 5, height: 4, orientation: orientation)
    #expect(PictureGeometry(image) == PictureGeometry(width: 5, height: 4, orientation: orientation))
    let box = BoundingBox(x: 10, y: 20, width: 30, height: 40)
    let stored: [ImageOrientation: BoundingBox] = [
      .up: box, .upMirrored: BoundingBox(x: 160, y: 20, width: 30, height: 40),
      .down: BoundingBox(x: 160, y: 40, width: 30, height: 40),
      .downMirrored: BoundingBox(x: 10, y: 40, width: 30, height: 40),
      .leftMirrored: BoundingBox(x: 20, y: 10, width: 40, height: 30),
      .right: BoundingBox(x: 20, y: 60, width: 40, height: 30),
      .rightMirrored: BoundingBox(x: 140, y: 60, width: 40, height: 30),
      .left: BoundingBox(x: 140, y: 10, width: 40, height: 30),
    ]
    #expect(geometry.stored(box) == stored[orientation] && geometry.upright(geometry.stored(box)) == box)
    let region = geometry.regionOfInterest(BoundingBox(x: 50, y: 25, width: 100, height: 50))
    #expect(region == NormalizedRect(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75))
    #expect(
      geometry.clipped(BoundingBox(x: -10, y: -10, width: 500, height: 500))
        == BoundingBox(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight))
    #expect(geometry.clipped(BoundingBox(x: geometry.uprightWidth, y: 0, width: 5, height: 5)) == nil)
    #expect(geometry.clipped(BoundingBox(x: 0, y: geometry.uprightHeight, width: 5, height: 5)) == nil)
  }

  @Test("an object tells its frame in pixels and in parts of the image, stored and upright")
  func frames() {
    let geometry = PictureGeometry(width: 200, height: 100, orientation: .right)
    // In an upright image of 100 × 200.
    let object = TrackedObject(
      box: BoundingBox(x: 10, y: 20, width: 30, height: 40), geometry: geometry, trackingID: 7,
      labels: [ObjectLabel(text: "a", index: 1, confidence: 0.5)], score: 0.75, isPredicted: true)
    #expect(object.frame == CGRect(x: 20, y: 60, width: 40, height: 30) && object.frame(upright: false) == object.frame)
    #expect(object.frame(upright: true) == CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect(object.normalizedFrame(upright: false) == CGRect(x: 0.1, y: 0.6, width: 0.2, height: 0.3))
    #expect(object.normalizedFrame(upright: true) == CGRect(x: 0.1, y: 0.1, width: 0.3, height: 0.2))
    #expect(object.trackingID == 7 && object.score == 0.75 && object.isPredicted && object.labels.first?.text == "a")
    let (across, down) = (25.0 - 50, 40.0 - 100)
    let distance = (across * across + down * down).squareRoot() / 12_500.0.squareRoot()
    let expected = 0.75 * (1200.0 / 20_000).squareRoot() * (1 - 0.5 * distance)
    #expect(abs(object.prominence - expected) < 1e-12)
    let label = ObjectLabel(text: "a", index: 1, confidence: 0.5)
    #expect(label.text == "a" && label.index == 1 && label.confidence == 0.5)
  }
}
