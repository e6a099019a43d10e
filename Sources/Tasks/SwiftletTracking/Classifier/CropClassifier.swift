import SwiftletEngine
import SwiftletSchema
import SwiftletVision

/// Classifies the objects in an image, one box at a time.
///
/// The box is stretched to the model's input, not letterboxed, and rotated so that the object is upright. For models
/// with several outputs, only the first is used.
///
/// - Thread safety: one caller at a time.
final class CropClassifier {
  /// The class names; empty for models without labels.
  let labels: [String]
  /// The number of runs of the model.
  private(set) var runCount = 0
  private let model: VisionModel
  private let calibrator: ScoreCalibrator?
  private let cropMargin: Double
  let labelMaker: LabelMaker

  /// Creates a classifier.
  ///
  /// - Throws: `TaskError` with the requirement that the model violates.
  init(_ options: ObjectClassifierOptions) throws(TaskError) {
    try options.validate()
    let base = options.baseOptions
    let loaded = try base.model.load()
    let metadata = try Self.metadata(of: loaded)
    try ClassifierRules.check(loaded, metadata: metadata, base)
    model = try TaskError.wrapping { try VisionModel(loaded, ModelContext(base), input: .stretched) }
    try ClassifierRules.check(outputs: model.outputs, metadata: metadata)
    let classCount = model.outputs.first?.shape.elementCount ?? 0
    let described = model.base.outputMetadata(0)
    labels = try Self.labels(model, described, options, classCount: classCount)
    calibrator = try Self.calibrator(model, described, classCount: classCount)
    cropMargin = options.cropMargin
    let threshold: Float?
    do {
      threshold = try described?.scoreThreshold()
    } catch {
      throw TaskError.broken(.processUnits, "the model's score threshold is invalid: \(error)")
    }
    labelMaker = LabelMaker(
      labels: labels, threshold: options.threshold(inMetadata: threshold), limit: options.labelLimit)
  }

  /// Returns the score of every class for the object in `box`, calibrated if the model requests it.
  ///
  /// - Parameters:
  ///   - box: The box in pixels of the upright image; it is clipped to the image.
  ///   - image: An image in any of the eight orientations.
  /// - Returns: `nil` for a box without an area in the image.
  /// - Throws: `TaskError` if the model cannot run.
  func scores(of box: PixelRect, in image: InputImage) throws -> [Float]? {
    let geometry = ImageGeometry(image)
    guard let crop = geometry.clipped(box.grown(by: cropMargin)) else { return nil }
    runCount += 1
    _ = try model.run(image, region: geometry.regionOfInterest(geometry.stored(crop)))
    return try model.withRealOutput(0) { scores in
      try model.base.results.charge(scores.count, each: MemoryLayout<Float>.size, for: "scores of classes")
      guard let calibrator else { return Array(scores) }
      return try scores.enumerated().map { try calibrator.calibrated($0.element, category: $0.offset) }
    }
  }

  // MARK: Metadata

  private static func metadata(of model: Model) throws(TaskError) -> SubgraphMetadata? {
    do {
      _ = try model.file.associatedFiles()
    } catch {
      throw TaskError.broken(.archive, "the archive appended to the model is damaged: \(error)")
    }
    do {
      return try model.file.modelMetadata()?.subgraphs.first
    } catch {
      throw TaskError.broken(.metadataSchema, "the model's metadata is damaged: \(error)")
    }
  }

  private static func labels(
    _ model: VisionModel, _ metadata: TensorMetadata?, _ options: ObjectClassifierOptions, classCount: Int
  ) throws(TaskError) -> [String] {
    if let labels = options.labels { return try fitting(labels, "the options name", classCount) }
    guard let names = try labels(model, metadata, locale: "", ifWrong: .metadataInconsistent)?.labels else {
      return try fitting(options.labelsOfUnlabeledModel ?? [], "the manifest's label file names", classCount)
    }
    _ = try fitting(names, "the model's label file names", classCount)
    guard
      let translated = try labels(model, metadata, locale: options.locale, ifWrong: .labelCountMismatch)?.displayNames
    else {
      return names
    }
    return zip(translated, names).map { $0.isEmpty ? $1 : $0 }
  }

  /// Returns the labels; throws an error if there are any, but not one per class.
  private static func fitting(_ labels: [String], _ source: String, _ classCount: Int) throws(TaskError)
    -> [String]
  {
    guard labels.isEmpty || labels.count == classCount else {
      throw TaskError.broken(
        .metadataInconsistent, "\(source) \(labels.count) classes, but the model's output has \(classCount) scores")
    }
    return labels
  }

  private static func labels(
    _ model: VisionModel, _ metadata: TensorMetadata?, locale: String, ifWrong fault: ModelFault
  ) throws(TaskError) -> LabelMap? {
    do {
      return try model.base.labels(of: metadata, locale: locale)
    } catch {
      throw TaskError.broken(error.code == .missingMetadata ? .associatedFileMissing : fault, error.message)
    }
  }

  private static func calibrator(
    _ model: VisionModel, _ metadata: TensorMetadata?, classCount: Int
  ) throws(TaskError) -> ScoreCalibrator? {
    do {
      guard let calibrator = try ScoreCalibrator(metadata, of: model.base) else { return nil }
      try calibrator.requireEntries(classCount)
      return calibrator
    } catch {
      throw TaskError.broken(
        error.code == .missingMetadata ? .associatedFileMissing : .scoreCalibration, error.message)
    }
  }
}
