import CSwiftletToolModels
import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletModels
import SwiftletModelStore
import SwiftletVision

/// A model on the command line: a file, or the name of a published model that was fetched.
enum ModelArgument {
  /// The file of a model. What is neither a file nor the name of a fetched model stays as it is, and cannot be opened
  /// then.
  static func path(_ text: String) -> String {
    guard !FileManager.default.fileExists(atPath: text), let model = ModelCatalog.model(named: text) else {
      return text
    }
    return (try? FetchedModels.store().installedModel(model.remoteModel).path) ?? text
  }

  /// The model, as tasks take it.
  static func source(_ text: String) -> ModelSource { .file(path(text)) }

  /// - Throws: `ToolError` when there is neither such a file nor such a fetched model: it says how to fetch it, or
  ///   which one was probably meant.
  static func require(_ text: String) throws(ToolError) {
    guard MissingFile.isMissing(text) else { return }
    throw ToolError(file: text, reason: reasonForMissing(text))
  }

  /// What to say of a model that is no file.
  static func reasonForMissing(_ text: String) -> String {
    if ModelCatalog.model(named: text) != nil {
      return "is a published model that is not downloaded; 'swiftlet models fetch \(text.excerpt)' downloads it"
    }
    let file = MissingFile.hint(for: text)
    let isPath = text.contains("/") || text.hasSuffix(".tflite") || text.hasSuffix(".task")
    let published =
      isPath ? nil : Suggestion.nearest(to: text, in: names()).map { "did you mean the published model '\($0)'?" }
    return "there is no such file" + ((published ?? file).map { "; " + $0 } ?? "")
  }

  /// The names of published models.
  static func names(for task: PublishedModel.Task? = nil) -> [String] {
    ModelCatalog.models.filter { task == nil || $0.task == task }.map(\.name)
  }

  /// What a task's model can be on the command line.
  static func kind(for task: PublishedModel.Task) -> ValueKind {
    .file(task.takesBundles ? ".task" : ".tflite", orOneOf: names(for: task))
  }

  /// Any model. Names of published ones are taken as well, but shells show files.
  static let file = ValueKind.file(".tflite")

  /// Any model or bundle, likewise.
  static let fileOrBundle = ValueKind.file(".tflite", ".task")
}

/// The models that the program has fetched.
enum FetchedModels {
  /// - Parameter change: what is different from a user's settings.
  static func store(_ change: (inout ModelStoreOptions) -> Void = { _ in }) -> ModelStore {
    var options = ModelStoreOptions()
    if let folder = ProcessInfo.processInfo.environment["SWIFTLET_MODELS"], !folder.isEmpty {
      options.directory = URL(fileURLWithPath: folder, isDirectory: true)
    }
    change(&options)
    return ModelStore(options: options)
  }
}

extension TaskArguments {
  /// How the model of `--model` is run, or the package's own one where none is named; standard error says so then.
  ///
  /// - Throws: `UsageError` for an empty name, and for what is not a normalization.
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
      "note: without --\(option) the package's own \(model.rawValue) is used, which was trained on drawn images and is no judge of photographs\n"
    )
    return options
  }
}

extension BaseOptions {
  /// Creates a model that is run as `runtime` says.
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

/// The models for sounds and texts that are a part of the program, and of no library: for trying it without a file.
enum ToolModel: String, CaseIterable {
  case audioClassifier = "audio_classifier"
  case textClassifier = "text_classifier"

  /// The model file in `Models/` that is embedded.
  var fileName: String { rawValue + "_int8.tflite" }

  /// The model, read where it lies in the program.
  var source: ModelSource {
    let model =
      switch self {
      case .audioClassifier: swiftlet_audio_classifier()
      case .textClassifier: swiftlet_text_classifier()
      }
    // A constant of the program, so its address is good for as long as that runs.
    return .program(
      ProgramMemory(
        UnsafeRawBufferPointer(start: model.bytes, count: model.size), name: "the program's own \(fileName)"))
  }

  /// What it learned from, for people.
  private var examples: String {
    switch self {
    case .audioClassifier: "made-up sounds and is no judge of recordings"
    case .textClassifier: "made-up sentences and is no judge of other texts"
    }
  }

  /// The model of `--model`, or this one where none is named; standard error says so then.
  ///
  /// - Throws: `UsageError` for an empty name.
  func orNamed(_ arguments: Arguments) throws(UsageError) -> ModelSource {
    guard let named = arguments.string("model") else {
      StandardStreams.error(
        "note: without --model the program's own \(rawValue) is used, which was trained on \(examples)\n")
      return source
    }
    guard !named.isEmpty else { throw UsageError("--model is empty; leave it away for the program's own model") }
    return ModelArgument.source(named)
  }
}
