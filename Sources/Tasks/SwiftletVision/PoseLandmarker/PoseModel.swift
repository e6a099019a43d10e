import SwiftletImage
import SwiftletTasks

/// The pose landmark model, which returns the body in a region.
///
/// - Thread safety: one caller at a time.
final class PoseModel {
  /// The result of the model for a body.
  struct Body {
    var landmarks: [NormalizedLandmark]
    var worldLandmarks: [Landmark]
    /// The midpoint of the hips.
    var center: NormalizedLandmark
    /// The point above the center at the distance to which the body extends.
    var top: NormalizedLandmark
  }

  /// The indices of the outputs.
  private enum Output {
    static let landmarks = 0
    static let presence = 1
    static let mask = 2
    static let heatMap = 3
    static let world = 4
  }

  /// The number of landmarks in a result. It is followed by the number of points in the model's output, and of values
  /// per point.
  private static let pointCount = 33
  private static let modelPointCount = 39
  private static let valuesPerPoint = 5
  /// The enlargement of the region around the body.
  private static let margin = RegionGeometry.Adjustment(scale: 1.25)

  private static let outputs: [RegionModel.Output] = [
    .init(name: "landmarks", count: modelPointCount * valuesPerPoint), .init(name: "presence", count: 1),
    .init(name: "mask", form: .planes(channels: 1)),
    .init(name: "heat map", form: .planes(channels: modelPointCount)),
    .init(name: "world landmarks", count: modelPointCount * 3),
  ]

  private let model: RegionModel
  private let minPresence: Float
  private let threads: Int
  private let maskCount: Int
  private var masks: RegionMaskMaker?
  private let results: ResultBudget
  /// All points of the model's output.
  private var points: [NormalizedLandmark] = []

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - context: The bundle that contains the model, and the model's options.
  ///   - minPresence: The presence score that the model must exceed for a body to be returned.
  ///   - maskCount: The maximum number of masks per image; 0 if `mask(in:smoothing:)` is never called.
  /// - Throws: `TaskError` if the model is missing or its outputs don't match.
  init(_ context: ModelContext, minPresence: Float, maskCount: Int) throws(TaskError) {
    // Skip the mask if it is not needed: it takes nearly half of the model's time.
    model = try RegionModel(
      context.member("pose_landmarks_detector.tflite"), outputs: Self.outputs,
      unread: maskCount == 0 ? [Output.mask] : [])
    self.minPresence = minPresence
    results = context.results
    threads = context.options.threads
    self.maskCount = maskCount
  }

  /// Returns the body in a region; `nil` if there is none.
  func body(in region: NormalizedRect, of image: InputImage) throws -> Body? {
    try model.look(at: region, in: image)
    guard try model.value(Output.presence) > minPresence else { return nil }
    try readPoints()
    var world = try model.worldLandmarks(Output.world, count: Self.pointCount)
    for index in world.indices {
      (world[index].visibility, world[index].presence) = (points[index].visibility, points[index].presence)
    }
    return Body(
      landmarks: Array(points[..<Self.pointCount]), worldLandmarks: world, center: points[Self.pointCount],
      top: points[Self.pointCount + 1])
  }

  /// Returns the region of a body in the next frame.
  ///
  /// - Parameters:
  ///   - center: The midpoint of its hips.
  ///   - top: The point above the center at the distance to which the body extends.
  static func region(center: NormalizedPoint, top: NormalizedPoint, _ geometry: RegionGeometry) -> NormalizedRect {
    var region = geometry.square(about: center, reaching: top)
    region.rotation = geometry.rotation(from: center, to: top, direction: RegionGeometry.up)
    return geometry.adjusted(region, by: margin)
  }

  /// Returns the mask of the last body in the size of the whole image.
  ///
  /// - Parameter previous: The mask of the previous frame to blend with; `nil` for none.
  func mask(in image: InputImage, smoothing previous: ConfidenceMask? = nil) throws -> ConfidenceMask {
    let size = model.planeSize(Output.mask)
    let maker = try maskMaker(size.width, size.height, image)
    return try model.withNumbers(Output.mask) {
      try maker.mask($0, projection: model.projection, smoothing: previous)
    }
  }

