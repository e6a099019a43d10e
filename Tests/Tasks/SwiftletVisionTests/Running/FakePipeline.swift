import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletTestSupport

@testable @_spi(Facades) import SwiftletVision

/// A pipeline whose work is a closure, and whose output contains its inputs.
final class FakePipeline: TaskPipeline {
  struct Output: Sendable, Equatable {
    var width: Int
    var region: NormalizedRect?
    /// The timestamps of the frames so far; empty for a still image.
    var times: [Int] = []
    /// A token that lives as long as the output.
    var token: Token?

    static func == (one: Output, other: Output) -> Bool {
      one.width == other.width && one.region == other.region && one.times == other.times
    }
  }

  /// The timestamps of the frames so far, in milliseconds.
  struct Memory: FrameMemory {
    var times: [Int] = []

    mutating func assign(_ other: Memory) { times.assign(other.times) }
  }

  /// An object that calls a closure when it is released.
  final class Token: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  /// The work on an image; the timestamp is `nil` for a still image.
  typealias Work = @Sendable (InputImage, _ milliseconds: Int?) throws -> Token?

  private let work: Work
  private let own: Token?
  /// Deliberately unsynchronized: the thread sanitizer and the depth reveal whether two threads are inside at once.
  private var depth = 0

  /// - Parameter own: A token that is released with the pipeline.
  init(own: Token? = nil, _ work: @escaping Work) {
    self.own = own
    self.work = work
  }

  func makeMemory() -> Memory { Memory() }

  func process(_ input: VisionInput) throws -> Output {
    Output(width: input.image.width, region: input.region, token: try run(input.image, nil))
  }

  func process(_ input: VisionInput, at time: Duration, _ memory: inout Memory) throws -> Output {
    // Recorded before the work, so that a failed frame has changed its memory.
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

/// An error that isn't a `TaskError`.
struct Fault: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A task with a fake pipeline.
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

/// A gate for threads, which must be opened for each pass. Waiting gives up after a minute, so that a failure doesn't
/// hang the test.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Returns whether it was opened in time.
  @discardableResult
  func pass(seconds: Int = 60) -> Bool { semaphore.wait(timeout: .now() + .seconds(seconds)) == .success }

  /// The variant of `pass` for tests that are Swift tasks, which doesn't block one of their few threads.
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

/// Returns an image of `width` × 1 pixels.
func makeImage(width: Int = 1, orientation: ImageOrientation = .up) throws -> InputImage {
  try InputImage(rgb: [UInt8](repeating: 7, count: width * 3), width: width, height: 1, orientation: orientation)
}

/// Returns the error of `body`.
func failure<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

extension Duration {
  /// The number of full milliseconds, for times that a test has chosen.
  var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}

extension Embedding.Values {
  /// The elements of a float vector.
  var floats: [Float]? { if case .float(let numbers) = self { numbers } else { nil } }
  /// The elements of a quantized vector.
  var bytes: [Int8]? { if case .int8(let numbers) = self { numbers } else { nil } }
}
