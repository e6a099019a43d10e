import SwiftletBase
import SwiftletFlatBuffers
import SwiftletEngine
import SwiftletSchema

/// Determines the kind of an object detection model, and creates the decoder for its outputs.
///
/// - Source: the admission rules of MediaPipe's object detector. In addition, models without metadata are accepted if
///   their outputs come from the detection operator, whose order is known.
enum ObjectDetectionOutputDecoders {
  static let postprocessOperator = "TFLite_Detection_PostProcess"
  /// A limit on the rows per box that no valid output reaches.
  private static let maximumClassesPerBox = 1 << 20

  static func decoder(
    _ model: VisionModel, _ options: ObjectDetectorOptions, _ filter: CategoryFilter
  ) throws -> any ObjectDetectionOutputDecoder {
    switch model.outputs.count {
    case 4: return try postprocessed(model, options, filter)
    case 2: return try raw(model, options, filter)
    default:
      let found = SanitizedText.list(model.outputs.map(\.description))
      throw TaskError.invalidModel(
        "an object detection model has 4 outputs (boxes, classes, scores, count) or 2 (raw boxes and scores), this one has \(model.outputs.count): \(found)"
      )
    }
  }

  /// Returns the metadata of the output with the given name, which refers to its label and calibration files.
  static func metadata(named name: String, _ model: VisionModel) -> TensorMetadata? {
    model.base.metadata?.outputs.first { $0.name == name }
  }

  // MARK: Boxes, classes, scores, and count

  private static func postprocessed(
    _ model: VisionModel, _ options: ObjectDetectorOptions, _ filter: CategoryFilter
  ) throws -> PostprocessedOutputDecoder {
    let node = model.base.model.file.subgraphs.first?.operators.first {
      $0.code.kind == .custom(postprocessOperator)
    }
    let outputs = positions(model, node: node)
    let calibrator = try ScoreCalibrator(
      model.base.metadata?.outputs.indices.contains(outputs.scores) == true
        ? model.base.metadata?.outputs[outputs.scores] : nil,
      of: model.base)
    return PostprocessedOutputDecoder(
      outputs: outputs, boxOrder: try boxOrder(model, output: outputs.boxes, node: node),
      classesPerBox: try classesPerBox(node), calibrator: calibrator, filter: filter, options: options)
  }

  private static func positions(_ model: VisionModel, node: OperatorDescription?) -> PostprocessedOutputDecoder.Outputs
  {
    let names = model.base.metadata?.outputs.map(\.name) ?? []
    if let boxes = names.firstIndex(of: "location"), let classes = names.firstIndex(of: "category"),
      let scores = names.firstIndex(of: "score"), let count = names.firstIndex(of: "number of detections"),
      max(boxes, classes, scores, count) < 4
    {
      return .init(boxes: boxes, classes: classes, scores: scores, count: count)
    }
    if model.base.metadata == nil, let graph = model.base.model.file.subgraphs.first, let node {
      let positions = node.outputs.compactMap { graph.outputs.firstIndex(of: $0) }
      if Set(positions).count == 4 {
        return .init(boxes: positions[0], classes: positions[1], scores: positions[2], count: positions[3])
      }
    }
    return .init(boxes: 0, classes: 1, scores: 2, count: 3)
  }

  private static func boxOrder(
    _ model: VisionModel, output: Int, node: OperatorDescription?
  ) throws(TaskError) -> PostprocessedOutputDecoder.BoxOrder {
    guard let metadata = model.base.metadata, metadata.outputs.indices.contains(output) else {
      return .topLeftBottomRight
    }
    guard case .boundingBox(let properties)? = metadata.outputs[output].content?.properties else {
      // The boxes come directly from the detection operator, so their order is known.
      if node != nil { return .topLeftBottomRight }
      throw .invalidModel(
        "the model's metadata does not describe the boxes of output \(output) (BoundingBoxProperties)")
    }
    guard properties.kind == .boundaries, properties.coordinateKind == .ratio else {
      throw .invalidModel(
        "the model's boxes are \(properties.kind) in \(properties.coordinateKind) units, only boundaries as ratios are supported"
      )
    }
    guard !properties.index.isEmpty else { return .leftTopRightBottom }
    guard properties.index.count == 4, Set(properties.index) == [0, 1, 2, 3] else {
      throw .invalidModel(
        "the model's metadata orders the sides of a box as \(properties.index.excerpt), expected each of 0 to 3 once")
    }
    let index = properties.index
    return .init(left: index[0], top: index[1], right: index[2], bottom: index[3])
  }

  private static func classesPerBox(_ node: OperatorDescription?) throws(TaskError) -> Int {
    guard let node, node.customOptions.count > 0 else { return 1 }
    let options = try TaskError.wrapping(
      as: .invalidModel, about: "the options of \(postprocessOperator) are damaged"
    ) { try FlexBufferValue(node.customOptions) }
    return min(max(1, options["max_classes_per_detection"].intValue), maximumClassesPerBox)
  }

  // MARK: Raw boxes and scores

  private static func raw(
    _ model: VisionModel, _ options: ObjectDetectorOptions, _ filter: CategoryFilter
  ) throws -> RawOutputDecoder {
    guard let bytes = model.base.customMetadata(ObjectDetectorMetadata.name) else {
      throw TaskError.invalidModel(
        "the model gives raw boxes and scores, but its metadata has no \(ObjectDetectorMetadata.name) that describes how to decode them"
      )
    }
    let metadata = try TaskError.wrapping(as: .invalidModel) { try ObjectDetectorMetadata(bytes) }
    guard let anchors = metadata.anchors, let decoding = metadata.tensorDecoding else {
      throw TaskError.invalidModel(
        "the model's \(ObjectDetectorMetadata.name) lacks anchors or the decoding of boxes")
    }
    guard anchors.count == decoding.boxCount else {
      throw TaskError.invalidModel(
        "the model's metadata announces \(decoding.boxCount) boxes and lists \(anchors.count) anchors")
    }
    let decoder = BoxDecoder(
      anchors: anchors.map { Anchor(centerX: $0.xCenter, centerY: $0.yCenter, width: $0.width, height: $0.height) },
      classCount: decoding.classCount, coordinateCount: decoding.coordinateCount,
      keypointOffset: decoding.keypointOffset, keypointCount: decoding.keypointCount,
      valuesPerKeypoint: decoding.valuesPerKeypoint, format: .centerYXHeightWidth, xScale: decoding.xScale,
      yScale: decoding.yScale, widthScale: decoding.widthScale, heightScale: decoding.heightScale,
      appliesExponential: decoding.appliesExponentialToSize, appliesSigmoid: decoding.appliesSigmoidToScore)
    try decoder.validate()
    let found = try RawDetectionOutputs.find(model.outputs, decoder: decoder, task: "object")
    return RawOutputDecoder(
      decoder: decoder, boxesOutput: found.boxes, scoresOutput: found.scores, filter: filter, options: options)
  }
}
