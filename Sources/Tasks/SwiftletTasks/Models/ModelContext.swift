import SwiftletBase
package import SwiftletEngine

/// A model that a pipeline is about to load: its source, its options, and the state that pipelines of the task share.
package struct ModelContext {
  /// The model and its options.
  package var options: BaseOptions
  /// The models that the pipelines of the task share; `nil` for a model that belongs to no pipeline.
  package let sharing: ModelSharing?
  /// The budget of the pipeline's results.
  package let results: ResultBudget
  /// Whether each run of the model is a separate call, because the model belongs to no pipeline of a pool.
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

  /// Returns the context of a member of this bundle: a model or another bundle.
  package func member(_ name: String) -> ModelContext {
    var context = self
    context.options.model = source.member(name)
    return context
  }

  /// Returns the model, read and verified. All pipelines of one task get the same model.
  ///
  /// - Throws: `TaskError` if there is no such model, or it cannot be read.
  package func load() throws(TaskError) -> Model {
    guard let sharing else { return try source.load() }
    return try sharing.model(source) { () throws(TaskError) in try source.load() }
  }
}

/// The models that the pipelines of one task run. If there are several pipelines, each model is read, verified, and
/// compiled once.
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

  /// Creates an empty collection.
  ///
  /// - Parameter isForSeveral: Whether another pipeline may need the models again. If not, no model is kept.
  package init(isForSeveral: Bool = true) { self.isForSeveral = isForSeveral }

  /// Whether one of the models keeps state from one run to the next.
  var keepsState: Bool { stateful.withLock { $0 } }

  func model(_ source: ModelSource, load: () throws(TaskError) -> Model) throws(TaskError) -> Model {
    // A lookup hashes the bytes of the source.
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
