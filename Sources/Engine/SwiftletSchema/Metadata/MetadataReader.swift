import SwiftletBase
import SwiftletFlatBuffers

extension ModelMetadata {
  /// The latest version of the metadata format that this reader supports.
  package static let supportedParserVersion = "1.5.0"
}

extension ModelFile {
  /// The name of the metadata entry in the model.
  package static let metadataEntryName = "TFLITE_METADATA"

  /// Returns the model's metadata, or `nil` if it has none.
  ///
  /// - Throws: `SchemaError` if the metadata is damaged, or if it requires a newer reader.
  package func modelMetadata(limits: ModelLimits = .default) throws(SchemaError) -> ModelMetadata? {
    guard let entry = metadata.first(where: { $0.name == Self.metadataEntryName }), entry.data.count > 0 else {
      return nil
    }
    return try locating(Self.metadataEntryName) { () throws(SchemaError) in
      var reader = MetadataReader(budget: FlatBufferBudget(limits: limits.flatBuffer, byteCount: entry.data.count))
      return try reader.modelMetadata(entry.data)
    }
  }
}

/// A reader that converts the tables of a model's metadata to values, with one method per table.
private struct MetadataReader: TableReader {
  private static let featureTag: UInt8 = 1

  var budget: FlatBufferBudget

  mutating func modelMetadata(_ bytes: ByteRegion) throws(SchemaError) -> ModelMetadata {
    let root = try read { (budget) throws(FlatBufferError) in
      try FlatTable(rootOf: bytes, identifier: "M001", budget: &budget)
    }
    let minimumParserVersion = try string(ModelMetadataField.minimumParserVersion, of: root)
    if let minimumParserVersion,
      DottedVersion(ModelMetadata.supportedParserVersion) < DottedVersion(minimumParserVersion)
    {
      throw SchemaError(
        .unsupported,
        """
        the metadata needs a reader of version \(minimumParserVersion) or newer; this one supports up to \
        \(ModelMetadata.supportedParserVersion)
        """,
        location: ModelMetadataField.minimumParserVersion.name)
    }
    return ModelMetadata(
      name: try string(ModelMetadataField.name, of: root),
      description: try string(ModelMetadataField.description, of: root),
      version: try string(ModelMetadataField.version, of: root),
      author: try string(ModelMetadataField.author, of: root),
      license: try string(ModelMetadataField.license, of: root),
      minimumParserVersion: minimumParserVersion,
      subgraphs: try values(ModelMetadataField.subgraphs, of: root) { (reader, table) throws(SchemaError) in
        try reader.subgraph(table)
      },
      associatedFiles: try associatedFiles(ModelMetadataField.associatedFiles, of: root))
  }

  private mutating func subgraph(_ table: FlatTable) throws(SchemaError) -> SubgraphMetadata {
    SubgraphMetadata(
      name: try string(SubgraphMetadataField.name, of: table),
      description: try string(SubgraphMetadataField.description, of: table),
      inputs: try values(SubgraphMetadataField.inputs, of: table) { (reader, table) throws(SchemaError) in
        try reader.tensor(table)
      },
      outputs: try values(SubgraphMetadataField.outputs, of: table) { (reader, table) throws(SchemaError) in
        try reader.tensor(table)
      },
      associatedFiles: try associatedFiles(SubgraphMetadataField.associatedFiles, of: table),
      inputProcessUnits: try processUnits(SubgraphMetadataField.inputProcessUnits, of: table),
      outputProcessUnits: try processUnits(SubgraphMetadataField.outputProcessUnits, of: table),
      inputGroups: try groups(SubgraphMetadataField.inputGroups, of: table),
      outputGroups: try groups(SubgraphMetadataField.outputGroups, of: table),
      customMetadata: try values(SubgraphMetadataField.customMetadata, of: table) {
        (reader, table) throws(SchemaError) in
        CustomMetadata(
          name: try reader.string(CustomMetadataField.name, of: table) ?? "",
          data: try reader.read { (_) throws(FlatBufferError) in try table.bytes(CustomMetadataField.data) } ?? .empty)
      })
  }