  /// Returns the mask maker of the last image, unless a size has changed.
  private func maskMaker(_ width: Int, _ height: Int, _ image: InputImage) throws -> RegionMaskMaker {
    let sizes = RegionMaskMaker.Sizes(
      maskWidth: width, maskHeight: height, width: image.width, height: image.height)
    if let masks, masks.sizes == sizes { return masks }
    let maker = try RegionMaskMaker(sizes, maskCount: maskCount, threads: threads, results: results)
    masks = maker
    return maker
  }

  /// Reads all points, refines them with the heat map, and transforms them to the stored image.
  private func readPoints() throws {
    points.removeAll(keepingCapacity: true)
    let (width, height) = (Float(model.inputWidth), Float(model.inputHeight))
    let placement = model.placement
    let mapSize = model.planeSize(Output.heatMap)
    try model.withNumbers(Output.landmarks) { values in
      try model.withNumbers(Output.heatMap) { logits in
        let map = HeatMap(logits, size: mapSize)
        for index in 0..<Self.modelPointCount {
          let first = index * Self.valuesPerPoint
          var (x, y) = (values[first] / width, values[first + 1] / height)
          map.refine(point: index, x: &x, y: &y)
          let place = placement(NormalizedPoint(x: x, y: y))
          points.append(
            NormalizedLandmark(
              x: place.x, y: place.y, z: values[first + 2] / width * placement.depthScale,
              visibility: RoundedFunctions.sigmoid(values[first + 3]),
              presence: RoundedFunctions.sigmoid(values[first + 4])))
        }
      }
    }
  }
}

extension RegionDetector.Recipe {
  /// Returns the recipe for regions of bodies, around the midpoint of the hips and upright along the line to the second
  /// keypoint, which marks the extent of the body.
  ///
  /// - Parameters:
  ///   - overlapThreshold: The intersection over union above which two detections count as the same body.
  ///   - followsOrientation: `false` to reproduce MediaPipe's positions in rotated images.
  static func poses(overlapThreshold: Float = 0.5, followsOrientation: Bool = true) -> RegionDetector.Recipe {
    RegionDetector.Recipe(
      strides: [8, 16, 32, 32, 32], keypointCount: 4, overlapThreshold: overlapThreshold, start: 0, end: 1,
      direction: RegionGeometry.up, extent: .aroundStart, removesLetterbox: true,
      followsOrientation: followsOrientation, adjustment: .init(scale: 1.25))
  }
}

/// The pose model in the pose landmarker.
final class PoseSubjects: LandmarkModel {
  private let model: PoseModel
  private let makesMasks: Bool

  init(_ options: PoseLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    makesMasks = options.outputs.contains(.segmentationMasks)
    model = try PoseModel(
      context, minPresence: options.minPresenceConfidence, maskCount: makesMasks ? options.maxPoses : 0)
  }

  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry)
    throws -> (subject: Pose, next: NormalizedRect)?
  {
    guard let body = try model.body(in: region, of: image) else { return nil }
    let pose = Pose(
      landmarks: body.landmarks, worldLandmarks: body.worldLandmarks,
      segmentationMask: makesMasks ? try model.mask(in: image) : nil)
    return (pose, PoseModel.region(center: body.center.point, top: body.top.point, geometry))
  }

  func follow(
    _ pose: inout Pose, next: NormalizedRect, _ smoother: inout PoseSmoother, _ geometry: RegionGeometry,
    at time: Duration, smooths: Bool
  ) -> NormalizedRect? {
    guard geometry.isUsable(next) else { return nil }
    if smooths {
      smoother.smooth(
        &pose.landmarks, &pose.worldLandmarks, objectSize: geometry.size(of: next), in: geometry, at: time)
    }
    return next
  }
}

