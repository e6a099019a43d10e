import Foundation
import SwiftletCommandLine
import SwiftletBase
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
