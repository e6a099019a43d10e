import SwiftletBase
import SwiftletImage
import SwiftletTasks
import SwiftletVision

/// Detects faces in images, with their landmarks, contours, rotation, and expression, and tracks them through a stream.
///
/// - Thread safety: callable concurrently; calls on one detector are processed one by one, in order. Detectors are
///   independent of each other, but never assign the same tracking ID.
open class FaceDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  private let product: Once<FaceRecipe.Product>
  private let parts: FaceParts
  private let queue: ImageQueue

  private init(_ options: FaceDetectorOptions) {
    let recipe = FaceRecipe(options)
    parts = recipe.parts
    product = Once { () throws(MLKitError) in try recipe.make() }
    queue = ImageQueue(of: "facedetector", options)
  }

  /// Returns a detector with the default options.
  public class func faceDetector() -> FaceDetector { FaceDetector(FaceDetectorOptions()) }

  /// Returns a detector with the given options. Later changes to the options have no effect.
  ///
  /// A problem with a model or an option is reported as the error of the first image, and of every later one.
  /// ``make(options:)`` throws it immediately.
  public class func faceDetector(options: FaceDetectorOptions) -> FaceDetector { FaceDetector(options) }

  /// Returns a detector with the given options, after checking that its model exists and is valid. This is an addition
  /// to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the model.
  public class func make(options: FaceDetectorOptions) throws -> FaceDetector {
    let detector = FaceDetector(options)
    _ = try detector.product.product()
    return detector
  }

  private static let model = Mutex(LocalModel?.none)

  /// The model of all detectors in the process whose options specify none: MediaPipe's published bundle
  /// `face-landmarker`. ML Kit contains a model; here, the app provides one. A change doesn't affect detectors that were
  /// created before. This is an addition to ML Kit's API.
  public static var defaultModel: LocalModel? {
    get { model.withLock { $0 } }
    set { model.withLock { $0 = newValue } }
  }

  // MARK: Images

  /// Detects the faces in an image. Returns immediately; may be called on any thread.
  ///
  /// The image's pixels are read on the detector's own queue when it is processed. Until then, its buffer is retained
  /// and must not be written to.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - completion: Receives the faces, the largest first, or an `MLKitError`, on the completion queue in the options,
  ///     which is the main queue by default. An empty list is not an error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping FaceDetectionCallback) {
    queue.later(image, completion: completion) { [self] request throws(MLKitError) in try faces(request) }
  }

  /// Returns the faces in an image, the largest first, without blocking the thread. The pixels are read on the
  /// detector's own queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [Face] {
    try await queue.value(image) { [self] request throws(MLKitError) in try faces(request) }
  }

  /// Returns the faces in an image, the largest first; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if `strictMainThreadCheck` is set in the options.
  open func results(in image: any MLKitCompatibleImage) throws -> [Face] {
    try queue.now(image) { request throws(MLKitError) in try faces(request) }
  }

  private func faces(_ request: ImageQueue.Request) throws(MLKitError) -> [Face] {
    let product = try product.product()
    let image = try request.image()
    let found = try reportingMLKitErrors { () throws(TaskError) in
      guard let stream = product.stream else { return try product.landmarker.faces(in: image).map { ($0, Int?.none) } }
      return try stream.faces(in: image, at: request.time)
    }
    return found.compactMap { face, id in Face(face, id: id, in: image, parts) }
      .sorted { $0.frame.width * $0.frame.height > $1.frame.width * $1.frame.height }
  }
}

/// A closure that receives the faces in an image, or an error. An empty list is not an error: no face was detected.
public typealias FaceDetectionCallback = ([Face]?, (any Error)?) -> Void
