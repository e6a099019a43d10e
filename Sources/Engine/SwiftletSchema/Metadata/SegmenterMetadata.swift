package import SwiftletBase
import SwiftletFlatBuffers

/// What an image segmenter's output still needs.
///
/// - Source: the custom metadata `SEGMENTER_METADATA`, table `ImageSegmenterOptions`.
package struct SegmenterMetadata: Sendable, Hashable {
  /// The name under which the model's metadata stores it.
  package static let name = "SEGMENTER_METADATA"

  package enum Activation: Int8, Sendable, Hashable {
    case none = 0
    case sigmoid = 1
    case softmax = 2
  }

  /// What to apply to the output to get confidences.
  package var activation: Activation
  package var minimumParserVersion: String?

  /// - Throws: `SchemaError` when the bytes are damaged or the activation is unknown.
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
