package import SwiftletBase
import SwiftletFlatBuffers

/// The parameters for decoding an object detector's raw outputs into boxes.
///
/// - Source: the custom metadata `DETECTOR_METADATA`, table `ObjectDetectorOptions`.
package struct ObjectDetectorMetadata: Sendable, Hashable {
  /// The name of the entry in the model's metadata.
  package static let name = "DETECTOR_METADATA"

  /// A prior box, relative to the width and height of the image.
  package struct Anchor: Sendable, Hashable {
    package var xCenter: Float
    package var yCenter: Float
    package var width: Float
    package var height: Float
  }

  package struct TensorDecoding: Sendable, Hashable {
    package var classCount: Int
    package var boxCount: Int
    /// The number of values per box: 4, and 2 for each keypoint.
    package var coordinateCount: Int
    package var keypointOffset: Int
    package var keypointCount: Int
    package var valuesPerKeypoint: Int
    package var xScale: Float
    package var yScale: Float
    package var widthScale: Float
    package var heightScale: Float
    package var appliesExponentialToSize: Bool
    package var appliesSigmoidToScore: Bool
  }

  package var minimumParserVersion: String?
  /// The anchors, one per box; `nil` if the model doesn't list its anchors.
  package var anchors: [Anchor]?
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
        anchors: try reader.value(FlatField(1, "ssd_anchors_options"), of: root, Self.anchors) ?? nil,
        tensorDecoding: try reader.value(FlatField(2, "tensors_decoding_options"), of: root, TensorDecoding.init))
    }
  }

  private init(minimumParserVersion: String?, anchors: [Anchor]?, tensorDecoding: TensorDecoding?) {
    self.minimumParserVersion = minimumParserVersion
    self.anchors = anchors
    self.tensorDecoding = tensorDecoding
  }

  private static func anchors(
    _ reader: inout CustomMetadataReader, _ options: FlatTable
  ) throws(SchemaError) -> [Anchor]? {
    try reader.value(FlatField(0, "fixed_anchors_schema"), of: options) { (reader, schema) throws(SchemaError) in
      try reader.values(FlatField(0, "anchors"), of: schema) { (reader, anchor) throws(SchemaError) in
        Anchor(
          xCenter: try reader.float(FlatField(0, "x_center"), of: anchor),
          yCenter: try reader.float(FlatField(1, "y_center"), of: anchor),
          width: try reader.float(FlatField(2, "width"), of: anchor),
          height: try reader.float(FlatField(3, "height"), of: anchor))
      }
    }
  }
}

extension ObjectDetectorMetadata.TensorDecoding {
  fileprivate init(_ reader: inout CustomMetadataReader, _ table: FlatTable) throws(SchemaError) {
    classCount = try reader.int(FlatField(0, "num_classes"), of: table)
    boxCount = try reader.int(FlatField(1, "num_boxes"), of: table)
    coordinateCount = try reader.int(FlatField(2, "num_coords"), of: table)
    keypointOffset = try reader.int(FlatField(3, "keypoint_coord_offset"), of: table)
    keypointCount = try reader.int(FlatField(4, "num_keypoints"), of: table)
    valuesPerKeypoint = try reader.int(FlatField(5, "num_values_per_keypoint"), of: table)
    xScale = try reader.float(FlatField(6, "x_scale"), of: table)
    yScale = try reader.float(FlatField(7, "y_scale"), of: table)
    widthScale = try reader.float(FlatField(8, "w_scale"), of: table)
    heightScale = try reader.float(FlatField(9, "h_scale"), of: table)
    appliesExponentialToSize = try reader.bool(FlatField(10, "apply_exponential_on_box_size"), of: table)
    appliesSigmoidToScore = try reader.bool(FlatField(11, "sigmoid_score"), of: table)
    try CustomMetadataReader.checkCounts([
      ("num_classes", classCount), ("num_boxes", boxCount), ("num_coords", coordinateCount),
      ("keypoint_coord_offset", keypointOffset), ("num_keypoints", keypointCount),
    ])
    guard valuesPerKeypoint == 2, keypointCount * 2 + 4 == coordinateCount else {
      throw SchemaError(
        .invalid,
        """
        a box has 4 values and 2 for each keypoint; got \(coordinateCount) values, \(keypointCount) keypoints of \
        \(valuesPerKeypoint)
        """
      )
    }
  }
}
