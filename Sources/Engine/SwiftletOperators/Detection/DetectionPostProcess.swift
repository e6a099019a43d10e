import SwiftletEngine
import SwiftletFlatBuffers
import SwiftletSchema

/// TFLite_Detection_PostProcess: decodes boxes with anchors and keeps the best boxes that don't overlap.
///
/// - Shapes: box encodings `[1, boxes, ≥ 4]` (y, x, height, width first), class scores `[1, boxes, classes]`, anchors
///   `[boxes, 4]` (the same order); outputs for `n = max_detections × max_classes_per_detection` slots: boxes `[1, n,
///   4]` (top, left, bottom, right), classes `[1, n]`, scores `[1, n]`, count `[1]`. Slots without a detection hold
///   zeros.
/// - Types: float32 or uint8 encodings with anchors of the same type, float32 or uint8 scores; float32 outputs.
/// - Throws: `invalidInput` in a run if an anchor has a negative size.
/// - Source: the reference runtime's custom operator of this name. If there is one more score column than classes, the
///   first column is the background and is ignored. Suppression uses the best class of each box, or, with
///   `use_regular_nms`, runs per class. Equal scores are ordered by box, then by class.
struct DetectionPostProcessOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("TFLite_Detection_PostProcess"), versions: 1...1,
      types: [
        TypeCombination(inputs: [.float32, [.float32, .uint8], .float32], outputs: [.float32]),
        TypeCombination(inputs: [.uint8, [.float32, .uint8], .uint8], outputs: [.float32]),
      ])
  }

  private let options: DetectionOptions

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 3...3, outputs: 4...4)
    options = try DetectionOptions(node)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let slots = options.maxDetections * options.maxClassesPerDetection
    return [[1, slots, 4], [1, slots], [1, slots], [1]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let layout = try layout(context)
    switch try context.node.input(1).elementType {
    case .float32: return try prepare(context, layout, scores: ScoreColumns<Float>(scale: 1, zeroPoint: 0))
    case .uint8:
      let (scale, zeroPoint) = try context.node.inputQuantization(1)
      return try prepare(context, layout, scores: ScoreColumns<UInt8>(scale: scale, zeroPoint: Float(zeroPoint)))
    default: throw context.node.unexpectedType(try context.node.input(1))
    }
  }

  private func layout(_ context: PrepareContext) throws -> DetectionLayout {
    let node = context.node
    let encodings = try node.input(0)
    let scores = try node.input(1)
    let anchors = try node.input(2)
    guard encodings.shape.rank == 3, encodings.shape[0] == 1, encodings.shape[2] >= 4 else {
      throw node.invalid("box encodings \(encodings) must have the shape [1×boxes×4 or more]")
    }
    let boxes = encodings.shape[1]
    guard scores.shape.rank == 3, scores.shape[0] == 1, scores.shape[1] == boxes,
      [options.classCount, options.classCount + 1].contains(scores.shape[2])
    else {
      throw node.invalid(
        "class scores \(scores) must have the shape [1×\(boxes)×\(options.classCount), or one more for the background]")
    }
    guard anchors.shape.rank == 2, anchors.shape[0] >= boxes, anchors.shape[1] == 4 else {
      throw node.invalid("anchors \(anchors) must have the shape [\(boxes)×4]")
    }
    let decoder: BoxDecoder
    if encodings.elementType == .uint8 {
      decoder = BoxDecoder(
        encodings: try context.inputSlot(0), anchors: try context.inputSlot(2), stride: encodings.shape[2],
        scales: options.scales,
        quantization: (try node.inputQuantization(0), try node.inputQuantization(2)))
    } else {
      decoder = BoxDecoder(
        encodings: try context.inputSlot(0), anchors: try context.inputSlot(2), stride: encodings.shape[2],
        scales: options.scales, quantization: nil)
    }
    return DetectionLayout(
      options: options, boxCount: boxes, columnCount: scores.shape[2], decoder: decoder,
      scores: try context.inputSlot(1), boxes: try context.outputSlot(0), classes: try context.outputSlot(1),
      results: try context.outputSlot(2), count: try context.outputSlot(3), location: node.node.location)
  }

  private func prepare<Element>(
    _ context: PrepareContext, _ layout: DetectionLayout, scores: ScoreColumns<Element>
  ) throws -> PreparedOperator {
    if options.isSuppressingPerClass {
      return try ClasswiseSuppression(context, layout, scores).prepared
    }
    return try JointSuppression(context, layout, scores).prepared
  }
}

/// The options of the detection operator in its FlexBuffer map.
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

  /// Creates options.
  ///
  /// - Throws: `RuntimeError` for invalid values.
  init(_ node: NodeReader) throws {
    let map = try node.description.customOptionValues()
    func count(_ key: String, atLeast lowest: Int, default defaultValue: Int? = nil) throws -> Int {
      if let defaultValue, map[key].isNull { return defaultValue }
      let value = map[key].intValue
      guard value >= lowest, value <= Int(Int32.max) else {
        throw node.invalid("option \(key) must be at least \(lowest), got \(value)")
      }
      return value
    }
    func scale(_ key: String) throws -> Float {
      let value = map[key].floatValue
      guard value.isFinite, value != 0 else {
        throw node.invalid("option \(key) must be finite and not 0, got \(value)")
      }
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
      throw node.invalid("option nms_iou_threshold must be above 0 and at most 1, got \(overlapThreshold)")
    }
    scales = CenterBox(
      y: try scale("y_scale"), x: try scale("x_scale"), height: try scale("h_scale"), width: try scale("w_scale"))
  }
}

/// A box defined by its center and size, or the scale factors of these.
struct CenterBox: BitwiseCopyable, Sendable {
  var y: Float
  var x: Float
  var height: Float
  var width: Float
}
