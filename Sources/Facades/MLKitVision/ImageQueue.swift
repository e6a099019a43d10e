package import SwiftletImage
import SwiftletTasks
@_spi(Facades) import SwiftletVision

/// The queue of a detector, labeler, or segmenter, which processes images one by one, in order.
package final class ImageQueue: Sendable {
  /// A snapshot of an image at the time of the call.
  package struct Request: Sendable {
    fileprivate let snapshot: ImageSnapshot
    /// The time when the image was taken, or when it was passed to the call.
    package let time: Duration

    /// Returns the image for a task. Its pixels are read on the calling thread.
    ///
    /// - Throws: `MLKitError` if the image cannot be used.
    package func image() throws(MLKitError) -> InputImage {
      try MLKitError.reportingImageErrors { try snapshot.inputImage() }
    }
  }

  private let queue: CallQueue
  private let refusesMainThread: Bool
  private let start = ContinuousClock.now

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - name: The name of the object that processes images.
  ///   - options: The options of that object.
  package init(of name: String, _ options: CommonVisionOptions) {
    queue = CallQueue(of: name, completionQueue: options.completionQueue)
    refusesMainThread = options.strictMainThreadCheck
  }

  /// Calls `completion` with the result of `work` for an image, or with an `MLKitError`. Returns immediately: the
  /// pixels are read when the image is processed.
  package func later<Answer: Sendable>(
    _ image: any MLKitCompatibleImage, completion: @escaping (Answer?, (any Error)?) -> Void,
    work: @escaping @Sendable (Request) throws(MLKitError) -> Answer
  ) {
    let request = Result { () throws(MLKitError) in try self.request(image) }
    queue.later(completion: completion) { () throws(MLKitError) in try work(try request.get()) }
  }

  /// Returns the result of `work` for an image; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if that is not allowed.
  package func now<Answer>(
    _ image: any MLKitCompatibleImage, work: (Request) throws(MLKitError) -> Answer
  ) throws -> Answer {
    guard !refusesMainThread || !MainThread.isCurrent else { throw MLKitError.calledOnMainThread }
    let request = try request(image)
    return try queue.now { try work(request) }
  }

  /// Returns the result of `work` for an image, without blocking the thread.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) package func value<Answer: Sendable>(
    _ image: any MLKitCompatibleImage,
    work: @escaping @Sendable (Request) throws(MLKitError) -> Answer
  ) async throws -> Answer {
    let request = try request(image)
    return try await queue.value { () throws(MLKitError) in try work(request) }
  }

  /// Runs `work` on the queue, between images, and waits for it.
  package func exclusively(_ work: () -> Void) { queue.now(work) }

  private func request(_ image: any MLKitCompatibleImage) throws(MLKitError) -> Request {
    guard let source = image as? any PixelSource else {
      throw .invalidImage("it is of class \(type(of: image)), which has no pixels; give a VisionImage or an MLImage")
    }
    let snapshot = try MLKitError.reportingImageErrors { try source.snapshot() }
    return Request(snapshot: snapshot, time: source.time ?? start.duration(to: .now))
  }
}

/// The thread, or queue, that must not be blocked.
package enum MainThread {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread, or on the main queue if it runs on another thread.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

  /// Whether blocking calls are rejected on the main thread by default: on Apple's platforms only. Programs elsewhere
  /// use the main thread for work.
  package static var isGuarded: Bool {
    #if canImport(Darwin)
      return true
    #else
      return false
    #endif
  }
}

extension MLKitError {
  /// Calls `body`, which creates or reads an image, and converts its errors to ML Kit errors.
  static func reportingImageErrors<Value>(_ body: () throws -> Value) throws(MLKitError) -> Value {
    do {
      return try body()
    } catch let error as ImageError {
      throw .invalidImage(error.message)
    } catch let error as TaskError {
      throw .invalidImage(error.message)
    } catch {
      throw .invalidImage("\(error)")
    }
  }
}
