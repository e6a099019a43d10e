import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletTestSupport

@testable @_spi(Facades) import SwiftletVision

/// A pipeline whose work is a closure, and whose output has what it was given.
final class FakePipeline: TaskPipeline {
  struct Output: Sendable, Equatable {
    var width: Int
    var region: NormalizedRect?
    /// The times of the frames so far; empty for a still image.
    var times: [Int] = []
    /// Lives as long as the output is held.
    var token: Token?

    static func == (one: Output, other: Output) -> Bool {
      one.width == other.width && one.region == other.region && one.times == other.times
    }
  }

  /// The times of the frames so far, in milliseconds.
  struct Memory: FrameMemory {
    var times: [Int] = []

    mutating func assign(_ other: Memory) { times.assign(other.times) }
  }

  /// Calls a closure when it is released.
  final class Token: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  /// The work on an image; `nil` for the time of a still image.
  typealias Work = @Sendable (InputImage, _ milliseconds: Int?) throws -> Token?

  private let work: Work
  private let own: Token?
  /// Deliberately unprotected: the thread sanitizer, and the depth, show whether two threads are in here at once.
  private var depth = 0

  /// - Parameter own: Is released with the pipeline.
  init(own: Token? = nil, _ work: @escaping Work) {
    self.own = own
    self.work = work
  }

  func makeMemory() -> Memory { Memory() }

  func process(_ input: VisionInput) throws -> Output {
    Output(width: input.image.width, region: input.region, token: try run(input.image, nil))
  }

  func process(_ input: VisionInput, at time: Duration, _ memory: inout Memory) throws -> Output {
    // Before the work, so that a frame that fails has changed its memory.
    memory.times.append(time.milliseconds)
    return Output(
      width: input.image.width, region: input.region, times: memory.times,
      token: try run(input.image, time.milliseconds))
  }

  private func run(_ image: InputImage, _ milliseconds: Int?) throws -> Token? {
    depth += 1
    defer { depth -= 1 }
    guard depth == 1 else { throw Fault("\(depth) threads are in the pipeline") }
    return try work(image, milliseconds)
  }
}

/// An error that is no `TaskError`.
struct Fault: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A task whose pipeline is fake.
final class FakeTask: VisionTask {
  typealias Output = FakePipeline.Output

  let runner: TaskRunner<FakePipeline>

  init(
    own: FakePipeline.Token? = nil, concurrency: Int = 1, _ work: @escaping FakePipeline.Work = { _, _ in nil }
  ) throws {
    let base = BaseOptions(model: .bytes([]), maxConcurrentCalls: concurrency)
    runner = try TaskRunner(base, name: "fake") { _ in FakePipeline(own: own, work) }
  }

  func output(for image: InputImage, region: NormalizedRect? = nil) throws(TaskError) -> Output {
    try runner.output(for: VisionInput(image, region: region))
  }

  func video() -> VideoSession<FakeTask> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == FakeTask {
  func send(_ image: InputImage, _ milliseconds: Int) throws(TaskError) -> FakePipeline.Output {
    try output(for: image, at: .milliseconds(milliseconds))
  }
}

/// Where threads meet: opened as often as it is passed. Waiting gives up after a minute, so that a failure does not hang.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Returns whether it was opened in time.
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

/// Collects the values of several threads.
final class Record<Value: Sendable>: Sendable {
  private let stored = Mutex<[Value]>([])

  func append(_ value: Value) { stored.withLock { $0.append(value) } }
  var values: [Value] { stored.withLock { $0 } }
}

/// An image of `width` × 1 pixels.
func picture(width: Int = 1, orientation: ImageOrientation = .up) throws -> InputImage {
  try InputImage(rgb: [UInt8](repeating: 7, count: width * 3), width: width, height: 1, orientation: orientation)
}

/// The error `body` throws.
func failure<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

extension Duration {
  /// The whole milliseconds; for times that a test has chosen.
  var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}

extension Embedding.Values {
  /// The numbers of a vector that is not quantized.
  var floats: [Float]? { if case .float(let numbers) = self { numbers } else { nil } }
  /// The numbers of a vector that is.
  var bytes: [Int8]? { if case .int8(let numbers) = self { numbers } else { nil } }
}
