import Foundation
package import SwiftletImage
import SwiftletBase
import SwiftletSchema

/// A result of MediaPipe's landmark, audio, and text tasks in the test data.
///
/// Tests that use it have the trait `.enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)")`.
package struct GoldenTask: Sendable, CustomStringConvertible {
  /// The fields of the manifest that describe the case.
  package let fields: GoldenValue

  /// The task options, by their names in MediaPipe's Python API.
  package var options: GoldenValue { fields["options"] }
  /// The file of the model or bundle.
  package var model: String { fields["model"].string ?? "" }
  /// The name in test output.
  package var description: String { fields["id"].string ?? "?" }

  /// Whether the test data contains the results and all of MediaPipe's inputs.
  package static var isAvailable: Bool {
    TestData.has("tasks/manifest.json", "tasks/models", "tasks/audio", "tasks/sequences", "images")
  }

  /// Returns the cases of a task, such as `hand`, for images or for sequences of frames; without sequences whose frames
  /// are missing.
  package static func cases(_ task: String, sequences: Bool = false) -> [GoldenTask] {
    guard let manifest = try? GoldenValue(path: TestData.path("tasks/manifest.json")) else { return [] }
    return manifest["cases"].elements.filter { fields in
      fields["task"].string == task && fields["sequence"].isNull != sequences
    }.map(GoldenTask.init(fields:)).filter { !sequences || $0.framesFolder != nil }
  }

  /// Returns MediaPipe's result; for sequences, a list with one result per frame.
  package func result() throws -> GoldenValue {
    try GoldenValue(path: TestData.path("tasks/\(fields["file"].string ?? "")"))["result"]
  }

  // MARK: Images

  /// Returns the input image, whose pixels can be rotated.
  package func image() throws -> ImageBuffer {
    let image = try MediaPipeImage.decode(path: TestData.path("images/\(fields["picture"].string ?? "")"))
    let turns: [ImageOrientation] = [.up, .left, .down, .right]
    return try image.oriented(turns[(fields["turn"].int ?? 0) & 3])
  }

  /// The orientation that MediaPipe received.
  package var orientation: ImageOrientation {
    switch fields["rotation"].int {
    case 90: .right
    case 180: .down
    case 270: .left
    default: .up
    }
  }

  private var framesFolder: String? {
    let name = fields["sequence"].string ?? ""
    return ["tasks/sequences/\(name)", "video/\(name)"].first { TestData.has($0) }.map(TestData.path)
  }

  /// Returns the frames of a sequence in order, with their timestamps.
  package func frames() throws -> [(image: ImageBuffer, time: Duration)] {
    guard let folder = framesFolder else { return [] }
    let step = fields["step_ms"].int ?? 0
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }.sorted()
    return try files.enumerated().map { index, file in
      (try MediaPipeImage.decode(path: "\(folder)/\(file)"), .milliseconds(index * step))
    }
  }

  // MARK: Models

  /// Returns the bytes of the case's model or bundle. Bundles of which the test data only contains the parts are
  /// assembled.
  package func modelBytes() throws -> [UInt8] { try Self.modelBytes(model) }

  /// Returns the bytes of a model or bundle in the test data's `tasks`.
  package static func modelBytes(_ name: String) throws -> [UInt8] {
    switch name {
    case "gesture_recognizer.task":
      let gestures = try members("hand_gesture_recognizer.task")
      let canned = gestures.filter { !$0.name.hasPrefix("custom") }
      return RawArchive([
        .init("hand_landmarker.task", try file("hand_landmarker.task")),
        .init("hand_gesture_recognizer.task", RawArchive(canned).bytes),
      ]).bytes
    case "gesture_recognizer_custom.task":
      return RawArchive(
        try ["hand_landmarker.task", "hand_gesture_recognizer.task"].map { .init($0, try file($0)) }
      ).bytes
    case "holistic_landmarker.task":
      let parts = try ["face_landmarker.task", "pose_landmarker.task", "hand_landmarker.task"].flatMap(members)
      let models = parts.filter { $0.name.hasSuffix(".tflite") && $0.name != "hand_detector.tflite" }
      return RawArchive(models + [.init("hand_roi_refinement.tflite", try file("hand_roi_refinement.tflite"))]).bytes
    default: return try file(name)
    }
  }

  private static func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: TestData.path("tasks/models/\(name)"))))
  }

  private static func members(_ bundle: String) throws -> [RawArchive.Member] {
    let archive = try TaskBundle(ByteRegion(try file(bundle)))
    return try archive.memberNames.map { name in
      RawArchive.Member(name, try archive.member(name).withBytes { [UInt8]($0) })
    }
  }
}
