import SwiftletVision

/// The models of a tracker: one that finds objects and, maybe, one that names them.
///
/// One caller at a time.
final class ObjectModels {
  private let localizer: ObjectLocalizer
  private let classifier: CropClassifier?
  /// `nil` where detections are not compared.
  private var appearances: AppearanceReader?

  /// - Throws: `ObjectTrackerError`: `missingLocalizerModel`, and whatever is wrong with the options or the models.
  init(_ options: ObjectTrackerOptions) throws(ObjectTrackerError) {
    try options.validate()
    guard let found = options.localizer ?? DefaultLocalizer.model.map({ ObjectLocalizerOptions(baseOptions: $0) })
    else {
      throw .missingLocalizerModel
    }
    // The tracker ignores everything below its lowest threshold.
    let threshold = options.mode == .stream ? Float(options.tracking.lowThreshold) : found.scoreThreshold
    localizer = try ObjectTrackerError.wrapping(naming: found.baseOptions.model) {
      try ObjectLocalizer(found, scoreThreshold: threshold)
    }
    classifier = try options.classifier.map(Self.classifier)
    guard options.mode == .stream, options.tracking.appearanceTolerance < 1 else { return }
    appearances = try ObjectTrackerError.wrapping { try AppearanceReader() }
  }

  /// - Throws: `ObjectTrackerError` that names the model's file and the rule it breaks.
  static func classifier(_ options: ObjectClassifierOptions) throws(ObjectTrackerError) -> CropClassifier {
    try ObjectTrackerError.wrapping(naming: options.baseOptions.model) { try CropClassifier(options) }
  }

  /// How scores become labels; `nil` without a classifier.
  var labelMaker: LabelMaker? { classifier?.labelMaker }
  /// The names of the classes; empty without a classifier, and for one that knows no names.
  var labels: [String] { classifier?.labels ?? [] }
  /// How often the classifier ran.
  var classificationCount: Int { classifier?.runCount ?? 0 }

  /// The objects in a picture, in pixels of the upright picture, best first; in a stream with how they look.
  func detections(in image: MPImage) throws -> [BoxDetection] {
    var detections = try localizer.detections(in: image)
    try appearances?.look(at: &detections, in: image)
    return detections
  }

  /// The scores of all classes for the object in a box of the upright picture; `nil` without a classifier, or for a box
  /// without an area.
  func scores(of box: BoundingBox, in image: MPImage) throws -> [Float]? { try classifier?.scores(of: box, in: image) }

  /// The objects of a picture that has nothing to do with others.
  func objects(in image: MPImage, limit: Int) throws -> [TrackedObject] {
    let geometry = PictureGeometry(image)
    let objects = try detections(in: image).compactMap { detection in
      geometry.clipped(detection.box).map { box in
        TrackedObject(
          box: box, geometry: geometry, trackingID: nil, labels: [], score: detection.score, isPredicted: false)
      }
    }
    // Sorting keeps no order of its own among equals: that of the localizer is kept by position.
    let ranked = objects.enumerated().sorted {
      $0.element.precedes($1.element) || !$1.element.precedes($0.element) && $0.offset < $1.offset
    }
    return try ranked.prefix(limit).map { _, object in
      var object = object
      if let labelMaker, let scores = try scores(of: BoundingBox(object.frame(upright: true)), in: image) {
        object.labels = labelMaker.labels(from: scores)
      }
      return object
    }
  }
}
