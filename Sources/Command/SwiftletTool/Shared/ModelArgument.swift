import CSwiftletToolModels
import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletModels
import SwiftletModelStore
import SwiftletVision

/// A model on the command line: a file, or the name of a downloaded model of the catalog.
enum ModelArgument {
  /// Returns the file of a model. A text that is neither a file nor the name of a downloaded model is returned
  /// unchanged, and opening it fails later.
  static func path(_ text: String) -> String {
    guard !FileManager.default.fileExists(atPath: text), let model = ModelCatalog.model(named: text) else {
      return text
    }
    return (try? FetchedModels.store().installedModel(model.remoteModel).path) ?? text
  }

  /// Returns the model source for tasks.
  static func source(_ text: String) -> ModelSource { .file(path(text)) }

  /// Checks that a model exists.
  ///
  /// - Throws: `ToolError` if there is neither such a file nor such a downloaded model. The message tells how to
  ///   download the model, or suggests another name.
  static func require(_ text: String) throws(ToolError) {
    guard MissingFile.isMissing(text) else { return }
    throw ToolError(file: text, reason: reasonForMissing(text))
  }

  /// Returns the reason for a model that isn't a file.
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

  /// Returns the names of published models.
  static func names(for task: PublishedModel.Task? = nil) -> [String] {
    ModelCatalog.models.filter { task == nil || $0.task == task }.map(\.name)
  }

  /// Returns the kind of values that a task's model option accepts.
  static func kind(for task: PublishedModel.Task) -> ValueKind {
    .file(task.takesBundles ? ".task" : ".tflite", orOneOf: names(for: task))
  }

  /// Any model. Published names are accepted too, but shells complete files.
  static let file = ValueKind.file(".tflite")

  /// Any model or bundle, completed in the same way.
  static let fileOrBundle = ValueKind.file(".tflite", ".task")
}

/// The models that the program has downloaded.
enum FetchedModels {
  /// Returns the store with a user's settings.
  ///
  /// - Parameter change: A closure that changes the settings.
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
  /// Returns the base options for the model of `--model`, or for the bundled model, which is then reported on standard
  /// error.
  ///
  /// - Throws: `UsageError` for an empty name or an invalid normalization.
  static func baseOptions(_ arguments: Arguments, default model: EmbeddedModel) throws(UsageError) -> BaseOptions {
    guard let named = arguments.string("model") else { return try ownModel(model, arguments, option: "model") }
    guard !named.isEmpty else { throw UsageError("--model must not be empty; omit it to use the bundled model") }
    return try baseOptions(ModelArgument.source(named), arguments)
  }

  /// Returns the base options for a bundled model.
  ///
  /// - Parameter option: The option that would select another model.
  static func ownModel(_ model: EmbeddedModel, _ arguments: Arguments, option: String) throws(UsageError) -> BaseOptions
  {
    let options = try baseOptions(.embedded(model), arguments)
    StandardStreams.error(
      "note: without --\(option), the bundled \(model.rawValue) is used; it was trained on synthetic images and doesn't generalize to photos\n"
    )
    return options
  }
}

extension BaseOptions {
  /// Creates options for a model that runs with `runtime`.
  init(model: ModelSource, _ runtime: RuntimeOptions) {
    self.init(
      model: model, threads: runtime.threads, numerics: runtime.numerics, precision: runtime.precision,
      limits: runtime.limits, timeout: runtime.timeout, isChecked: runtime.isChecked)
  }

  /// The name of the model in errors.
  var modelName: String { model.path ?? "the bundled model" }
}

extension ModelArgument {
  /// Checks that the model file exists.
  ///
  /// - Throws: `ToolError`, as for the name; never for a bundled model.
  static func require(_ base: BaseOptions) throws(ToolError) {
    if let path = base.model.path { try require(path) }
  }
}

/// The audio and text models that are embedded in the program only, not in a library, to run these tasks without a
/// file.
enum ToolModel: String, CaseIterable {
  case audioClassifier = "audio_classifier"
  case textClassifier = "text_classifier"

  /// The name of the embedded model file in `Models/`.
  var fileName: String { rawValue + "_int8.tflite" }

  /// The model, read in place from the program's memory.
  var source: ModelSource {
    let model =
      switch self {
      case .audioClassifier: swiftlet_audio_classifier()
      case .textClassifier: swiftlet_text_classifier()
      }
    // A constant of the program, whose address stays valid until the process ends.
    return .program(
      ProgramMemory(
        UnsafeRawBufferPointer(start: model.bytes, count: model.size), name: "the bundled \(fileName)"))
  }

  /// A description of the training data, for messages.
  private var examples: String {
    switch self {
    case .audioClassifier: "synthetic audio and doesn't generalize to recordings"
    case .textClassifier: "synthetic sentences and doesn't generalize to other texts"
    }
  }

  /// Returns the model of `--model`, or this model if none is named, which is then reported on standard error.
  ///
  /// - Throws: `UsageError` for an empty name.
  func orNamed(_ arguments: Arguments) throws(UsageError) -> ModelSource {
    guard let named = arguments.string("model") else {
      StandardStreams.error(
        "note: without --model, the bundled \(rawValue) is used; it was trained on \(examples)\n")
      return source
    }
    guard !named.isEmpty else { throw UsageError("--model must not be empty; omit it to use the bundled model") }
    return ModelArgument.source(named)
  }
}
