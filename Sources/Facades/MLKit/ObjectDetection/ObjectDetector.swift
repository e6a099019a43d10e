public import Foundation
public import SwiftletModelStore
import SwiftletTracking
import SwiftletVision

/// Finds objects in pictures, follows them through a stream, and names them.
///
/// - Thread safety: callable concurrently; calls on one detector are answered one after the other, in the order in
///   which they come. Detectors are independent of each other, but never give the same tracking ID.
public final class ObjectDetector: NSObject, Sendable {
  private enum State: Sendable {
    case untried
    case ready(DetectorRecipe.Product)
    case failed(ObjectDetectionError)
  }

  private let recipe: DetectorRecipe
  private let state = Serialized(State.untried)
  private let queue = DispatchQueue(label: "com.swiftlet.objectdetector." + UUID().uuidString, qos: .userInitiated)
  private let completionQueue: DispatchQueue
  private let refusesMainThread: Bool
  private let start = ContinuousClock.now

  private init(_ options: CommonObjectDetectorOptions) {
    recipe = DetectorRecipe(options)
    completionQueue = options.completionQueue
    refusesMainThread = options.strictMainThreadCheck
    super.init()
    if options.detectorMode == .stream { StreamDetectorCensus.count() }
  }

  /// A detector with these options; changing them later changes nothing.
  ///
  /// What is wrong with a model or an option is the error of the first picture, and of every later one.
  /// ``make(options:)`` throws it at once.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector { ObjectDetector(options) }

  /// A detector with these options, whose models are there and can be used: an addition to ML Kit's interface.
  ///
  /// - Throws: `ObjectDetectionError` that says what is wrong with the options or the models.
  public class func make(options: CommonObjectDetectorOptions) throws -> ObjectDetector {
    let detector = ObjectDetector(options)
    _ = try detector.tracker()
    return detector
  }

  // MARK: Pictures

  /// Finds the objects in a picture. Returns at once; may be called on any thread.
  ///
  /// - Parameter completion: gets the objects, the most prominent first, or an `ObjectDetectionError`, on the options'
  ///   completion queue: the main one, unless another was named. An empty list is no error.
  public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
    // Pixels are read here, as their owner may use them again.
    let request = Result { () throws(ObjectDetectionError) in try Request(image, now: now) }
    // A caller's closure need not be Sendable: it is handed over here and called once, on the queue that the options
    // name.
    nonisolated(unsafe) let completion = completion
    queue.async { [self] in
      let outcome = request.flatMap { request in
        Result { () throws(ObjectDetectionError) in try objects(request) }
      }
      completionQueue.async {
        switch outcome {
        case .success(let objects): completion(objects, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  /// The objects in a picture, the most prominent first; blocks until they are known.
  ///
  /// - Throws: `ObjectDetectionError`; `calledOnMainThread` on the main thread, where the options'
  ///   `strictMainThreadCheck` is set.
  public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    guard !refusesMainThread || !MainThread.isCurrent else { throw ObjectDetectionError.calledOnMainThread }
    let request = try Request(image, now: now)
    return try queue.sync { try objects(request) }
  }

  /// The objects in a picture, the most prominent first, without blocking the thread: an addition to ML Kit's
  /// interface.
  ///
  /// - Parameter isolation: the caller's, where the picture is read.
  /// - Throws: `ObjectDetectionError`, and `CancellationError` when cancelled before the picture's turn has come.
  public func results(
    in image: any MLKitCompatibleImage, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Object] {
    let request = try Request(image, now: now)
    return try await queue.value { try self.objects(request) }
  }

  // MARK: Additions to ML Kit's interface

  /// Forgets all objects of the stream, so that they get new IDs.
  public func reset() {
    queue.sync {
      if case .ready(let product) = state.withLock({ $0 }) { product.tracker.reset() }
    }
  }

  /// The names of the classifier's classes, by index; empty where objects have no labels.
  ///
  /// - Throws: `ObjectDetectionError` that says what is wrong with the options or the models.
  public var labels: [String] {
    get throws { try tracker().labels }
  }

  /// The model that finds objects for all detectors of the process whose options name none. Detectors that were used
  /// already keep theirs.
  ///
  /// Without one detectors give `ObjectDetectionError.missingLocalizerModel`; `DefaultLocalizer.model` takes the bytes
  /// of a model as well, such as those of the package's own (`EmbeddedModel.objectDetector` of `SwiftletModels`). `nil`
  /// also for such a model, which has no file.
  public static var defaultLocalizerModel: LocalModel? {
    get { DefaultLocalizer.model?.model.path.map { LocalModel(path: $0) } }
    set { DefaultLocalizer.model = newValue.map { BaseOptions(model: .file($0.path)) } }
  }

  /// Called with warnings for developers, such as that a detector is made for every frame; `nil` for no warnings.
  public static var warningHandler: (@Sendable (String) -> Void)? {
    get { StreamDetectorCensus.warningHandler }
    set { StreamDetectorCensus.warningHandler = newValue }
  }

  // MARK: Work

  /// A picture that has been copied from the caller's memory.
  private struct Request: Sendable {
    var image: MPImage
    var time: Duration

    init(_ image: any MLKitCompatibleImage, now: Duration) throws(ObjectDetectionError) {
      guard let source = image as? any PixelSource else {
        throw .invalidImage("it is of class \(type(of: image)), which has no pixels; give a VisionImage")
      }
      self.image = try source.picture()
      time = source.time ?? now
    }
  }

  private var now: Duration { start.duration(to: .now) }

  private func objects(_ request: Request) throws(ObjectDetectionError) -> [Object] {
    let tracker = try tracker()
    return try reportingDetectionErrors { () throws(ObjectTrackerError) in
      try tracker.objects(in: request.image, at: request.time)
    }
  }

  /// The tracker, made at the first call; a failure is final.
  private func tracker() throws(ObjectDetectionError) -> ObjectTracker {
    let state = state.withLock { state in
      if case .untried = state {
        do throws(ObjectDetectionError) {
          state = .ready(try recipe.make())
        } catch {
          state = .failed(error)
        }
      }
      return state
    }
    switch state {
    case .ready(let product): return product.tracker
    case .failed(let error): throw error
    case .untried: throw ObjectDetectionError(.internalError, "the detector was not made")
    }
  }
}
