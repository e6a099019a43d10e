import SwiftletEngine

/// The models that several pipelines of one task run from: read, verified and compiled once.
///
/// - Thread safety: callable concurrently.
package final class ModelSharing: Sendable {
  private struct Key: Hashable {
    var source: ModelSource
    var options: RuntimeOptions
    var unreadOutputs: Set<Int>
  }

  /// What is loaded on this thread is looked up here first.
  @TaskLocal static var current: ModelSharing?

  private let models = Serialized<[ModelSource: Model]>([:])
  private let compiled = Serialized<[Key: CompiledModel]>([:])

  package init() {}

  /// Runs `body`, in which models are loaded that were not loaded before, and others are shared.
  func scope<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$current.withValue(self, operation: body)
  }

  /// Whether a run of one of the models leaves something for the next one.
  var keepsState: Bool { compiled.withLock { $0.values.contains { $0.keepsState } } }

  func model(_ source: ModelSource, load: () throws(TaskError) -> Model) throws(TaskError) -> Model {
    if let model = models.withLock({ $0[source] }) { return model }
    let model = try load()
    models.withLock { $0[source] = model }
    return model
  }

  func compiled(
    _ source: ModelSource, _ options: RuntimeOptions, _ unreadOutputs: Set<Int>, compile: () throws -> CompiledModel
  ) throws -> CompiledModel {
    let key = Key(source: source, options: options, unreadOutputs: unreadOutputs)
    if let model = compiled.withLock({ $0[key] }) { return model }
    let model = try compile()
    compiled.withLock { $0[key] = model }
    return model
  }
}
