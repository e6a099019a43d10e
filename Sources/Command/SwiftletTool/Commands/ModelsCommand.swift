import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletModelStore
import SwiftletBase

/// `models`: the catalog of published models, and the downloaded models.
enum ModelsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "models", summary: "list, download, and locate published models",
    actions: [
      ActionDeclaration("list", "list the published models that the tasks can run, without using the network"),
      ActionDeclaration(
        "fetch", "download and verify models, and print their paths; resumes interrupted downloads",
        operands: "NAME…", operandCount: 1...1000,
        operandKind: name),
      ActionDeclaration(
        "path", "print the path of a downloaded model", operands: "NAME", operandCount: 1...1, operandKind: name),
    ],
    options: [
      .value(
        "from", .folder,
        "fetch: download from a mirror, a directory or an https URL, instead of the publisher"),
      RuntimeArguments.json,
    ],
    notes:
      "Models are stored in $SWIFTLET_MODELS, or in the user's data directory. --model of the tasks, and --detector and --classifier of 'track', accept their names.",
    examples: [
      Example("swiftlet models fetch blaze-face-short-range", "download a model"),
      Example("swiftlet detect-faces --model blaze-face-short-range portrait.jpg", "detect faces with it"),
    ])

  private static let name = ValueKind.choice(ModelArgument.names())

  static func run(_ arguments: Arguments) throws -> Int32 {
    let models = try arguments.operands.map(published)
    if arguments.string("from") != nil, arguments.action != "fetch" {
      throw UsageError("--from is an option of 'models fetch'")
    }
    if arguments.action == "fetch" {
      try fetch(models, arguments)
    } else if let model = models.first {
      try path(model, asJSON: arguments.flag("json"))
    } else {
      list(asJSON: arguments.flag("json"))
    }
    return 0
  }

  private static func published(_ name: String) throws(UsageError) -> PublishedModel {
    if let model = ModelCatalog.model(named: name) { return model }
    let hint = Suggestion.nearest(to: name, in: ModelCatalog.models.map(\.name)).map { "did you mean '\($0)'?" }
    throw UsageError("there is no published model '\(name.excerpt)'; \(hint ?? "'swiftlet models list' lists them")")
  }

  // MARK: list

  private static func list(asJSON: Bool) {
    let store = FetchedModels.store()
    let models = ModelCatalog.models.map { ($0, path: store.installedPath(of: $0.remoteModel)) }
    if asJSON {
      return StandardStreams.output(
        JSONValue.object(["models": .array(models.map { json($0.0, path: $0.path) })]).text + "\n")
    }
    // A single table, so that the columns of all tasks are aligned.
    let lines = TextTable([.left, .right], indentation: " ").lines(
      models.map { row($0.0, isFetched: $0.path != nil) }, width: StandardStreams.outputWidth)
    for task in PublishedModel.Task.allCases {
      StandardStreams.outputStyled(StandardStreams.outputStyle.bold(task.rawValue) + "\n")
      for (model, line) in zip(models, lines) where model.0.task == task { StandardStreams.output(line) }
    }
    StandardStreams.output(
      """
      * fetched already; 'swiftlet models fetch NAME' fetches
      ~ from the network's name: the file may differ
      ? no license is known from a model card or from the file: see the model's page, which --json names

      """)
  }

  private static func row(_ model: PublishedModel, isFetched: Bool) -> [String] {
    let size = (model.input.source == .assumed ? "~" : "") + "\(model.input.width)×\(model.input.height)"
    return [(isFetched ? "* " : "  ") + model.name, size, model.input.type, model.license ?? "?", model.summary]
  }

  private static func json(_ model: PublishedModel, path: String?) -> JSONValue {
    .object([
      "name": .string(model.name),
      "task": .string(model.task.rawValue),
      "summary": .string(model.summary),
      "input": .object([
        "width": .int(model.input.width), "height": .int(model.input.height), "dtype": .string(model.input.type),
        "known_from": .string(model.input.source.rawValue),
      ]),
      "license": .optional(model.license),
      "page": .string(model.page.absoluteString),
      "url": .string(model.url.absoluteString),
      "sha256": .optional(model.sha256),
      "downloaded": .bool(path != nil),
      "path": .optional(path),
    ])
  }

  // MARK: fetch

  private static func fetch(_ models: [PublishedModel], _ arguments: Arguments) throws {
    let mirror = try arguments.string("from").map(mirror)
    // Only a mirror that the user names can be on this machine.
    let store = FetchedModels.store { $0.allowsLoopbackHTTP = mirror?.scheme == "http" }
    var results: [JSONValue] = []
    for published in models {
      do {
        let remote = try mirror.map { try published.remoteModel(from: $0) } ?? published.remoteModel
        let model = try download(remote, with: store)
        if arguments.flag("json") {
          results.append(
            .object([
              "name": .string(published.name), "path": .string(model.path),
              "size_bytes": .int(Int(model.record.byteCount)), "sha256": .string(model.record.sha256),
            ]))
        } else {
          StandardStreams.output(model.path.sanitized + "\n")
        }
      } catch let error as ModelStoreError {
        throw ToolError(file: published.name, reason: error.message)
      }
    }
    if arguments.flag("json") { StandardStreams.output(JSONValue.object(["models": .array(results)]).text + "\n") }
  }

  /// Returns the URL of a mirror.
  ///
  /// - Throws: `UsageError` for a URL without a server, `ToolError` if the directory doesn't exist.
  private static func mirror(_ text: String) throws -> URL {
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      guard let url = URL(string: text), url.host != nil else {
        throw UsageError("--from takes a folder or an https address, got '\(text.excerpt)'")
      }
      return url
    }
    try InputFile.requireFolder(text)
    return URL(fileURLWithPath: text, isDirectory: true)
  }

  private static func download(_ model: RemoteModel, with store: ModelStore) throws -> InstalledModel {
    let last = Mutex(DownloadProgress.checking)
    var bar = ProgressBar(model.name, total: 1)
    var isWaiting = false
    defer { bar.hide() }
    return try BlockingBridge.run {
      for try await progress in store.download(model) {
        last.withLock { $0 = progress }
        if case .installed(let installed) = progress { return installed }
      }
      throw CancellationError()
    } tick: {
      switch last.withLock({ $0 }) {
      case .waiting where !isWaiting:
        isWaiting = true
        StandardStreams.warn("\(model.name): another process works on this model; waiting until it is done")
        bar.draw(bytes: 0, of: nil)
      case .downloading(let count, let total): bar.draw(bytes: Int(count), of: total.map { Int($0) })
      default: bar.draw(bytes: 0, of: nil)
      }
    }
  }

  // MARK: path

  private static func path(_ model: PublishedModel, asJSON: Bool) throws {
    guard let path = try? FetchedModels.store().installedModel(model.remoteModel).path else {
      throw ToolError(file: model.name, reason: ModelArgument.reasonForMissing(model.name))
    }
    StandardStreams.output((asJSON ? json(model, path: path).text : path.sanitized) + "\n")
  }
}