/// The steps from an image to poses.
///
/// - Source: MediaPipe's pose landmarker.
final class PoseLandmarkerPipeline: VisionPipeline {
  private let chain: LandmarkChain<PoseSubjects>

  init(_ options: PoseLandmarkerOptions, _ context: ModelContext) throws {
    chain = LandmarkChain(
      try RegionDetector(
        context.member("pose_detector.tflite"), recipe: .poses(followsOrientation: !options.keepsMediaPipeRotation),
        minConfidence: options.minDetectionConfidence),
      try PoseSubjects(options, context),
      .init(
        limit: options.maxPoses, overlapThreshold: options.minTrackingConfidence, preference: .found,
        smooths: options.smoothing.isOn(limit: options.maxPoses))
    ) { [results = context.results] in
      try results.charge(1, each: Pose.byteCount, for: "poses", advice: "set maxPoses to fewer")
    }
  }

  func makeMemory() -> LandmarkChain<PoseSubjects>.Memory { chain.makeMemory() }

  func process(_ input: VisionInput) throws -> [Pose] {
    let (image, isMirrored) = try input.image.unmirrored()
    var poses = try chain.subjects(in: image, RegionGeometry(image))
    if isMirrored { for index in poses.indices { poses[index].mirror() } }
    return poses
  }

  func process(
    _ input: VisionInput, at time: Duration, _ memory: inout LandmarkChain<PoseSubjects>.Memory
  ) throws -> [Pose] {
    let (image, isMirrored) = try input.image.unmirrored()
    var poses = try chain.subjects(in: image, RegionGeometry(image), at: time, &memory)
    if isMirrored { for index in poses.indices { poses[index].mirror() } }
    return poses
  }
}

/// A heat map with the likelihood of each point's position, which is more precise than the point itself.
///
/// - Shapes: `[height, width, points]`, logits.
/// - Source: the heat-map refinement of MediaPipe's pose landmarks.
struct HeatMap {
  /// The number of cells around a point that are evaluated.
  private static let reach = 3
  /// The minimum peak confidence. If the map has none as high, the point doesn't move.
  private static let leastConfidence: Float = 0.5

  let logits: UnsafeBufferPointer<Float>
  let height: Int
  let width: Int
  let points: Int

  /// Creates a heat map.
  ///
  /// - Parameter size: The size of the map; its product is the count of `logits`.
  init(_ logits: UnsafeBufferPointer<Float>, size: (height: Int, width: Int, channels: Int)) {
    self.logits = logits
    (height, width, points) = (size.height, size.width, size.channels)
  }

  /// Moves a point to the center of the cells around it, weighted by their likelihood.
  ///
  /// - Parameters:
  ///   - point: The index of the point in the map.
  ///   - x: The distance from the left edge of the region, as a fraction of its width. The map covers only the region.
  ///   - y: The distance from the upper edge of the region, as a fraction of its height.
  func refine(point: Int, x: inout Float, y: inout Float) {
    let (column, row) = (x * Float(width), y * Float(height))
    // Coordinates are truncated toward zero, so those above −1 belong to the first cell.
    guard column > -1, row > -1, column < Float(width), row < Float(height) else { return }
    let columns = max(Int(column) - Self.reach, 0)...min(Int(column) + Self.reach, width - 1)
    let rows = max(Int(row) - Self.reach, 0)...min(Int(row) + Self.reach, height - 1)
    var (sum, columnSum, rowSum, most) = (Float(0), Float(0), Float(0), Float(0))
    for row in rows {
      for column in columns {
        let confidence = RoundedFunctions.sigmoid(logits[(row * width + column) * points + point])
        sum += confidence
        columnSum += confidence * Float(column)
        rowSum += confidence * Float(row)
        most = max(most, confidence)
      }
    }
    guard most >= Self.leastConfidence, sum > 0 else { return }
    (x, y) = (columnSum / Float(width) / sum, rowSum / Float(height) / sum)
  }
}
