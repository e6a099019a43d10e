import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// Detects objects in images, tracks them through a stream, and classifies them.
///
/// - Thread safety: callable concurrently; calls on one detector are processed one by one, in order. Detectors are
///   independent of each other, but never assign the same tracking ID.
open class ObjectDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  private let product: Once<DetectorRecipe.Product>
  private let queue: ImageQueue

  private init(_ options: CommonObjectDetectorOptions) {
    let recipe = DetectorRecipe(options)
    product = Once { () throws(MLKitError) in try recipe.make() }
    queue = ImageQueue(of: "objectdetector", options)
    super.init()
    if options.detectorMode == .stream { DeveloperWarnings.countStreamDetector() }
  }

  /// Returns a detector with the given options. Later changes to the options have no effect.
  ///
  /// A problem with a model or an option is reported as the error of the first image, and of every later one.
  /// ``make(options:)`` throws it immediately.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector { ObjectDetector(options) }

  /// Returns a detector with the given options, after checking that its models exist and are valid. This is an addition
  /// to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the models.
  public class func make(options: CommonObjectDetectorOptions) throws -> ObjectDetector {
    let detector = ObjectDetector(options)
    _ = try detector.product.product()
    return detector
  }

  // MARK: Images

  /// Detects the objects in an image. Returns immediately; may be called on any thread.
  ///
  /// The image's pixels are read on the detector's own queue when it is processed. Until then, its buffer is retained
  /// and must not be written to.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - completion: Receives the objects, the most prominent first, or an `MLKitError`, on the completion queue in the
  ///     options, which is the main queue by default. An empty list is not an error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
    queue.later(image, completion: completion) { [self] request throws(MLKitError) in try objects(request) }
  }

  /// Returns the objects in an image, the most prominent first, without blocking the thread. The pixels are read on the
  /// detector's own queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
    try await queue.value(image) { [self] request throws(MLKitError) in try objects(request) }
  }

  /// Returns the objects in an image, the most prominent first; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if `strictMainThreadCheck` is set in the options.
  open func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try queue.now(image) { request throws(MLKitError) in try objects(request) }
  }

  // MARK: Additions to ML Kit's interface

  /// Removes all objects of the stream, so that they get new IDs.
  public func reset() {
    queue.exclusively { product.made?.stream?.reset() }
  }

  /// The class names of the classifier by index; empty if objects have no labels.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the models.
  public var labels: [String] {
    get throws { try product.product().tracker.labels }
  }

  /// The localizer of all detectors in the process whose options specify none. A change doesn't affect detectors that
  /// were used before.
  ///
  /// Without it, detectors use the bundled model (`EmbeddedModel.objectDetector` of `SwiftletModels`), which was
  /// trained on synthetic images and doesn't generalize to photos. `DefaultLocalizer.model` also accepts the bytes of a
  /// model; for such a model, which has no file, this property is `nil`.
  public static var defaultLocalizerModel: LocalModel? {
    get { DefaultLocalizer.model?.model.path.map { LocalModel(path: $0) } }
    set { DefaultLocalizer.model = newValue.map { BaseOptions(model: .file($0.path)) } }
  }

  /// The handler of warnings for developers, each of which is reported once: that a detector is created for every
  /// frame, and that no localizer is set. The default handler writes to standard error; `nil` discards warnings.
  public static var warningHandler: (@Sendable (String) -> Void)? {
    get { DeveloperWarnings.handler }
    set { DeveloperWarnings.handler = newValue }
  }

  // MARK: Processing

  private func objects(_ request: ImageQueue.Request) throws(MLKitError) -> [Object] {
    let product = try product.product()
    let image = try request.image()
    let objects = try reportingMLKitErrors { () throws(TaskError) in
      guard let stream = product.stream else { return try product.tracker.objects(in: image) }
      return try stream.objects(in: image, at: request.time)
    }
    return objects.map { Object($0) }
  }
}