  private mutating func groups(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [TensorGroup] {
    try values(field, of: table) { (reader, table) throws(SchemaError) in
      TensorGroup(
        name: try reader.string(TensorGroupField.name, of: table),
        tensorNames: try reader.strings(TensorGroupField.tensorNames, of: table))
    }
  }

  private mutating func associatedFiles(
    _ field: FlatField, of table: FlatTable
  ) throws(SchemaError) -> [AssociatedFile] {
    try values(field, of: table) { (reader, table) throws(SchemaError) in
      AssociatedFile(
        name: try reader.string(AssociatedFileField.name, of: table) ?? "",
        description: try reader.string(AssociatedFileField.description, of: table),
        kind: try reader.enumeration(AssociatedFileField.kind, of: table, unknown: .unknown),
        locale: try reader.string(AssociatedFileField.locale, of: table) ?? "",
        version: try reader.string(AssociatedFileField.version, of: table))
    }
  }

  // MARK: Tensors

  private mutating func tensor(_ table: FlatTable) throws(SchemaError) -> TensorMetadata {
    TensorMetadata(
      name: try string(TensorMetadataField.name, of: table),
      description: try string(TensorMetadataField.description, of: table),
      dimensionNames: try strings(TensorMetadataField.dimensionNames, of: table),
      content: try value(TensorMetadataField.content, of: table) { (reader, table) throws(SchemaError) in
        try reader.content(table)
      },
      processUnits: try processUnits(TensorMetadataField.processUnits, of: table),
      statistics: try value(TensorMetadataField.statistics, of: table) { (reader, table) throws(SchemaError) in
        TensorStatistics(
          minimum: try reader.floats(StatisticsField.minimum, of: table),
          maximum: try reader.floats(StatisticsField.maximum, of: table))
      },
      associatedFiles: try associatedFiles(TensorMetadataField.associatedFiles, of: table))
  }

  private mutating func content(_ table: FlatTable) throws(SchemaError) -> TensorContent {
    let union = try read { (budget) throws(FlatBufferError) in
      try table.union(
        tag: ContentField.propertiesTag, value: ContentField.properties, knownTags: 1...4, budget: &budget)
    }
    // Features have no properties, and some writers omit their empty table.
    var properties: TensorContent.Properties = union?.tag == Self.featureTag ? .feature : .unknown
    if let tag = union?.tag, let table = union?.table {
      properties = try locating(ContentField.properties.name) { () throws(SchemaError) in
        try contentProperties(table, tag: tag)
      }
    }
    let range = try value(ContentField.range, of: table) { (reader, table) throws(SchemaError) in
      let lower = try reader.int(ContentField.rangeMinimum, of: table)
      let upper = try reader.int(ContentField.rangeMaximum, of: table)
      guard lower <= upper else {
        throw SchemaError(.invalid, "the range must not be reversed, got \(lower) to \(upper)")
      }
      return lower...upper
    }
    return TensorContent(properties: properties, range: range)
  }

  private mutating func contentProperties(
    _ table: FlatTable, tag: UInt8
  ) throws(SchemaError) -> TensorContent.Properties {
    switch tag {
    case Self.featureTag:
      return .feature
    case 2:
      return .image(
        ImageProperties(
          colorSpace: try enumeration(ImagePropertiesField.colorSpace, of: table, unknown: .unknown),
          defaultSize: try value(ImagePropertiesField.defaultSize, of: table) { (reader, size) throws(SchemaError) in
            ImageSize(
              width: try reader.uint(ImagePropertiesField.width, of: size),
              height: try reader.uint(ImagePropertiesField.height, of: size))
          }))
    case 3:
      return .boundingBox(
        BoundingBoxProperties(
          index: try read { (budget) throws(FlatBufferError) in
            try table.integers(BoundingBoxPropertiesField.index, storedAs: UInt32.self, budget: &budget)
          } ?? [],
          kind: try enumeration(BoundingBoxPropertiesField.kind, of: table, unknown: .unknown),
          coordinateKind: try enumeration(BoundingBoxPropertiesField.coordinateKind, of: table, unknown: .ratio)))
    default:
      return .audio(
        AudioProperties(
          sampleRate: try uint(AudioPropertiesField.sampleRate, of: table),
          channels: try uint(AudioPropertiesField.channels, of: table)))
    }
  }

  private mutating func processUnits(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [ProcessUnit] {
    try values(field, of: table) { (reader, table) throws(SchemaError) in try reader.processUnit(table) }
  }

  private mutating func processUnit(_ table: FlatTable) throws(SchemaError) -> ProcessUnit {
    let union = try read { (budget) throws(FlatBufferError) in
      try table.union(
        tag: ProcessUnitField.optionsTag, value: ProcessUnitField.options, knownTags: 1...6, budget: &budget)
    }
    guard let tag = union?.tag, let options = union?.table else { return .other(tag: Int(union?.tag ?? 0)) }
    return try locating(ProcessUnitField.options.name) { () throws(SchemaError) in
      switch tag {
      case 1:
        return .normalization(
          Normalization(
            mean: try floats(ProcessUnitField.mean, of: options),
            deviation: try floats(ProcessUnitField.deviation, of: options)))
      case 2:
        let rawTransformation = try integer(ProcessUnitField.scoreTransformation, of: options, default: Int8(0))
        guard let transformation = ScoreCalibration.Transformation(rawValue: rawTransformation) else {
          throw SchemaError(.unsupported, "unknown score transformation \(rawTransformation); expected 0, 1 or 2")
        }
        return .scoreCalibration(
          ScoreCalibration(
            transformation: transformation, defaultScore: try float(ProcessUnitField.defaultScore, of: options)))
      case 3:
        return .scoreThresholding(threshold: try float(ProcessUnitField.threshold, of: options))
      case 4:
        return .wordPieceTokenizer(
          vocabulary: try associatedFiles(ProcessUnitField.wordPieceVocabulary, of: options))
      case 5:
        return .sentencePieceTokenizer
      default:
        return .patternTokenizer(
          PatternTokenizer(
            delimiter: try string(ProcessUnitField.delimiterPattern, of: options),
            vocabulary: try associatedFiles(ProcessUnitField.patternVocabulary, of: options)))
      }
    }
  }
}

/// A version of integers separated by dots, compared component by component. Missing components are 0.
struct DottedVersion: Comparable {
  private let numbers: [Int]

  init(_ text: String) {
    numbers = text.split(separator: ".").map { Int($0) ?? 0 }
  }

  static func < (left: DottedVersion, right: DottedVersion) -> Bool {
    for index in 0..<max(left.numbers.count, right.numbers.count) {
      let (first, second) = (left.number(index), right.number(index))
      if first != second { return first < second }
    }
    return false
  }

  static func == (left: DottedVersion, right: DottedVersion) -> Bool { !(left < right) && !(right < left) }

  private func number(_ index: Int) -> Int { numbers.indices.contains(index) ? numbers[index] : 0 }
}
