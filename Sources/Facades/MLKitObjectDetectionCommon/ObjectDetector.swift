import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// Finds objects in images, follows them through a stream, and names them.
///
/// - Thread safety: callable concurrently; calls on one detector are answered one after the other, in the order in
///   which they come. Detectors are independent of each other, but never give the same tracking ID.
open class ObjectDetector: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; this one has constants only, all of them Sendable.

  private let product: Once<DetectorRecipe.Product>
  private let pictures: ImageQueue

  private init(_ options: CommonObjectDetectorOptions) {
    let recipe = DetectorRecipe(options)
    product = Once { () throws(MLKitError) in try recipe.make() }
    pictures = ImageQueue(
      of: "objectdetector", completionQueue: options.completionQueue, refusesMainThread: options.strictMainThreadCheck)
    super.init()
    if options.detectorMode == .stream { DeveloperWarnings.countStreamDetector() }
  }

  /// A detector with these options; changing them later changes nothing.
  ///
  /// What is wrong with a model or an option is the error of the first image, and of every later one.
  /// ``make(options:)`` throws it at once.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector { ObjectDetector(options) }

  /// A detector with these options, whose models are there and can be used: an addition to ML Kit's interface.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the models.
  public class func make(options: CommonObjectDetectorOptions) throws -> ObjectDetector {
    let detector = ObjectDetector(options)
    _ = try detector.product.product()
    return detector
  }

  // MARK: Images

  /// Finds the objects in an image. Returns at once; may be called on any thread.
  ///
  /// The image's pixels are read on the detector's own queue when its turn has come. Until then its buffer is held and
  /// must not be written to.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - completion: gets the objects, the most prominent first, or an `MLKitError`, on the options' completion queue:
  ///     the main one, unless another was named. An empty list is no error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
    pictures.later(image, completion: completion) { [self] request throws(MLKitError) in try objects(request) }
  }

  /// The objects in an image, the most prominent first, without blocking the thread. Its pixels are read on
  /// the detector's own queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` when cancelled before the image's turn has come.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
    try await pictures.value(image) { [self] request throws(MLKitError) in try objects(request) }
  }

  /// The objects in an image, the most prominent first; blocks until they are known.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, where the options' `strictMainThreadCheck` is set.
  open func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try pictures.now(image) { request throws(MLKitError) in try objects(request) }
  }

  // MARK: Additions to ML Kit's interface

  /// Forgets all objects of the stream, so that they get new IDs.
  public func reset() {
    pictures.exclusively { product.made?.stream?.reset() }
  }

  /// The names of the classifier's classes, by index; empty where objects have no labels.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the models.
  public var labels: [String] {
    get throws { try product.product().tracker.labels }
  }

  /// The model that finds objects for all detectors of the process whose options name none. Detectors that were used
  /// already keep theirs.
  ///
  /// Without one they use the bundled one (`EmbeddedModel.objectDetector` of `SwiftletModels`), which was trained on
  /// synthetic images and is not meant for photographs. `DefaultLocalizer.model` takes the bytes of a model as well; for
  /// such a model, which has no file, this is `nil`.
  public static var defaultLocalizerModel: LocalModel? {
    get { DefaultLocalizer.model?.model.path.map { LocalModel(path: $0) } }
    set { DefaultLocalizer.model = newValue.map { BaseOptions(model: .file($0.path)) } }
  }

  /// Called with warnings for developers, each once: that a detector is made for every frame, and that no localizer is
  /// set. Writes them to the standard error output unless another one is set; `nil` for no warnings.
  public static var warningHandler: (@Sendable (String) -> Void)? {
    get { DeveloperWarnings.handler }
    set { DeveloperWarnings.handler = newValue }
  }

  // MARK: Work

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
