/// What is known of one input or output: its meaning, and the steps between it and the application.
package struct TensorMetadata: Sendable, Hashable {
  package var name: String?
  package var description: String?
  package var dimensionNames: [String]
  package var content: TensorContent?
  package var processUnits: [ProcessUnit]
  package var statistics: TensorStatistics?
  package var associatedFiles: [AssociatedFile]

  package init(
    name: String? = nil, description: String? = nil, dimensionNames: [String] = [], content: TensorContent? = nil,
    processUnits: [ProcessUnit] = [], statistics: TensorStatistics? = nil, associatedFiles: [AssociatedFile] = []
  ) {
    self.name = name
    self.description = description
    self.dimensionNames = dimensionNames
    self.content = content
    self.processUnits = processUnits
    self.statistics = statistics
    self.associatedFiles = associatedFiles
  }
}

/// The least and greatest values of a tensor, one per channel or one for all.
package struct TensorStatistics: Sendable, Hashable {
  package var minimum: [Float]
  package var maximum: [Float]

  package init(minimum: [Float] = [], maximum: [Float] = []) {
    self.minimum = minimum
    self.maximum = maximum
  }
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

  package init(properties: Properties, range: ClosedRange<Int>? = nil) {
    self.properties = properties
    self.range = range
  }
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

  package init(colorSpace: ColorSpace, defaultSize: ImageSize? = nil) {
    self.colorSpace = colorSpace
    self.defaultSize = defaultSize
  }
}

/// A size in pixels.
package struct ImageSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

package struct AudioProperties: Sendable, Hashable {
  /// In hertz.
  package var sampleRate: Int
  package var channels: Int

  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
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

  package init(index: [Int] = [], kind: Kind, coordinateKind: CoordinateKind) {
    self.index = index
    self.kind = kind
    self.coordinateKind = coordinateKind
  }
}
