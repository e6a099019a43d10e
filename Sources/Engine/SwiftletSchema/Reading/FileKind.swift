package import SwiftletBase

/// Detection of the kind of file, for errors about files of the wrong kind.
package enum FileKind {
  /// Returns the reason why `file` isn't a model, or `nil` if it has a model's header.
  package static func reasonNotAModel(_ file: ByteRegion) -> SchemaError? {
    guard file.count > 0 else { return empty("model") }
    if file.hasBytes(of: ModelReader.identifier, at: 4) { return nil }
    if isArchive(file) {
      return SchemaError(
        .wrongFileType,
        """
        expected a .tflite model, got a ZIP archive; if it is a .task bundle, open it as a bundle and load the model \
        inside it
        """,
        byteOffset: 0)
    }
    if let name = nameOfKnownKind(file) {
      return SchemaError(.wrongFileType, "expected a .tflite model, got \(name)", byteOffset: 0)
    }
    guard file.count >= 8 else {
      return SchemaError(
        .truncated, "a .tflite model has at least 8 bytes, got \(file.count); fetch the file again", byteOffset: 0)
    }
    return SchemaError(
      .wrongFileType,
      """
      not a .tflite model: expected the identifier "\(ModelReader.identifier)" at byte 4, got \
      \(file.printable(at: 4, count: 4))
      """,
      byteOffset: 4)
  }

  /// Returns the reason why `file` isn't a task bundle, or `nil` if it starts like an archive.
  package static func reasonNotABundle(_ file: ByteRegion) -> SchemaError? {
    guard file.count > 0 else { return empty("task bundle") }
    if isArchive(file) { return nil }
    let name =
      file.hasBytes(of: ModelReader.identifier, at: 4)
      ? "a .tflite model; load it as a model, or give the bundle that contains it"
      : nameOfKnownKind(file) ?? "a file that starts with \(file.printable(at: 0, count: 4))"
    return SchemaError(.wrongFileType, "expected a .task bundle (a ZIP archive), got \(name)", byteOffset: 0)
  }

  private static func empty(_ what: String) -> SchemaError {
    SchemaError(.empty, "the \(what) is empty (0 bytes); was it downloaded or copied completely?")
  }

  /// The maximum padding before the first member. Writers that align members may insert zeros there.
  private static let maximumPadding = 64

  private static func isArchive(_ file: ByteRegion) -> Bool {
    let start = (0..<maximumPadding).first { file.byte(at: $0) != 0 } ?? 0
    return file.hasBytes(of: "PK\u{3}\u{4}", at: start) || file.hasBytes(of: "PK\u{5}\u{6}", at: start)
  }

  private static func nameOfKnownKind(_ file: ByteRegion) -> String? {
    if file.hasBytes(of: "version https://git-lfs") {
      return "the text of a Git LFS pointer; run \"git lfs pull\" to fetch the file it stands for"
    }
    if looksLikeMarkup(file) {
      return "a web page; the download address leads to a page or an error message, not to the file"
    }
    if file.byte(at: 0) == 0x1F, file.byte(at: 1) == 0x8B { return "a gzip archive; unpack it first" }
    if file.byte(at: 0) == 0x89, file.hasBytes(of: "HDF\r\n", at: 1) {
      return "a Keras (HDF5) model; convert it to .tflite first"
    }
    if file.bytes.prefix(64).allSatisfy({ $0 == 0 }) {
      return "zero bytes; the download or copy was not completed"
    }
    return nil
  }

  private static func looksLikeMarkup(_ file: ByteRegion) -> Bool {
    let start = String(decoding: file.bytes.prefix(256), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return ["<!doctype", "<html", "<head", "<?xml", "<body"].contains { start.hasPrefix($0) }
  }
}

/// A bound on the total size of the options that all operators read.
///
/// Every operator copies its own vectors and strings and reads its own custom options. Operators may share this data in
/// the file, so a small file could request any amount of memory and time.
enum OptionSharing {
  /// Checks the total size of options.
  ///
  /// - Throws: `SchemaError` if the vectors, strings, and custom options of all operators are much larger than the
  ///   file.
  static func check(_ subgraphs: [Subgraph], fileByteCount: Int) throws(SchemaError) {
    let (scaled, overflow) = fileByteCount.multipliedReportingOverflow(by: 4)
    let limit = overflow ? Int.max : max(scaled, 1 << 20)
    var total = 0
    for (index, subgraph) in subgraphs.enumerated() {
      for (position, description) in subgraph.operators.enumerated() {
        total += description.customOptions.count + description.options.elementCount
        guard total <= limit else {
          throw SchemaError(
            .limitExceeded,
            "the options of the operators so far have \(total) elements and bytes; the limit for a file of \(fileByteCount) bytes is \(limit)",
            location: "subgraphs[\(index)].operators[\(position)] (\(description.code.kind.name.excerpt))")
        }
      }
    }
  }
}

extension OptionsTable {
  /// The number of elements of all vectors and strings.
  fileprivate var elementCount: Int {
    guard table != nil else { return 0 }
    return OptionSchemas.vectors(ofTable: tag).reduce(0) { sum, field in
      // An unreadable field is reported where it is used.
      sum + ((try? bytes(field))??.count ?? 0)
    }
  }
}

extension OptionSchemas {
  /// Returns the fields of the option table with this tag that contain vectors or strings.
  ///
  /// The fields of the first union are listed explicitly, because iterating over all tables takes as long as loading a
  /// small model.
  static func vectors(ofTable tag: Int) -> [OptionDefinition] {
    switch tag {
    case ConcatEmbeddingsOptions.tag:
      [
        ConcatEmbeddingsOptions.columnsPerChannel.definition,
        ConcatEmbeddingsOptions.embeddingDimensionPerChannel.definition,
      ]
    case ReshapeOptions.tag: [ReshapeOptions.newShape.definition]
    case SqueezeOptions.tag: [SqueezeOptions.squeezeDimensions.definition]
    case BucketizeOptions.tag: [BucketizeOptions.boundaries.definition]
    case VarHandleOptions.tag: [VarHandleOptions.container.definition, VarHandleOptions.sharedName.definition]
    case ..<OptionsTable.secondUnionBase: []
    default: describedVectors(ofTable: tag)
    }
  }

  /// Returns the same fields, computed from the table definitions.
  static func describedVectors(ofTable tag: Int) -> [OptionDefinition] {
    fields(ofTable: tag).filter(\.holdsElements)
  }
}

extension OptionDefinition {
  /// Whether the field contains a vector or a string.
  fileprivate var holdsElements: Bool {
    switch storage {
    case .string, .ints, .longs, .floats, .bools, .flexible, .subgraphs: true
    default: false
    }
  }
}
