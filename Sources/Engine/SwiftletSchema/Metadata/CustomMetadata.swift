package import SwiftletBase
import SwiftletFlatBuffers

/// A reader for the small FlatBuffers in custom metadata. Their identifiers aren't checked, because writers disagree on
/// them.
struct CustomMetadataReader: TableReader {
  var budget: FlatBufferBudget

  init(_ bytes: ByteRegion, limits: ModelLimits) {
    budget = FlatBufferBudget(limits: limits.flatBuffer, byteCount: bytes.count)
  }

  mutating func root(_ bytes: ByteRegion) throws(SchemaError) -> FlatTable {
    try read { (budget) throws(FlatBufferError) in
      try FlatTable(rootOf: bytes, identifier: nil, budget: &budget)
    }
  }

  /// Checks that no count is negative.
  static func checkCounts(_ counts: [(name: String, value: Int)]) throws(SchemaError) {
    for (name, value) in counts where value < 0 {
      throw SchemaError(.invalid, "a count must not be negative, got \(value)", location: name)
    }
  }
}

/// The postprocessing that an image segmenter's output needs.
///
/// - Source: the custom metadata `SEGMENTER_METADATA`, table `ImageSegmenterOptions`.
package struct SegmenterMetadata: Sendable, Hashable {
  /// The name of the entry in the model's metadata.
  package static let name = "SEGMENTER_METADATA"

  package enum Activation: Int8, Sendable, Hashable {
    case none = 0
    case sigmoid = 1
    case softmax = 2
  }

  /// The activation to apply to the output to get confidences.
  package var activation: Activation
  package var minimumParserVersion: String?

  /// Creates the metadata from a FlatBuffer.
  ///
  /// - Throws: `SchemaError` if the bytes are damaged or the activation is unknown.
  package init(_ bytes: ByteRegion, limits: ModelLimits = .default) throws(SchemaError) {
    var reader = CustomMetadataReader(bytes, limits: limits)
    (activation, minimumParserVersion) = try locating(Self.name) { () throws(SchemaError) in
      let root = try reader.root(bytes)
      let rawActivation = try reader.integer(FlatField(0, "activation"), of: root, default: Int8(0))
      guard let activation = Activation(rawValue: rawActivation) else {
        throw SchemaError(
          .unsupported, "unknown activation \(rawActivation); expected 0 (none), 1 (sigmoid) or 2 (softmax)")
      }
      return (activation, try reader.string(FlatField(1, "min_parser_version"), of: root))
    }
  }
}

/// The parameters for generating a face detector's anchors and decoding its raw outputs.
///
/// - Source: the custom metadata `FACE_DETECTOR_METADATA`, table `FaceDetectorOptions`.
package struct FaceDetectorMetadata: Sendable, Hashable {
  /// The name of the entry in the model's metadata.
  package static let name = "FACE_DETECTOR_METADATA"

  package struct AnchorLayout: Sendable, Hashable {
    package var layerCount: Int
    package var minimumScale: Float
    package var maximumScale: Float
    package var anchorOffsetX: Float
    package var anchorOffsetY: Float
    /// The input pixels per cell, one entry per layer.
    package var strides: [Int]
    package var aspectRatios: [Float]
    package var hasFixedAnchorSize: Bool
    package var interpolatedScaleAspectRatio: Float
  }

  package struct TensorDecoding: Sendable, Hashable {
    package var classCount: Int
    package var boxCount: Int
    package var coordinateCount: Int
    package var boxOffset: Int
    package var keypointOffset: Int
    package var keypointCount: Int
    package var valuesPerKeypoint: Int
    package var xScale: Float
    package var yScale: Float
    package var widthScale: Float
    package var heightScale: Float
    package var scoreClippingThreshold: Float
    /// Whether x precedes y in the output.
    package var hasReversedOutputOrder: Bool
    package var appliesSigmoidToScore: Bool
  }

  package var minimumParserVersion: String?
  package var anchorLayout: AnchorLayout?
  package var tensorDecoding: TensorDecoding?

  /// Creates the metadata from a FlatBuffer.
  ///
  /// - Throws: `SchemaError` if the bytes are damaged or the numbers are inconsistent.
  package init(_ bytes: ByteRegion, limits: ModelLimits = .default) throws(SchemaError) {
    var reader = CustomMetadataReader(bytes, limits: limits)
    self = try locating(Self.name) { () throws(SchemaError) in
      let root = try reader.root(bytes)
      return Self(
        minimumParserVersion: try reader.string(FlatField(0, "min_parser_version"), of: root),
        anchorLayout: try reader.value(FlatField(1, "anchor_config"), of: root, AnchorLayout.init),
        tensorDecoding: try reader.value(FlatField(2, "tensors_decoding_config"), of: root, TensorDecoding.init))
    }
  }

  private init(minimumParserVersion: String?, anchorLayout: AnchorLayout?, tensorDecoding: TensorDecoding?) {
    self.minimumParserVersion = minimumParserVersion
    self.anchorLayout = anchorLayout
    self.tensorDecoding = tensorDecoding
  }
}

