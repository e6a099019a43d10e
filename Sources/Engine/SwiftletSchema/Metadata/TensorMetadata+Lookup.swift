import SwiftletBase

extension TensorMetadata {
  /// The step that normalises the input, or `nil` when there is none.
  ///
  /// - Throws: `SchemaError` when there are several, or its numbers cannot be used: mean and deviation must be as
  ///   many, finite, and the deviation not 0.
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
        normalisation needs as many means as deviations, finite, no deviation of 0; got \(found.mean) and \
        \(found.deviation)
        """,
        location: (name ?? "").excerpt)
    }
    return found
  }

  /// The step that calibrates scores, or `nil` when there is none.
  ///
  /// - Throws: `SchemaError` when there are several.
  package func scoreCalibration() throws(SchemaError) -> ScoreCalibration? {
    try single("score calibration") { unit in
      if case .scoreCalibration(let value) = unit { value } else { nil }
    }
  }

  /// The score below which results do not count, or `nil` when the model names none.
  ///
  /// - Throws: `SchemaError` when there are several.
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

  /// The first associated file of a kind, of whatever language.
  package func associatedFile(_ kind: AssociatedFile.Kind) -> AssociatedFile? {
    associatedFiles.first { $0.kind == kind }
  }

  /// The first associated file of a kind in exactly the language `locale`.
  package func associatedFile(_ kind: AssociatedFile.Kind, locale: String) -> AssociatedFile? {
    associatedFiles.first { $0.kind == kind && $0.locale == locale }
  }

  /// The names of the files with the labels of the tensor's classes, or `nil` if it has no label file of this kind.
  ///
  /// Labels come from the first file of the kind; display names from the one in the language `locale`, if any.
  package func labelFiles(_ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String?) -> LabelFiles? {
    guard let labels = associatedFile(kind) else { return nil }
    guard let locale, !locale.isEmpty else { return LabelFiles(labels: labels.name, displayNames: nil) }
    return LabelFiles(labels: labels.name, displayNames: associatedFile(kind, locale: locale)?.name)
  }

  /// The labels of the tensor's classes, or `nil` when it has no label file of this kind; see `labelFiles`.
  ///
  /// - Throws: `SchemaError` when a file is missing from the archive or empty, or labels and display names differ in
  ///   number.
  package func labels(
    _ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String?, from archive: ZIPArchive?
  ) throws(SchemaError) -> LabelMap? {
    guard let files = labelFiles(kind, locale: locale) else { return nil }
    return try LabelMap(files) { (name) throws(SchemaError) in
      try LabelFile.lines(try (archive ?? .empty).contents(of: name, atMost: LabelFile.longest), name: name)
    }
  }
}
