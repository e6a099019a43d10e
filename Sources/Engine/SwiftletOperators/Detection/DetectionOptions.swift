import SwiftletEngine
import SwiftletFlatBuffers

/// The options of the detection operator, as its FlexBuffer map gives them.
struct DetectionOptions: Sendable {
  let maxDetections: Int
  let maxClassesPerDetection: Int
  let detectionsPerClass: Int
  let isSuppressingPerClass: Bool
  let scoreThreshold: Float
  let overlapThreshold: Float
  let classCount: Int
  let scales: CenterBox

  private static let defaultDetectionsPerClass = 100

  /// - Throws: `RuntimeError` for values that make no sense.
  init(_ node: NodeReader) throws {
    let map = try node.description.customOptionValues()
    func count(_ key: String, atLeast lowest: Int, default defaultValue: Int? = nil) throws -> Int {
      if let defaultValue, map[key].isNull { return defaultValue }
      let value = map[key].intValue
      guard value >= lowest, value <= Int(Int32.max) else {
        throw node.invalid("option \(key) is \(value), it must be at least \(lowest)")
      }
      return value
    }
    func scale(_ key: String) throws -> Float {
      let value = map[key].floatValue
      guard value.isFinite, value != 0 else { throw node.invalid("option \(key) is \(value), it must not be 0") }
      return value
    }
    maxDetections = try count("max_detections", atLeast: 0)
    maxClassesPerDetection = try count("max_classes_per_detection", atLeast: 1)
    isSuppressingPerClass = map["use_regular_nms"].boolValue
    detectionsPerClass = try count(
      "detections_per_class", atLeast: 1, default: Self.defaultDetectionsPerClass)
    classCount = try count("num_classes", atLeast: 1)
    scoreThreshold = map["nms_score_threshold"].floatValue
    overlapThreshold = map["nms_iou_threshold"].floatValue
    guard overlapThreshold > 0, overlapThreshold <= 1 else {
      throw node.invalid("option nms_iou_threshold is \(overlapThreshold), it must be above 0 and at most 1")
    }
    scales = CenterBox(
      y: try scale("y_scale"), x: try scale("x_scale"), height: try scale("h_scale"), width: try scale("w_scale"))
  }
}

/// A box by its centre and size, or what scales these.
struct CenterBox: BitwiseCopyable, Sendable {
  var y: Float
  var x: Float
  var height: Float
  var width: Float
}
