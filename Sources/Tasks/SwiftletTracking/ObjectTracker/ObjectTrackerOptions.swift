public import SwiftletImage

/// The options for detecting, tracking, and classifying objects.
public struct ObjectTrackerOptions: Sendable, Hashable {
  /// The valid range of ``maxObjectCount``.
  public static let maxObjectCountRange = 1...100

  /// The default options for tracking objects in a stream: those of `TrackingOptions`, but with thresholds for models
  /// that detect objects of any kind. Their scores are lower than those of a detector with known classes.
  public static var defaultTracking: TrackingOptions { tracking(from: 0.4) }

  /// Returns tracking options for a score threshold. Tracks begin at `score`. Detections down to 0.1 below it are
  /// matched with all tracks; weaker ones only keep tracks alive.
  ///
  /// - Parameter score: The threshold, 0…1. Detections below 0.1, or below `score` if that is less, are ignored.
  public static func tracking(from score: Double) -> TrackingOptions {
    var options = TrackingOptions()
    options.newTrackThreshold = score
    options.lowThreshold = min(options.lowThreshold, score)
    options.highThreshold = max(options.lowThreshold, score - 0.1)
    return options
  }

  /// The localizer, which detects objects; `nil` for ``DefaultLocalizer``.
  public var localizer: ObjectLocalizerOptions?
  /// The classifier, which labels objects; `nil` for objects without labels.
  public var classifier: ObjectClassifierOptions?
  /// A Boolean value that indicates whether several objects are reported, and not only the most prominent one.
  public var allowsMultipleObjects: Bool
  /// The maximum number of objects to report if several are allowed, 1…100. Each object costs a run of the classifier,
  /// in a stream about one every half second.
  public var maxObjectCount: Int
  /// The frames of a stream that are searched for objects.
  public var streamPolicy: StreamPolicy
  /// The options for tracking objects in a stream. `maxObjectCount` limits the number of reported objects.
  public var tracking: TrackingOptions

  /// Creates options. Parameters that you omit have their default values.
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

  /// The maximum number of objects per image.
  var objectLimit: Int { allowsMultipleObjects ? maxObjectCount : 1 }

  /// The tracking options with room for the requested objects. If only one is reported, it is chosen among all tracked
  /// objects.
  var boxTracking: TrackingOptions {
    var options = tracking
    options.maxTracks = max(options.maxTracks, 2 * objectLimit)
    options.maxReportedTracks = allowsMultipleObjects ? maxObjectCount : options.maxTracks
    return options
  }
}

extension ObjectTrackerOptions {
  /// The time limit for loading the models, and for each call: the shorter of the limits of both models.
  var timeout: Duration? {
    [localizer?.baseOptions.timeout, classifier?.baseOptions.timeout].compactMap(\.self).min()
  }
}

/// The policy that determines which frames of a stream are searched for objects. In other frames, boxes are predicted.
public enum StreamPolicy: Sendable, Hashable {
  /// Synchronous search, in the first frame and in every `every`-th frame after it. The same frames give the same
  /// results on every machine.
  ///
  /// With 1, every frame is searched.
  case synchronous(every: Int)
  /// Search in the background: a call immediately returns the objects known so far. When a search ends, its objects are
  /// moved to the newest frame. One search runs at a time. Of the frames that arrive meanwhile, the newest is searched
  /// next.
  case concurrent

  func validate() throws(TaskError) {
    if case .synchronous(let interval) = self, interval < 1 {
      throw .invalidOption("StreamPolicy.synchronous(every:) takes 1 or more frames, got \(interval)")
    }
  }
}

/// An object in an image.
public struct TrackedObject: Sendable, Hashable {
  /// The bounding box of the object, in pixels of the stored image, with the origin at the top left and y down; inside
  /// the image.
  public let box: PixelRect
  /// The ID of the object, the same in every frame of a stream. IDs start at 0 and are never reused in the process;
  /// `nil` in single images.
  public let trackingID: Int?
  /// The labels of the object, best first; empty without a classifier, and in a stream until the object has been
  /// classified.
  public internal(set) var labels: [ObjectLabel]
  /// The confidence of the localizer that there is an object, 0…1.
  public let score: Float
  /// The prominence of the object, 0…1, from its score, size, and distance from the center. Results are ordered by
  /// prominence.
  public let prominence: Double
  /// A Boolean value that indicates whether `box` is predicted, because the object was not detected in the last
  /// searched frame.
  public let isPredicted: Bool
  private let geometry: ImageGeometry

  /// Creates an object.
  ///
  /// - Parameter box: The box in pixels of the upright image, inside it.
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

  /// Returns the size of the image that the box refers to, stored or upright.
  @_spi(Facades)
  public func imageSize(upright: Bool) -> (width: Double, height: Double) {
    upright
      ? (geometry.uprightWidth, geometry.uprightHeight) : (Double(geometry.width), Double(geometry.height))
  }

  /// Returns whether this object precedes `other` in a result: by prominence, then by ID.
  func precedes(_ other: TrackedObject) -> Bool {
    prominence > other.prominence || prominence == other.prominence && (trackingID ?? 0) < (other.trackingID ?? 0)
  }
}
