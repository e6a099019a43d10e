import SwiftletBase
package import SwiftletImage
import SwiftletTasks
@_spi(Facades) import SwiftletVision

/// How detectors and labelers answer: one image after the other in the order in which they come, whoever asks,
/// blocking, with a completion handler, or awaited.
package final class ImageQueue: Sendable {
  /// An image as it was when it was given.
  package struct Request: Sendable {
    fileprivate let snapshot: ImageSnapshot
    /// When it was taken, or when it was given.
    package let time: Duration

    /// The image as tasks take it: reads its pixels, on the thread of this call.
    ///
    /// - Throws: `MLKitError` when it cannot be used.
    package func image() throws(MLKitError) -> InputImage {
      try MLKitError.reportingImageErrors { try snapshot.inputImage() }
    }
  }

  private let queue: DispatchQueue
  private let completionQueue: DispatchQueue
  private let refusesMainThread: Bool
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - name: what works on it.
  ///   - completionQueue: where completion handlers are called.
  ///   - refusesMainThread: whether ``now(_:work:)`` refuses to block the main thread.
  package init(of name: String, completionQueue: DispatchQueue, refusesMainThread: Bool) {
    queue = DispatchQueue(label: "com.swiftlet.\(name)." + UUID().uuidString, qos: .userInitiated)
    self.completionQueue = completionQueue
    self.refusesMainThread = refusesMainThread
  }

  /// Calls `completion` with what `work` makes of the image, or with an `MLKitError`. Returns at once: pixels are
  /// read when the image's turn has come.
  package func later<Answer: Sendable>(
    _ image: any MLKitCompatibleImage, completion: @escaping (Answer?, (any Error)?) -> Void,
    work: @escaping @Sendable (Request) throws(MLKitError) -> Answer
  ) {
    let request = Result { () throws(MLKitError) in try self.request(image) }
    // A caller's closure need not be Sendable: it is handed over here and called once, on the queue that the options
    // name.
    nonisolated(unsafe) let completion = completion
    queue.async { [self] in
      let outcome = request.flatMap { request in
        Result { () throws(MLKitError) in try work(request) }
      }
      completionQueue.async {
        switch outcome {
        case .success(let answer): completion(answer, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  /// What `work` makes of the image; blocks until it is known.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, where that is refused.
  package func now<Answer>(
    _ image: any MLKitCompatibleImage, work: (Request) throws(MLKitError) -> Answer
  ) throws -> Answer {
    guard !refusesMainThread || !MainThread.isCurrent else { throw MLKitError.calledOnMainThread }
    let request = try request(image)
    return try queue.sync { try work(request) }
  }

  /// What `work` makes of the image, without blocking the thread.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` when cancelled before the image's turn has come.
  nonisolated(nonsending) package func value<Answer: Sendable>(
    _ image: any MLKitCompatibleImage,
    work: @escaping @Sendable (Request) throws(MLKitError) -> Answer
  ) async throws -> Answer {
    let request = try request(image)
    return try await CallContext.value(of: { try work(request) }, schedule: { queue.async(execute: $0) })
  }

  /// Waits for its turn between images.
  package func exclusively(_ work: () -> Void) { queue.sync(execute: work) }

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

  /// Whether the caller is on the main thread or, where programs give that up to the main queue, on the main queue.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

  /// Whether calls that block refuse it unless the options say otherwise: on Apple's platforms. Programs elsewhere work
  /// on it.
  package static var isGuarded: Bool {
    #if canImport(Darwin)
      return true
    #else
      return false
    #endif
  }
}

extension MLKitError {
  /// Calls `body`, which makes or reads an image, with its errors as ML Kit's.
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
