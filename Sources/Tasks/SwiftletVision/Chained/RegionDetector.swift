import SwiftletImage

/// The detection step of a landmark task: the first model, which returns the regions for the landmark model.
///
/// It runs detectors of the BlazeFace family, which refine boxes with keypoints from anchors of a fixed size.
///
/// - Thread safety: one caller at a time.
final class RegionDetector {
  /// The part of a detection that determines its region.
  enum Extent: Sendable, Hashable {
    /// The detection's box.
    case box
    /// The smallest axis-aligned box that contains all keypoints.
    case keypoints
    /// The square centered at the recipe's start keypoint, with half a side as long as the distance to its end
    /// keypoint.
    case aroundStart
  }

  /// The outputs of a detector, and the conversion of a detection to a region.
  struct Recipe: Sendable, Hashable {
    /// The stride of each layer of the detector, in pixels of its input.
    var strides: [Int]
    var keypointCount: Int
    /// The intersection over union above which detections are blended into one.
    var overlapThreshold: Float
    /// The indices of the two keypoints that determine the rotation.
    var start: Int
    var end: Int
    /// The direction from `start` to `end` in an upright region, as in ``RegionGeometry``.
    var direction: Float
    var extent = Extent.box
    /// Whether positions in upright images are computed by removing the letterbox, as for MediaPipe's poses, and not by
    /// the projection of the input region. The two differ in the last bits.
    var removesLetterbox = false
    /// Whether positions are relative to the stored image. If not, positions in the upright image are used as if they
    /// were positions in the stored image, which is wrong for rotated images.
    var followsOrientation = true
    var adjustment: RegionGeometry.Adjustment
  }

  private let model: VisionModel
  private let recipe: Recipe
  private let decoder: BoxDecoder
  private let boxesOutput: Int
  private let scoresOutput: Int
  private let minConfidence: Float
  private var candidates = DetectionList()
  private var found = DetectionList()
  private var suppression = NonMaximumSuppression()
  /// The keypoints of a detection in the image.
  private var projected: [NormalizedPoint] = []
  /// The result of the last call. Its storage is reused by the next call unless the caller keeps the result.
  private var regions: [NormalizedRect] = []

  /// Creates a detector.
  ///
  /// - Parameters:
  ///   - context: The detector model, such as a member of a bundle, and its options.
  ///   - minConfidence: The minimum score of a detection.
  /// - Throws: `TaskError` if the model is missing or its outputs don't match the recipe.
  init(_ context: ModelContext, recipe: Recipe, minConfidence: Float) throws(TaskError) {
    (model, decoder, boxesOutput, scoresOutput) = try TaskError.naming(context.source) { () throws(TaskError) in
      let model = try TaskError.wrapping {
        try VisionModel(context, input: .init(keepsAspectRatio: true, border: .zero))
      }
      let decoder = try BoxDecoder.blaze(
        inputWidth: model.inputWidth, inputHeight: model.inputHeight, strides: recipe.strides,
        keypointCount: recipe.keypointCount)
      let outputs = try RawDetectionOutputs.find(model.outputs, decoder: decoder, task: "region")
      return (model, decoder, outputs.boxes, outputs.scores)
    }
    self.recipe = recipe
    self.minConfidence = minConfidence
  }

  /// Returns the regions in an image, best first, without regions that no model can process.
  ///
  /// - Parameter part: The part of the image to search, in coordinates of the stored image; `nil` for the whole image.
  func regions(in image: InputImage, within part: NormalizedRect? = nil) throws -> [NormalizedRect] {
    let source = Source(
      projection: try model.run(image, region: part), letterbox: letterbox(of: image, within: part))
    candidates.removeAll()
    try model.withRealOutput(boxesOutput) { boxes in
      try model.withRealOutput(scoresOutput) { scores in
        try decoder.decode(boxes: boxes, scores: scores, threshold: minConfidence, classes: [0], into: &candidates)
      }
    }
    try suppression.weighted(candidates, threshold: recipe.overlapThreshold, into: &found)
    let geometry = RegionGeometry(image)
    regions.removeAll(keepingCapacity: true)
    for index in found.boxes.indices {
      let region = region(index, source, geometry)
      if geometry.isUsable(region) { regions.append(region) }
    }
    return regions
  }

  private func region(_ index: Int, _ source: Source, _ geometry: RegionGeometry) -> NormalizedRect {
    let points = found.keypoints(index)
    let start = source.place(points[points.startIndex + recipe.start])
    let end = source.place(points[points.startIndex + recipe.end])
    let rotation = geometry.rotation(from: start, to: end, direction: recipe.direction)
    var region: NormalizedRect
    switch recipe.extent {
    case .box:
      let box = source.box(found.boxes[index])
      region = NormalizedRect(
        center: NormalizedPoint(x: box.x + box.width / 2, y: box.y + box.height / 2), width: box.width,
        height: box.height)
    case .keypoints:
      projected.removeAll(keepingCapacity: true)
      for point in points { projected.append(source.place(point)) }
      region = geometry.box(aroundKeypoints: projected)
    case .aroundStart: region = geometry.square(about: start, reaching: end)
    }
    region.rotation = rotation
    return geometry.adjusted(region, by: recipe.adjustment)
  }

  /// Returns the bars around the whole image in the model's input, if positions are computed by removing them.
  private func letterbox(of image: InputImage, within part: NormalizedRect?) -> Letterbox? {
    let isUpright = image.orientation == .up && part == nil
    guard !recipe.followsOrientation || recipe.removesLetterbox && isUpright else { return nil }
    let (width, height) = (Float(image.width), Float(image.height))
    let region = NormalizedRect.fullImage.turnedUpright(
      image.orientation, imageWidth: image.width, imageHeight: image.height)
    return Letterbox(
      aspect: region.height * height / (region.width * width),
      inputAspect: Float(model.inputHeight) / Float(model.inputWidth))
  }

  /// The map from the model's input to the image.
  private struct Source {
    let projection: ImageProjection
    /// The letterbox to remove instead of using the projection, if any.
    let letterbox: Letterbox?

    func place(_ point: NormalizedPoint) -> NormalizedPoint {
      letterbox?.removed(from: point) ?? projection(point)
    }

    func box(_ box: RelativeBox) -> RelativeBox {
      guard let letterbox else { return box.projected(by: projection) }
      let start = letterbox.removed(from: NormalizedPoint(x: box.x, y: box.y))
      let end = letterbox.removed(from: NormalizedPoint(x: box.right, y: box.bottom))
      return RelativeBox(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
    }
  }
}

/// The bars that keep an image's aspect ratio in a model's input, as fractions of that input.
///
/// - Source: the letterbox removal of MediaPipe's pose detector, in its order of operations.
struct Letterbox: Sendable, Hashable {
  /// The width of the left bar and of the right bar.
  let horizontal: Float
  /// The height of the upper bar and of the lower bar.
  let vertical: Float

  /// Creates the bars for an image.
  ///
  /// - Parameters:
  ///   - aspect: The ratio of height to width of the image in the input, after rotation.
  ///   - inputAspect: The ratio of height to width of the input.
  init(aspect: Float, inputAspect: Float) {
    let isWide = inputAspect > aspect
    horizontal = isWide ? 0 : (1 - inputAspect / aspect) / 2
    vertical = isWide ? (1 - aspect / inputAspect) / 2 : 0
  }

  /// Returns the position in the image, 0…1, of a point in the input.
  func removed(from point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(
      x: (point.x - horizontal) / (1 - (horizontal + horizontal)), y: (point.y - vertical) / (1 - (vertical + vertical))
    )
  }
}
