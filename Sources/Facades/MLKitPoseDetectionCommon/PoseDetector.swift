import SwiftletBase
import SwiftletVision

/// Detects the pose of the most prominent person in images, and tracks it through a stream.
///
/// - Thread safety: callable concurrently; calls on one detector are processed one by one, in order.
open class PoseDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  private let product: Once<PoseRecipe.Product>
  private let queue: ImageQueue

  private init(_ options: CommonPoseDetectorOptions) {
    let recipe = PoseRecipe(options)
    product = Once { () throws(MLKitError) in try recipe.make() }
    queue = ImageQueue(of: "posedetector", options)
  }

  /// Returns a detector with the given options. Later changes to the options have no effect.
  ///
  /// A problem with a model or an option is reported as the error of the first image, and of every later one.
  /// ``make(options:)`` throws it immediately.
  public class func poseDetector(options: CommonPoseDetectorOptions) -> PoseDetector { PoseDetector(options) }

  /// Returns a detector with the given options, after checking that its model exists and is valid. This is an addition
  /// to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the model.
  public class func make(options: CommonPoseDetectorOptions) throws -> PoseDetector {
    let detector = PoseDetector(options)
    _ = try detector.product.product()
    return detector
  }

  // MARK: Models

  private static let models = Mutex((fast: LocalModel?.none, accurate: LocalModel?.none))

  /// The model of all detectors in the process whose ``PoseDetectorOptions`` specify none. A change doesn't affect
  /// detectors that were created before. This is an addition to ML Kit's API.
  public static var defaultModel: LocalModel? {
    get { models.withLock { $0.fast } }
    set { models.withLock { $0.fast = newValue } }
  }

  /// The model of all detectors in the process whose ``AccuratePoseDetectorOptions`` specify none. This is an addition
  /// to ML Kit's API.
  public static var defaultAccurateModel: LocalModel? {
    get { models.withLock { $0.accurate } }
    set { models.withLock { $0.accurate = newValue } }
  }

  // MARK: Images

  /// Detects the pose in an image. Returns immediately; may be called on any thread.
  ///
  /// The image's pixels are read on the detector's own queue when it is processed. Until then, its buffer is retained
  /// and must not be written to.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - completion: Receives at most one pose, or an `MLKitError`, on the completion queue in the options, which is
  ///     the main queue by default. An empty list is not an error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping PoseDetectionCallback) {
    queue.later(image, completion: completion) { [self] request throws(MLKitError) in try poses(request) }
  }

  /// Returns the pose in an image, without blocking the thread. The pixels are read on the detector's own queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [Pose] {
    try await queue.value(image) { [self] request throws(MLKitError) in try poses(request) }
  }

  /// Returns the pose in an image; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if `strictMainThreadCheck` is set in the options.
  open func results(in image: any MLKitCompatibleImage) throws -> [Pose] {
    try queue.now(image) { request throws(MLKitError) in try poses(request) }
  }

  private func poses(_ request: ImageQueue.Request) throws(MLKitError) -> [Pose] {
    let product = try product.product()
    let image = try request.image()
    let poses = try reportingMLKitErrors { () throws(TaskError) in
      guard let stream = product.stream else { return try product.landmarker.poses(in: image) }
      return try stream.output(for: image, at: request.time)
    }
    return poses.map { Pose($0, in: image) }
  }
}

/// A closure that receives the poses in an image, or an error. An empty list is not an error: nobody was detected.
public typealias PoseDetectionCallback = ([Pose]?, (any Error)?) -> Void
