import SwiftletBase
package import SwiftletEngine

/// The time that the phases of a call take, for displays of latency.
///
/// The thread that works on a call carries the object. Without one, a phase costs one atomic load.
///
/// - Thread safety: callable concurrently.
package final class PhaseTimes: Sendable {
  package enum Phase: Sendable { case conversion, inference }

  @TaskLocal private static var carried: PhaseTimes?
  /// The number of objects that are carried now, so that the task-local lookup is skipped if there are none.
  private static let uses = Atomic<Int>(0)

  private let times = Mutex((conversion: Duration.zero, inference: Duration.zero))
  private let modelRuns = Mutex<[ModelRun]>([])

  /// A run of a model, with the multiply-adds of its operators.
  package struct ModelRun: Sendable {
    package let model: Model
    package let multiplyAdds: Int
  }

  /// The time of the conversion of inputs, and of model runs, so far.
  package var values: (conversion: Duration, inference: Duration) { times.withLock { $0 } }

  /// The model runs so far.
  package var runs: [ModelRun] { modelRuns.withLock { $0 } }

  package init() {}

  /// Runs `body`, and measures the phases of its calls on this thread.
  package func carry<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.uses.add(1, ordering: .relaxed)
    defer { Self.uses.subtract(1, ordering: .relaxed) }
    return try Self.$carried.withValue(self, operation: body)
  }

  /// Returns the start of a phase, or `nil` if it isn't measured.
  package static func start() -> ContinuousClock.Instant? {
    uses.load(ordering: .relaxed) > 0 ? .now : nil
  }

  /// Adds a run of a model that began at `start`.
  package static func endRun(of model: Model, _ compiled: CompiledModel, since start: ContinuousClock.Instant?) {
    guard let start, let carried else { return }
    end(.inference, since: start)
    carried.modelRuns.withLock { $0.append(ModelRun(model: model, multiplyAdds: compiled.multiplyAdds)) }
  }

  /// Adds the time since the start of a phase.
  package static func end(_ phase: Phase, since start: ContinuousClock.Instant?) {
    guard let start, let carried else { return }
    let time = start.duration(to: .now)
    carried.times.withLock { times in
      switch phase {
      case .conversion: times.conversion += time
      case .inference: times.inference += time
      }
    }
  }
}