extension FaceDetectorMetadata.AnchorLayout {
  fileprivate init(_ reader: inout CustomMetadataReader, _ table: FlatTable) throws(SchemaError) {
    layerCount = try reader.int(FlatField(0, "num_layers"), of: table)
    minimumScale = try reader.float(FlatField(2, "min_scale"), of: table)
    maximumScale = try reader.float(FlatField(3, "max_scale"), of: table)
    anchorOffsetX = try reader.float(FlatField(4, "anchor_offset_x"), of: table)
    anchorOffsetY = try reader.float(FlatField(5, "anchor_offset_y"), of: table)
    strides = try reader.ints(FlatField(6, "strides"), of: table) ?? []
    aspectRatios = try reader.floats(FlatField(7, "aspect_ratios"), of: table)
    hasFixedAnchorSize = try reader.bool(FlatField(8, "fixed_anchor_size"), of: table)
    interpolatedScaleAspectRatio = try reader.float(FlatField(9, "interpolated_scale_aspect_ratio"), of: table)
    try CustomMetadataReader.checkCounts([("num_layers", layerCount)])
    guard strides.allSatisfy({ $0 > 0 }) else {
      throw SchemaError(.invalid, "strides must be positive, got \(strides.excerpt)")
    }
  }
}

extension FaceDetectorMetadata.TensorDecoding {
  fileprivate init(_ reader: inout CustomMetadataReader, _ table: FlatTable) throws(SchemaError) {
    classCount = try reader.int(FlatField(0, "num_classes"), of: table)
    boxCount = try reader.int(FlatField(1, "num_boxes"), of: table)
    coordinateCount = try reader.int(FlatField(2, "num_coords"), of: table)
    boxOffset = try reader.int(FlatField(3, "box_coord_offset"), of: table)
    keypointOffset = try reader.int(FlatField(4, "keypoint_coord_offset"), of: table)
    keypointCount = try reader.int(FlatField(5, "num_keypoints"), of: table)
    valuesPerKeypoint = try reader.int(FlatField(6, "num_values_per_keypoint"), of: table)
    xScale = try reader.float(FlatField(7, "x_scale"), of: table)
    yScale = try reader.float(FlatField(8, "y_scale"), of: table)
    widthScale = try reader.float(FlatField(9, "w_scale"), of: table)
    heightScale = try reader.float(FlatField(10, "h_scale"), of: table)
    scoreClippingThreshold = try reader.float(FlatField(11, "score_clipping_thresh"), of: table)
    hasReversedOutputOrder = try reader.bool(FlatField(12, "reverse_output_order"), of: table)
    appliesSigmoidToScore = try reader.bool(FlatField(13, "sigmoid_score"), of: table)
    try CustomMetadataReader.checkCounts([
      ("num_classes", classCount), ("num_boxes", boxCount), ("num_coords", coordinateCount),
      ("box_coord_offset", boxOffset), ("keypoint_coord_offset", keypointOffset), ("num_keypoints", keypointCount),
      ("num_values_per_keypoint", valuesPerKeypoint),
    ])
  }
}
