package import SwiftletFlatBuffers

/// What the maker of a model says about it: names, how to prepare inputs, how to read outputs.
///
/// - Source: the TFLite metadata schema (`M001`), version 1.5.0.
package struct ModelMetadata: Sendable {
  package var name: String?
  package var description: String?
  package var version: String?
  package var author: String?
  package var license: String?
  /// The oldest metadata reader that understands this, such as `1.5.0`; not newer than `supportedParserVersion`.
  package var minimumParserVersion: String?
  package var subgraphs: [SubgraphMetadata]
  package var associatedFiles: [AssociatedFile]

  /// What is known of the inputs of the model's first subgraph, by position.
  package var inputs: [TensorMetadata] { subgraphs.first?.inputs ?? [] }
  /// What is known of the outputs of the model's first subgraph, by position.
  package var outputs: [TensorMetadata] { subgraphs.first?.outputs ?? [] }

  /// The bytes of a custom metadata entry of the first subgraph, or `nil` when there is none of this name.
  package func customMetadata(_ name: String) -> ByteRegion? {
    subgraphs.first?.customMetadata.first { $0.name == name }?.data
  }
}

package struct SubgraphMetadata: Sendable {
  package var name: String?
  package var description: String?
  /// One per subgraph input, by position; may be shorter or longer.
  package var inputs: [TensorMetadata]
  /// One per subgraph output, by position; may be longer where post-processing is part of the model.
  package var outputs: [TensorMetadata]
  package var associatedFiles: [AssociatedFile]
  package var inputProcessUnits: [ProcessUnit]
  package var outputProcessUnits: [ProcessUnit]
  package var inputGroups: [TensorGroup]
  package var outputGroups: [TensorGroup]
  package var customMetadata: [CustomMetadata]
}

/// Tensors that belong together, such as boxes, classes and scores of one head.
package struct TensorGroup: Sendable, Hashable {
  package var name: String?
  package var tensorNames: [String]
}

/// A named blob in a format of its own, such as a detector's anchors.
package struct CustomMetadata: Sendable {
  package var name: String
  package var data: ByteRegion
}

package struct TensorMetadata: Sendable, Hashable {
  package var name: String?
  package var description: String?
  package var dimensionNames: [String]
  package var content: TensorContent?
  package var processUnits: [ProcessUnit]
  package var statistics: TensorStatistics?
  package var associatedFiles: [AssociatedFile]
}

/// The least and greatest values of a tensor, one per channel or one for all.
package struct TensorStatistics: Sendable, Hashable {
  package var minimum: [Float]
  package var maximum: [Float]
}

/// What a tensor's values mean.
package struct TensorContent: Sendable, Hashable {
  package enum Properties: Sendable, Hashable {
    case feature
    case image(ImageProperties)
    case boundingBox(BoundingBoxProperties)
    case audio(AudioProperties)
    /// Absent, or of a kind that is newer than this reader.
    case unknown
  }
  package var properties: Properties
  /// The dimensions that `properties` speak of, first to last; `nil` for all.
  package var range: ClosedRange<Int>?
}

package struct ImageProperties: Sendable, Hashable {
  package enum ColorSpace: Int8, Sendable, Hashable {
    case unknown = 0
    case rgb = 1
    case grayscale = 2
  }
  package var colorSpace: ColorSpace
  /// Width and height in pixels that suit the model, when it says so.
  package var defaultSize: ImageSize?
}

/// A size in pixels.
package struct ImageSize: Sendable, Hashable {
  package var width: Int
  package var height: Int
}

package struct AudioProperties: Sendable, Hashable {
  /// In hertz.
  package var sampleRate: Int
  package var channels: Int
}

package struct BoundingBoxProperties: Sendable, Hashable {
  package enum Kind: Int8, Sendable, Hashable {
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Centre, width, height.
    case center = 3
  }
  package enum CoordinateKind: Int8, Sendable, Hashable {
    /// 0…1 of the image.
    case ratio = 0
    case pixel = 1
  }
  /// Where in the box each coordinate stands, in the order that `kind` names them; empty for that very order.
  package var index: [Int]
  package var kind: Kind
  package var coordinateKind: CoordinateKind
}

/// A step between the application's values and the tensor's.
package enum ProcessUnit: Sendable, Hashable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Scores below the threshold do not count.
  case scoreThresholding(threshold: Float)
  /// A tokenizer or something newer, by its tag in the schema.
  case other(tag: Int)
}

/// `(x - mean) / deviation`, per channel, or with the first entry for all channels.
package struct Normalization: Sendable, Hashable {
  package var mean: [Float]
  package var deviation: [Float]
}

/// How a score becomes a probability; the parameters per class are in an associated file.
package struct ScoreCalibration: Sendable, Hashable {
  package enum Transformation: Int8, Sendable, Hashable {
    case identity = 0
    case logarithm = 1
    case inverseLogistic = 2
  }
  package var transformation: Transformation
  /// The score of classes without parameters.
  package var defaultScore: Float
}

/// A file that belongs to the model, usually in the archive appended to it.
package struct AssociatedFile: Sendable, Hashable {
  package enum Kind: Int8, Sendable, Hashable {
    case unknown = 0
    case descriptions = 1
    case tensorAxisLabels = 2
    case tensorValueLabels = 3
    case tensorAxisScoreCalibration = 4
    case vocabulary = 5
    case scannIndex = 6
  }
  package var name: String
  package var description: String?
  package var kind: Kind
  /// The language of its texts, such as `en`; empty when it does not say.
  package var locale: String
  package var version: String?
}
