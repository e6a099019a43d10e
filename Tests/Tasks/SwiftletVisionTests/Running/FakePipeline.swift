import Foundation
import SwiftletImage
import SwiftletTestSupport

@testable import SwiftletVision

/// A pipeline whose work is a closure, and which says what it was given.
final class FakePipeline: VisionPipeline {
  struct Output: Sendable, Equatable {
    var width: Int
    var regionOfInterest: NormalizedRect?
    var timestamp: Duration
    /// Lives as long as the result is held by anyone.
    var token: Token?

    static func == (one: Output, other: Output) -> Bool {
      one.width == other.width && one.regionOfInterest == other.regionOfInterest
        && one.timestamp == other.timestamp
    }
  }

  /// Tells when it goes.
  final class Token: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  typealias Work = @Sendable (MPImage, _ milliseconds: Int) throws -> Token?

  private let work: Work
  private let own: Token?
  /// Deliberately unprotected: the thread sanitizer, and the count of steps, show if two threads are in here at once.
  private var depth = 0

  /// - Parameter own: goes when the pipeline goes.
  init(own: Token? = nil, _ work: @escaping Work) {
    self.own = own
    self.work = work
  }

  func process(_ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration) throws -> Output {
    depth += 1
    defer { depth -= 1 }
    guard depth == 1 else { throw Fault("\(depth) threads are in the pipeline") }
    let token = try work(image, timestamp.milliseconds)
    return Output(
      width: image.width, regionOfInterest: regionOfInterest, timestamp: timestamp,
      token: token)
  }
}

/// An error that is no `TaskError`.
struct Fault: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

typealias FakeRunner = VisionTaskRunner<FakePipeline.Output>

extension VisionTaskRunner where Output == FakePipeline.Output {
  static func make(
    _ mode: RunningMode, own: FakePipeline.Token? = nil,
    _ work: @escaping FakePipeline.Work = { _, _ in nil }
  ) throws -> FakeRunner {
    try FakeRunner(runningMode: mode, taskName: "fake") { FakePipeline(own: own, work) }
  }
}

/// Where threads meet: opened as often as it is passed. Waiting gives up after a minute, so that a failure is no hang.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Whether it was opened in time.
  @discardableResult
  func pass(seconds: Int = 60) -> Bool { semaphore.wait(timeout: .now() + .seconds(seconds)) == .success }

  /// As `pass`, for tests that are Swift tasks: leaves their few threads to others.
  @discardableResult
  func passAsync() async throws -> Bool {
    for _ in 0..<60_000 {
      if pass(seconds: 0) { return true }
      try await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}

/// Collects what several threads say.
final class Record<Value: Sendable>: Sendable {
  private let stored = Serialized<[Value]>([])

  func append(_ value: Value) { stored.withLock { $0.append(value) } }
  var values: [Value] { stored.withLock { $0 } }
}

/// A picture of `width` × 1 pixels.
func picture(width: Int = 1, orientation: ImageOrientation = .up) throws -> MPImage {
  try MPImage(rgb: [UInt8](repeating: 7, count: width * 3), width: width, height: 1, orientation: orientation)
}

/// The error `body` throws.
func failure<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

extension Duration {
  /// The whole milliseconds; for times that a test has chosen.
  var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
