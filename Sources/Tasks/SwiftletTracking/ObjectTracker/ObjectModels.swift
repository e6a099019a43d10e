import SwiftletImage
import SwiftletVision

/// The models of a tracker: a localizer, and an optional classifier.
///
/// - Thread safety: one caller at a time.
final class ObjectModels {
  private let localizer: ObjectLocalizer
  private let classifier: CropClassifier?
  /// The minimum score in still images. In a video, the tracker applies its own thresholds.
  private let scoreThreshold: Float

  /// Creates the models: loads and checks them.
  ///
  /// - Throws: `TaskError` for every problem with the options or the models.
  init(_ options: ObjectTrackerOptions) throws(TaskError) {
    try options.validate()
    guard let found = options.localizer ?? DefaultLocalizer.model.map({ ObjectLocalizerOptions(baseOptions: $0) })
    else {
      throw .invalidOption(
        "there is no localizer; set an object detection model in the options, or set DefaultLocalizer.model once for the whole process"
      )
    }
    scoreThreshold = found.scoreThreshold
    // A tracker ignores all detections below its lowest threshold.
    let threshold = min(Float(options.tracking.lowThreshold), found.scoreThreshold)
    localizer = try TaskError.naming(found.baseOptions.model) { () throws(TaskError) in
      try TaskError.wrapping { try ObjectLocalizer(found, scoreThreshold: threshold) }
    }
    classifier = try options.classifier.map(Self.classifier)
  }

  /// Returns a classifier.
  ///
  /// - Throws: `TaskError` with the model's file and the requirement that it violates.
  static func classifier(_ options: ObjectClassifierOptions) throws(TaskError) -> CropClassifier {
    try options.validate()
    return try TaskError.naming(options.baseOptions.model) { () throws(TaskError) in try CropClassifier(options) }
  }

  /// The conversion of scores to labels; `nil` without a classifier.
  var labelMaker: LabelMaker? { classifier?.labelMaker }
  /// The class names; empty without a classifier, and for a model without labels.
  var labels: [String] { classifier?.labels ?? [] }
  /// The number of runs of the classifier.
  var classificationCount: Int { classifier?.runCount ?? 0 }

  /// Returns the objects in a frame of a video, in pixels of the upright frame, best first.
  func detections(in image: InputImage) throws -> [BoxDetection] {
    try localizer.detections(in: image, scoreThreshold: -.infinity)
  }

  /// Returns the scores of all classes for the object in a box of the upright image; `nil` without a classifier, or for
  /// a box without an area.
  func scores(of box: PixelRect, in image: InputImage) throws -> [Float]? { try classifier?.scores(of: box, in: image) }

  /// Returns the objects in a still image, the most prominent first.
  func objects(in image: InputImage, limit: Int) throws -> [TrackedObject] {
    let geometry = ImageGeometry(image)
    let objects = try localizer.detections(in: image, scoreThreshold: scoreThreshold).compactMap { detection in
      geometry.clipped(detection.box).map { box in
        TrackedObject(
          box: box, geometry: geometry, trackingID: nil, labels: [], score: detection.score, isPredicted: false)
      }
    }
    // The sort is not stable, so equal objects are ordered by their position in the localizer's result.
    let ranked = objects.enumerated().sorted {
      $0.element.precedes($1.element) || !$1.element.precedes($0.element) && $0.offset < $1.offset
    }
    return try ranked.prefix(limit).map { _, object in
      var object = object
      if let labelMaker, let scores = try scores(of: object.uprightBox, in: image) {
        object.labels = labelMaker.labels(from: scores)
      }
      return object
    }
  }
}

/// Reads the color histograms of detected boxes, frame by frame.
///
/// - Thread safety: one caller at a time.
struct AppearanceReader: Sendable {
  /// The number of sample points across and down a box.
  private static let side = 16
  /// The maximum number of boxes whose colors are read, best first, because reading takes time.
  private static let boxLimit = 12
  /// The difference between the colors of consecutive frames above which the light, or the scene, has changed.
  private static let changeOfLight = 0.25

  private var converter: ImageToTensor
  private var pixels: [UInt8]
  /// The colors of the last frame as a whole.
  private var scene: Appearance?

  /// Creates a reader. Returns `nil` if the converter doesn't support the size, which never happens.
  init?() {
    guard let converter = try? ImageToTensor(width: Self.side, height: Self.side, encoding: .uint8) else { return nil }
    self.converter = converter
    pixels = [UInt8](repeating: 0, count: converter.byteCount)
  }

  /// Reads the colors of the best objects in a frame. Objects at the edge of the image are skipped, because their
  /// colors change with the part that is cut off.
  ///
  /// - Parameter detections: The detections in pixels of the upright image, best first.
  /// - Throws: `ImageError` if the image cannot be read, `TaskError` for a box without an area.
  mutating func look(at detections: inout [BoxDetection], in image: InputImage) throws {
    let geometry = ImageGeometry(image)
    let whole = PixelRect(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight)
    var now = try appearance(of: whole, in: image, geometry, light: scene?.light ?? 0)
    if let scene, let change = now.difference(from: scene), change > Self.changeOfLight { now.light += 1 }
    scene = now
    for index in detections.indices.prefix(Self.boxLimit) where !isCut(detections[index].box, by: whole) {
      detections[index].appearance = try appearance(of: detections[index].box, in: image, geometry, light: now.light)
    }
  }

  private func isCut(_ box: PixelRect, by frame: PixelRect) -> Bool {
    let (across, down) = (0.02 * box.width, 0.02 * box.height)
    return box.x <= across || box.y <= down || box.x + box.width >= frame.width - across
      || box.y + box.height >= frame.height - down
  }

  private mutating func appearance(
    of box: PixelRect, in image: InputImage, _ geometry: ImageGeometry, light: Int
  ) throws -> Appearance {
    let region = geometry.regionOfInterest(geometry.stored(box))
    _ = try pixels.withUnsafeMutableBytes { try converter.convert(image.buffer, region: region, into: $0) }
    return Appearance(pixels: pixels, light: light)
  }
}
