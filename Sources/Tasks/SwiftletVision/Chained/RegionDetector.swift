import SwiftletImage

/// *Find*: the first model of a chain. It says where in an image the things are that the next model looks at.
///
/// Runs detectors of BlazeFace's family: boxes with keypoints, refined from anchors of fixed size.
///
/// One caller at a time.
final class RegionDetector {
  /// What of a detection its region is made of.
  enum Extent: Sendable, Hashable {
    /// The detection's box.
    case box
    /// The smallest upright box that holds all of its keypoints.
    case keypoints
    /// The square about the recipe's first point whose half side is the way to the second.
    case aroundStart
  }

  /// What a detector's outputs are, and how a detection becomes a region.
  struct Recipe: Sendable, Hashable {
    /// One per layer of the detector, in pixels of its input.
    var strides: [Int]
    var keypointCount: Int
    /// Detections that overlap by more are blended into one; intersection over union.
    var overlapThreshold: Float
    /// The numbers of the keypoints that say how the thing is turned.
    var start: Int
    var end: Int
    /// The direction from `start` to `end` in a region that stands upright, as in ``RegionGeometry``.
    var direction: Float
    var extent = Extent.box
    /// Whether places in upright images come from the input by removing its letterbox, as for MediaPipe's poses, and not
    /// by the map of the region that was put into the input. Both differ in the last bits.
    var removesLetterbox = false
    /// Whether places are those in the stored image. Otherwise they are taken from the upright image as if it were the
    /// stored one, which is wrong for images that have to be turned.
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
  /// The answer to the last call, whose memory is that of the next one if nobody keeps it.
  private var regions: [NormalizedRect] = []

  /// - Parameters:
  ///   - context: The detector, such as a member of a bundle, and how it runs.
  ///   - minConfidence: detections with a lower score are left out.
  /// - Throws: `TaskError` when the model is missing or its outputs are not those of the recipe.
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

  /// The regions of an image, best first. Those that no model can look at are left out.
  ///
  /// - Parameter part: where to search, in coordinates of the stored image; `nil` for all of it.
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

  /// The bars next to and above the whole image in the model's input, if places come from removing them.
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

  /// The way back from the model's input to the image.
  private struct Source {
    let projection: ImageProjection
    /// In place of the projection.
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

/// The bars that keep an image's proportions in a model's input, as fractions of that input.
///
/// - Source: the letterbox removal of MediaPipe's pose detector, in its order of operations.
struct Letterbox: Sendable, Hashable {
  /// The width of the left bar, which is that of the right one.
  let horizontal: Float
  /// The height of the upper bar, which is that of the lower one.
  let vertical: Float

  /// - Parameters:
  ///   - aspect: the image's height over its width, as it stands in the input.
  ///   - inputAspect: the input's height over its width.
  init(aspect: Float, inputAspect: Float) {
    let isWide = inputAspect > aspect
    horizontal = isWide ? 0 : (1 - inputAspect / aspect) / 2
    vertical = isWide ? (1 - aspect / inputAspect) / 2 : 0
  }

  /// The place in the image, 0…1, of a point of the input.
  func removed(from point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(
      x: (point.x - horizontal) / (1 - (horizontal + horizontal)), y: (point.y - vertical) / (1 - (vertical + vertical))
    )
  }
}
