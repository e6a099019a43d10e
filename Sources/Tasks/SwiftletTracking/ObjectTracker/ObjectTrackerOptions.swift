public import SwiftletImage

/// The options for detecting, tracking and classifying objects.
public struct ObjectTrackerOptions: Sendable, Hashable {
  /// The most objects that can be asked for.
  public static let maxObjectCountRange = 1...100

  /// The default options for tracking objects in a stream: as `TrackingOptions` says, but with thresholds for models
  /// that find objects of any kind, whose scores are lower than those of a detector that knows its classes.
  public static var defaultTracking: TrackingOptions { tracking(from: 0.4) }

  /// Tracks begin at `score`. Detections down to a tenth below it are matched with all tracks; weaker ones only keep
  /// tracks alive.
  ///
  /// - Parameter score: 0…1. Detections below 0.1, or below `score` if that is less, are ignored.
  public static func tracking(from score: Double) -> TrackingOptions {
    var options = TrackingOptions()
    options.newTrackThreshold = score
    options.lowThreshold = min(options.lowThreshold, score)
    options.highThreshold = max(options.lowThreshold, score - 0.1)
    return options
  }

  /// The model that finds objects; `nil` for ``DefaultLocalizer``.
  public var localizer: ObjectLocalizerOptions?
  /// The model that names them; `nil` for objects without labels.
  public var classifier: ObjectClassifierOptions?
  /// A Boolean value that indicates whether several objects are reported, and not only the most prominent one.
  public var allowsMultipleObjects: Bool
  /// The most objects reported when several are, 1…100. Each costs a run of the classifier, in a stream about one in
  /// half a second.
  public var maxObjectCount: Int
  /// When a stream's frames are searched.
  public var streamPolicy: StreamPolicy
  /// The options for tracking objects in a stream. `maxObjectCount` says how many are reported.
  public var tracking: TrackingOptions

  /// Creates options of a tracker; those that are not given have the values above.
  public init(
    localizer: ObjectLocalizerOptions? = nil, classifier: ObjectClassifierOptions? = nil,
    allowsMultipleObjects: Bool = false, maxObjectCount: Int = 5, streamPolicy: StreamPolicy = .synchronous(every: 1),
    tracking: TrackingOptions = ObjectTrackerOptions.defaultTracking
  ) {
    self.localizer = localizer
    self.classifier = classifier
    self.allowsMultipleObjects = allowsMultipleObjects
    self.maxObjectCount = maxObjectCount
    self.streamPolicy = streamPolicy
    self.tracking = tracking
  }

  func validate() throws(TaskError) {
    guard Self.maxObjectCountRange.contains(maxObjectCount) else {
      throw .invalidOption("maxObjectCount must be from 1 to 100, got \(maxObjectCount)")
    }
    try localizer?.validate()
    try streamPolicy.validate()
    try boxTracking.validate()
  }

  /// The most objects that an image's result has.
  var objectLimit: Int { allowsMultipleObjects ? maxObjectCount : 1 }

  /// The tracker's options with room for the objects asked for. Where one is reported, it is chosen here among all.
  var boxTracking: TrackingOptions {
    var options = tracking
    options.maxTracks = max(options.maxTracks, 2 * objectLimit)
    options.maxReportedTracks = allowsMultipleObjects ? maxObjectCount : options.maxTracks
    return options
  }
}

extension ObjectTrackerOptions {
  /// The time that loading the models, and one call, may take: the shorter of what is said for the two models.
  var timeout: Duration? {
    [localizer?.baseOptions.timeout, classifier?.baseOptions.timeout].compactMap(\.self).min()
  }
}

/// When a stream's frames are searched for objects. In the frames between, boxes are where the objects are expected.
public enum StreamPolicy: Sendable, Hashable {
  /// Within the call, on the first frame and on every `every`-th frame after it. The same frames give the same results
  /// on every machine.
  ///
  /// 1 searches every frame.
  case synchronous(every: Int)
  /// In the background: a call returns at once with what is known. What a search finds in its frame is moved to the
  /// newest frame. One search runs at a time. Of the frames that arrive meanwhile the newest is searched next.
  case concurrent

  func validate() throws(TaskError) {
    if case .synchronous(let interval) = self, interval < 1 {
      throw .invalidOption("StreamPolicy.synchronous(every:) takes 1 or more frames, got \(interval)")
    }
  }
}

/// An object in an image.
public struct TrackedObject: Sendable, Hashable {
  /// The bounding box of the object, in pixels of the image as it is stored, origin at its top left, y down; inside the
  /// image.
  public let box: PixelRect
  /// The same for one object in every frame of a stream, from 0 up, never used for another one in the process; `nil` in
  /// single images.
  public let trackingID: Int?
  /// The labels of the object, best first; empty without a classifier, and in a stream until the classifier has had its
  /// turn.
  public internal(set) var labels: [ObjectLabel]
  /// The confidence of the localizer that there is an object, 0…1.
  public let score: Float
  /// The prominence of the object, 0…1: score, size and closeness to the center. Results are ordered by it.
  public let prominence: Double
  /// A Boolean value that indicates whether the last image that was searched did not show the object, so that `box` is
  /// where it is expected.
  public let isPredicted: Bool
  private let geometry: ImageGeometry

  /// - Parameter box: in pixels of the upright image, inside it.
  init(
    box: PixelRect, geometry: ImageGeometry, trackingID: Int?, labels: [ObjectLabel], score: Double,
    isPredicted: Bool
  ) {
    self.box = geometry.stored(box)
    self.geometry = geometry
    self.trackingID = trackingID
    self.labels = labels
    self.score = Float(score)
    self.isPredicted = isPredicted
    prominence = box.prominence(score: score, frameWidth: geometry.uprightWidth, frameHeight: geometry.uprightHeight)
  }

  /// The box in pixels of the upright image.
  public var uprightBox: PixelRect { geometry.upright(box) }

  /// The size of the image that the box lies in: as it is stored, or upright.
  @_spi(Facades)
  public func imageSize(upright: Bool) -> (width: Double, height: Double) {
    upright
      ? (geometry.uprightWidth, geometry.uprightHeight) : (Double(geometry.width), Double(geometry.height))
  }

  /// Whether this object stands before `other` in a result: the more prominent one, then the one with the lower ID.
  func precedes(_ other: TrackedObject) -> Bool {
    prominence > other.prominence || prominence == other.prominence && (trackingID ?? 0) < (other.trackingID ?? 0)
  }
}
