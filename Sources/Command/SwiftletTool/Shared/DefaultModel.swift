import Swiftlet
import SwiftletCommandLine
import SwiftletModels
import SwiftletVision

extension TaskArguments {
  /// How the model of `--model` is run, or the package's own one where none is named; standard error says so then.
  ///
  /// - Throws: `UsageError` for an empty name, and for what is not a normalisation.
  static func baseOptions(_ arguments: Arguments, default model: EmbeddedModel) throws(UsageError) -> BaseOptions {
    guard let named = arguments.string("model") else { return try ownModel(model, arguments, option: "model") }
    guard !named.isEmpty else { throw UsageError("--model is empty; leave it away for the package's own model") }
    return try baseOptions(ModelArgument.source(named), arguments)
  }

  /// How a model of the package is run.
  ///
  /// - Parameter option: with which another one would have been named.
  static func ownModel(_ model: EmbeddedModel, _ arguments: Arguments, option: String) throws(UsageError) -> BaseOptions
  {
    let options = try baseOptions(.embedded(model), arguments)
    StandardStreams.error(
      "note: without --\(option) the package's own \(model.rawValue) is used, which was trained on drawn pictures and is no judge of photographs\n"
    )
    return options
  }
}

extension BaseOptions {
  /// A model that is run as `runtime` says.
  init(model: ModelSource, _ runtime: RuntimeOptions) {
    self.init(
      model: model, threads: runtime.threads, numerics: runtime.numerics, precision: runtime.precision,
      limits: runtime.limits, timeout: runtime.timeout, isChecked: runtime.isChecked)
  }

  /// What the model is called in errors.
  var modelName: String { model.path ?? "the package's own model" }
}

extension ModelArgument {
  /// - Throws: `ToolError`, as for the name; never for a model of the package.
  static func require(_ base: BaseOptions) throws(ToolError) {
    if let path = base.model.path { try require(path) }
  }
}
