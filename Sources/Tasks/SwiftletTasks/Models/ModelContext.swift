import SwiftletBase
package import SwiftletEngine

/// A model that a pipeline is about to load: where it comes from, how it runs, and what the pipelines of the task share.
package struct ModelContext {
  /// The model and how it runs.
  package var options: BaseOptions
  /// The models that the pipelines of the task share; `nil` for a model of its own.
  package let sharing: ModelSharing?
  /// The budget of the pipeline's results.
  package let results: ResultBudget
  /// Whether each run of the model is a call of its own, because it belongs to no pipeline of a pool.
  let runsAreCalls: Bool

  /// Creates the context of a pipeline's model.
  package init(_ options: BaseOptions, sharing: ModelSharing?, results: ResultBudget) {
    (self.options, self.sharing, self.results, runsAreCalls) = (options, sharing, results, false)
  }

  /// Creates the context of a model that belongs to no pipeline.
  package init(_ options: BaseOptions) {
    (self.options, sharing, results, runsAreCalls) = (options, nil, ResultBudget(options.limits), true)
  }

  /// The source of the model.
  package var source: ModelSource { options.model }

  /// Returns the context of a model, or of a bundle, in the bundle that the context names.
  package func member(_ name: String) -> ModelContext {
    var context = self
    context.options.model = source.member(name)
    return context
  }

  /// Returns the model, read and verified. The pipelines of one task get the same model.
  ///
  /// - Throws: `TaskError` if there is no such model, or it cannot be read.
  package func load() throws(TaskError) -> Model {
    guard let sharing else { return try source.load() }
    return try sharing.model(source) { () throws(TaskError) in try source.load() }
  }
}

/// The models that the pipelines of one task run from: read, verified and compiled once if there are several pipelines.
///
/// - Thread safety: callable concurrently.
package final class ModelSharing: Sendable {
  private struct Key: Hashable {
    var source: ModelSource
    var options: RuntimeOptions
    var unusedOutputs: Set<Int>
  }

  private let models = Mutex<[ModelSource: Model]>([:])
  private let compiled = Mutex<[Key: CompiledModel]>([:])
  private let isForSeveral: Bool
  private let stateful = Mutex(false)

  /// - Parameter isForSeveral: Whether another pipeline may need the models again. If not, nothing is kept of them.
  package init(isForSeveral: Bool = true) { self.isForSeveral = isForSeveral }

  /// Whether a run of one of the models leaves something for the next one.
  var keepsState: Bool { stateful.withLock { $0 } }

  func model(_ source: ModelSource, load: () throws(TaskError) -> Model) throws(TaskError) -> Model {
    // Looking a source up hashes its bytes.
    guard isForSeveral else { return try load() }
    if let model = models.withLock({ $0[source] }) { return model }
    let model = try load()
    models.withLock { $0[source] = model }
    return model
  }

  func compiled(
    _ source: ModelSource, _ options: RuntimeOptions, _ unusedOutputs: Set<Int>, compile: () throws -> CompiledModel
  ) throws -> CompiledModel {
    guard isForSeveral else { return noted(try compile()) }
    let key = Key(source: source, options: options, unusedOutputs: unusedOutputs)
    if let model = compiled.withLock({ $0[key] }) { return model }
    let model = noted(try compile())
    compiled.withLock { $0[key] = model }
    return model
  }

  private func noted(_ model: CompiledModel) -> CompiledModel {
    if model.keepsState { stateful.withLock { $0 = true } }
    return model
  }
}
