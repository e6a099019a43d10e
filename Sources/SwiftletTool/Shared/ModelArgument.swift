import Foundation
import SwiftletCommandLine
import SwiftletModelStore

/// A model on the command line: a file, or the name of a published model that was fetched.
enum ModelArgument {
  /// The file of a model. What is neither a file nor the name of a fetched model stays as it is, and cannot be opened then.
  static func path(_ text: String) -> String {
    guard !FileManager.default.fileExists(atPath: text), let model = ModelCatalogue.model(named: text) else { return text }
    return (try? FetchedModels.manager().localModel(for: model.remoteModel).path) ?? text
  }

  /// What to say of a model that is no file: how to fetch it, or which one was probably meant; `nil` when there is nothing to say.
  static func reasonForMissing(_ text: String) -> String? {
    guard !FileManager.default.fileExists(atPath: text) else { return nil }
    if ModelCatalogue.model(named: text) != nil {
      return "is a published model that is not downloaded; 'swiftlet models fetch \(text)' downloads it"
    }
    guard !text.contains("/"), let near = Suggestion.nearest(to: text, in: ModelCatalogue.models.map(\.name)) else { return nil }
    return "there is no such file; did you mean the published model '\(near)'?"
  }
}

/// The models that the program has fetched.
enum FetchedModels {
  /// - Parameter change: what is different from a user's settings.
  static func manager(_ change: (inout ModelStoreOptions) -> Void = { _ in }) -> ModelManager {
    var options = ModelStoreOptions()
    if let folder = ProcessInfo.processInfo.environment["SWIFTLET_MODELS"], !folder.isEmpty {
      options.directory = URL(fileURLWithPath: folder, isDirectory: true)
    }
    // The program's main queue does not run.
    options.callbackQueue = .global()
    change(&options)
    return ModelManager(options: options)
  }
}
