import SwiftletBase

/// The metadata of one input or output: its meaning, and its conversion steps.
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

/// The minimum and maximum values of a tensor, one per channel or one for all channels.
package struct TensorStatistics: Sendable, Hashable {
  package var minimum: [Float]
  package var maximum: [Float]

  package init(minimum: [Float] = [], maximum: [Float] = []) {
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The meaning of a tensor's values.
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
  /// The range of dimensions that `properties` describe; `nil` for all dimensions.
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
  /// The recommended width and height in pixels, if the model specifies them.
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
  /// The sample rate in hertz.
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
    /// Center, width, height.
    case center = 3
  }
  package enum CoordinateKind: Int8, Sendable, Hashable {
    /// Relative to the image size, from 0 to 1.
    case ratio = 0
    case pixel = 1
  }
  /// The position of each coordinate in the box, in the order of the coordinates of `kind`; empty for the default
  /// order.
  package var index: [Int]
  package var kind: Kind
  package var coordinateKind: CoordinateKind

  package init(index: [Int] = [], kind: Kind, coordinateKind: CoordinateKind) {
    self.index = index
    self.kind = kind
    self.coordinateKind = coordinateKind
  }
}

extension TensorMetadata {
  /// Returns the normalization of the input, or `nil` if there is none.
  ///
  /// - Throws: `SchemaError` if there are several, or if its numbers are invalid: mean and deviation must be finite,
  ///   equal in number, and no deviation may be 0.
  package func normalization() throws(SchemaError) -> Normalization? {
    let found = try single("normalization") { unit in
      if case .normalization(let value) = unit { value } else { nil }
    }
    guard let found else { return nil }
    guard !found.mean.isEmpty, found.mean.count == found.deviation.count,
      found.mean.allSatisfy(\.isFinite), found.deviation.allSatisfy({ $0.isFinite && $0 != 0 })
    else {
      throw SchemaError(
        .invalid,
        """
        normalization needs as many means as deviations, finite, without a deviation of 0, got \(found.mean) and \
        \(found.deviation)
        """,
        location: (name ?? "").excerpt)
    }
    return found
  }

  /// Returns the score calibration, or `nil` if there is none.
  ///
  /// - Throws: `SchemaError` if there are several.
  package func scoreCalibration() throws(SchemaError) -> ScoreCalibration? {
    try single("score calibration") { unit in
      if case .scoreCalibration(let value) = unit { value } else { nil }
    }
  }

  /// Returns the score threshold below which results are dropped, or `nil` if the model has none.
  ///
  /// - Throws: `SchemaError` if there are several.
  package func scoreThreshold() throws(SchemaError) -> Float? {
    try single("score thresholding") { unit in
      if case .scoreThresholding(let value) = unit { value } else { nil }
    }
  }

  private func single<Value>(_ what: String, _ select: (ProcessUnit) -> Value?) throws(SchemaError) -> Value? {
    let found = processUnits.compactMap(select)
    guard found.count <= 1 else {
      throw SchemaError(
        .invalid, "a tensor has at most one process unit for \(what), got \(found.count)",
        location: (name ?? "").excerpt)
    }
    return found.first
  }

  /// Returns the first associated file of a kind in any language.
  package func associatedFile(_ kind: AssociatedFile.Kind) -> AssociatedFile? {
    associatedFiles.first { $0.kind == kind }
  }

  /// Returns the first associated file of a kind in exactly the language `locale`.
  package func associatedFile(_ kind: AssociatedFile.Kind, locale: String) -> AssociatedFile? {
    associatedFiles.first { $0.kind == kind && $0.locale == locale }
  }

  /// Returns the names of the label files for the tensor's classes, or `nil` if it has no label file of this kind.
  ///
  /// Labels come from the first file of the kind. Display names come from the file in the language `locale`, if there
  /// is one.
  package func labelFiles(_ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String?) -> LabelFiles? {
    guard let labels = associatedFile(kind) else { return nil }
    guard let locale, !locale.isEmpty else { return LabelFiles(labels: labels.name, displayNames: nil) }
    return LabelFiles(labels: labels.name, displayNames: associatedFile(kind, locale: locale)?.name)
  }

  /// Returns the labels of the tensor's classes, or `nil` if it has no label file of this kind; see `labelFiles`.
  ///
  /// - Throws: `SchemaError` if a file is missing from the archive or empty, or if the number of display names differs
  ///   from the number of labels.
  package func labels(
    _ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String?, from archive: ZIPArchive?
  ) throws(SchemaError) -> LabelMap? {
    guard let files = labelFiles(kind, locale: locale) else { return nil }
    return try LabelMap(files) { (name) throws(SchemaError) in
      try LabelFile.lines(try (archive ?? .empty).contents(of: name, atMost: LabelFile.longest), name: name)
    }
  }
}
