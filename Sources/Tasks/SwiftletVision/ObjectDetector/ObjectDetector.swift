/// Finds objects of the classes a model knows, with a box each.
///
/// Runs models whose boxes are already suppressed in the model (four outputs: boxes, classes, scores, count) and models
/// with raw boxes and scores that describe their anchors in metadata.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class ObjectDetector: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<ObjectDetectorResult>

  /// The names of the classes that the model knows; empty when it names none.
  package let categoryNames: [String]

  /// - Throws: `TaskError` when options contradict each other or the model is not an object detection model.
  public init(options: ObjectDetectorOptions) throws(TaskError) {
    try options.validate()
    var names: [String] = []
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "objectDetector"
    ) {
      try ObjectDetectorPipeline(options)
    } inspect: {
      names = $0.labels?.labels ?? []
    }
    categoryNames = names
  }
}
