/// How objects are found, followed and named.
public struct ObjectTrackerOptions: Sendable, Hashable {
  /// The most objects that can be asked for.
  public static let maxObjectCountRange = 1...100

  /// The model that finds objects; `nil` for ``DefaultLocalizer``.
  public var localizer: ObjectLocalizerOptions?
  /// The model that names them; `nil` for objects without labels.
  public var classifier: ObjectClassifierOptions?
  /// How pictures come to the tracker.
  public var mode: ObjectTrackerMode
  /// Whether several objects are reported, and not only the most prominent one.
  public var allowsMultipleObjects: Bool
  /// The most objects reported when several are, 1…100. Each costs a run of the classifier, in a stream about one in half a second.
  public var maxObjectCount: Int
  /// When a stream's frames are searched.
  public var streamPolicy: StreamPolicy
  /// How a stream's objects are followed. How many are reported is `maxObjectCount`'s to say.
  public var tracking: TrackingOptions

  public init(
    localizer: ObjectLocalizerOptions? = nil, classifier: ObjectClassifierOptions? = nil, mode: ObjectTrackerMode = .stream,
    allowsMultipleObjects: Bool = false, maxObjectCount: Int = 5, streamPolicy: StreamPolicy = .synchronous(every: 1),
    tracking: TrackingOptions = .init()
  ) {
    self.localizer = localizer
    self.classifier = classifier
    self.mode = mode
    self.allowsMultipleObjects = allowsMultipleObjects
    self.maxObjectCount = maxObjectCount
    self.streamPolicy = streamPolicy
    self.tracking = tracking
  }

  func validate() throws(ObjectDetectionError) {
    guard Self.maxObjectCountRange.contains(maxObjectCount) else {
      throw .invalidOptions(reason: "maxObjectCount must be from 1 to 100, got \(maxObjectCount)")
    }
    try localizer?.validate()
    try streamPolicy.validate()
    do {
      try boxTracking.validate()
    } catch {
      throw .invalidOptions(reason: error.message)
    }
  }

  /// The most objects that a picture's result has.
  var objectLimit: Int { allowsMultipleObjects ? maxObjectCount : 1 }

  /// The tracker's options with room for the objects asked for. Where one is reported, it is chosen here among all.
  var boxTracking: TrackingOptions {
    var options = tracking
    options.maxTracks = max(options.maxTracks, 2 * objectLimit)
    options.maxReportedTracks = allowsMultipleObjects ? maxObjectCount : options.maxTracks
    return options
  }
}
