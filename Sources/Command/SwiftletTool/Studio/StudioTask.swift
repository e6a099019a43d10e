import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletModels
import SwiftletModelStore
import SwiftletVision

/// A task of the studio: a command, its controls, and the models that it can run.
struct StudioTask: Sendable {
  enum Input: String, Sendable {
    case image
    case imagePair = "image-pair"
    case imagePoint = "image-point"
    case sound
    case text
    case textPair = "text-pair"
  }

  /// The model that the program contains, with a note about its training data.
  struct Bundled: Sendable {
    var source: ModelSource
    var name: String
    var note: String
  }

  /// The name of the task in requests. Two tasks can belong to one command.
  var id: String
  var title: String
  var group = "Vision"
  var summary: String
  var input = Input.image
  /// Whether frames of a video can be tracked.
  var isLive = true
  var declaration: CommandDeclaration
  var published: PublishedModel.Task?
  var bundled: Bundled?
  var controls: [StudioControl]
  var code: StudioCode.Template
  /// The connections of landmarks to draw, by name.
  var edges: KeyValuePairs<String, [LandmarkConnection]> = [:]
  /// Loads the models.
  var load: @Sendable (Arguments, BaseOptions) throws -> StudioRunnable

  var operandCount: Int { input == .imagePair || input == .textPair ? 2 : 1 }

  /// All tasks, in the order of the page.
  static let all: [StudioTask] = (vision + landmarks + other).map { task in
    var task = task
    if task.takesNormalization { task.controls.append(StudioControl.normalization) }
    task.controls.append(.threads(cores))
    return task
  }

  /// Whether the models can lack the normalization of their input images.
  private var takesNormalization: Bool {
    id != "track" && declaration.options.contains { $0.name == "input-mean" }
  }

  static let cores = ProcessInfo.processInfo.activeProcessorCount

  static func named(_ id: String) -> StudioTask? { all.first { $0.id == id } }

  /// Returns the task's JSON form for the page.
  func json(models: [StudioModel]) -> JSONValue {
    /// Returns the help of an option as a sentence. The control displays the default.
    func help(_ name: String) -> String {
      if name == StudioControl.normalization.name { return "The range of the model's input, if its metadata lacks it." }
      let text = declaration.options.first { $0.name == name }?.help ?? ""
      let sentence = text.replacing(#/ \(default: [^)]*\)$/#, with: "")
      return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
    }
    var members: [JSONValue.Member] = [
      .init(key: "id", value: .string(id)), .init(key: "title", value: .string(title)),
      .init(key: "group", value: .string(group)), .init(key: "summary", value: .string(summary)),
      .init(key: "input", value: .string(input.rawValue)), .init(key: "isLive", value: .bool(isLive)),
      .init(
        key: "models",
        value: .array(
          models.map {
            .object(["id": .string($0.id), "name": .string($0.name), "note": .optional($0.note)])
          })),
      .init(key: "missing", value: .optional(models.isEmpty ? missing : nil)),
      .init(key: "options", value: .array(controls.map { $0.json(help: help($0.name)) })),
    ]
    if edges.count > 0 {
      members.append(
        .init(
          key: "edges",
          value: .object(
            edges.map { .init(key: $0.key, value: .array($0.value.map { .ints([$0.start, $0.end]) })) })))
    }
    return .object(members)
  }

  /// The command that gets a model.
  private var missing: String? {
    let name = published.flatMap { task in
      ModelCatalog.models.first { $0.task == task && ($0.name.contains("magic-touch") == (input == .imagePoint)) }?.name
    }
    return name.map { "swiftlet models fetch \($0)" } ?? "swiftlet studio --models DIR"
  }
}
