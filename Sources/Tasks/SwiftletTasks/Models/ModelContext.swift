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

  /// Where the model comes from.
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
