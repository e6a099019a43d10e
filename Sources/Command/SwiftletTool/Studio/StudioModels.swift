import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletModels
import SwiftletModelStore
import SwiftletSchema
import SwiftletVision

/// A model that a task of the studio can run.
struct StudioModel: Sendable {
  /// The name in requests. Requests never contain a path.
  var id: String
  var name: String
  var note: String?
  var source: ModelSource
  /// The value of `--model`; `nil` if the option can be omitted.
  var argument: String?
  /// The model source in Swift code.
  var code: String

  init(bundled: StudioTask.Bundled) {
    (id, name, note, source) = ("bundled", bundled.name, bundled.note, bundled.source)
    if let model = EmbeddedModel.allCases.first(where: { .embedded($0) == bundled.source }) {
      code = ".embedded(.\(model))"
    } else {
      let tool = ToolModel.allCases.first { $0.source == bundled.source }
      code = ".file(\(StudioCode.quoted("Models/" + (tool?.fileName ?? "model.tflite"))))"
    }
  }

  /// - Parameters:
  ///   - id: The name in requests.
  ///   - argument: The value of `--model`.
  init(id: String, name: String, path: String, argument: String) {
    (self.id, self.name, source, self.argument) = (id, name, .file(path), argument)
    code = ".file(\(StudioCode.quoted((path as NSString).lastPathComponent)))"
  }
}

/// The models of each task: bundled, downloaded, and from a directory.
struct StudioModels: Sendable {
  private var models: [String: [StudioModel]] = [:]
  /// The reasons why models are left out.
  private(set) var left: [ToolError] = []

  subscript(task: StudioTask) -> [StudioModel] { models[task.id] ?? [] }

  /// Returns the model of a task.
  ///
  /// - Parameter id: The model's name in requests; `nil` for the first.
  /// - Throws: `UsageError` if there is none.
  func model(_ id: String?, of task: StudioTask) throws(UsageError) -> StudioModel {
    guard let first = self[task].first else { throw UsageError("there is no model for \(task.id)") }
    guard let id, !id.isEmpty else { return first }
    guard let model = self[task].first(where: { $0.id == id }) else {
      throw UsageError("\(task.id) has no model '\(id.excerpt)'")
    }
    return model
  }

  /// Finds the models without loading them. Makes no network request.
  ///
  /// - Throws: `ToolError` if the directory cannot be read.
  init(folder: String?) throws {
    // The models of a directory come first, because the user named them.
    if let folder { try add(folder) }
    let store = FetchedModels.store()
    for published in ModelCatalog.models {
      guard let path = store.installedPath(of: published.remoteModel) else { continue }
      let isInteractive = published.task == .segment && (try? DemoModelFile(path).kind) == .interactive
      for task in StudioTask.all where task.published == published.task {
        guard published.task != .segment || isInteractive == (task.input == .imagePoint) else { continue }
        add(
          StudioModel(id: "fetched-" + published.name, name: published.name, path: path, argument: published.name),
          to: task)
      }
    }
    for task in StudioTask.all {
      if let bundled = task.bundled { add(StudioModel(bundled: bundled), to: task) }
    }
  }

  private mutating func add(_ model: StudioModel, to task: StudioTask) { models[task.id, default: []].append(model) }

  /// The maximum number of files in a directory that are inspected.
  private static let maximumFiles = 256

  private mutating func add(_ folder: String) throws {
    try InputFile.requireFolder(folder)
    let files = try Self.files(in: folder, depth: Self.maximumDepth)
    for (index, path) in files.prefix(Self.maximumFiles).enumerated() {
      do {
        let tasks = try StudioModelKind.tasks(of: path)
        let name = path.dropFirst(folder.count).drop { $0 == "/" }
        for task in StudioTask.all where tasks.contains(task.id) {
          add(StudioModel(id: "file-\(index)", name: String(name), path: path, argument: path), to: task)
        }
      } catch {
        left.append(error as? ToolError ?? ToolError(file: path, reason: "\(error)"))
      }
    }
    if files.count > Self.maximumFiles {
      left.append(
        ToolError(file: folder, reason: "has \(files.count) models; only the first \(Self.maximumFiles) are used"))
    }
    if files.isEmpty { left.append(ToolError(file: folder, reason: "has no .task bundles and no .tflite models")) }
  }

  /// The maximum number of directories from the given one to a model.
  private static let maximumDepth = 4

  /// Returns the models and bundles in a directory and in its subdirectories.
  private static func files(in folder: String, depth: Int) throws -> [String] {
    var files: [String] = []
    for path in try FolderListing.paths(in: folder) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        if depth > 1 { files += (try? Self.files(in: path, depth: depth - 1)) ?? [] }
      } else if [".task", ".tflite"].contains(where: { path.lowercased().hasSuffix($0) }) {
        files.append(path)
      }
    }
    return files
  }
}

/// Recognizes the tasks that a model can be for, by its contents.
enum StudioModelKind {
  /// Returns the names of the tasks.
  ///
  /// - Throws: `ToolError` for a damaged file, and for a model of another kind.
  static func tasks(of path: String) throws -> [String] {
    let bytes: ByteRegion
    do {
      bytes = try MappedFile.open(path)
    } catch {
      throw ToolError(file: path, reason: "\(error)")
    }
    guard FileKind.reasonNotAModel(bytes) == nil else {
      let kind = try DemoModelFile(path).kind
      return kind == .interactive ? ["segment-point"] : [kind.rawValue]
    }
    let file: ModelFile
    do {
      file = try ModelFile(bytes)
    } catch {
      throw ToolError(file: path, reason: "\(error)")
    }
    let found = file.subgraphs.first.map { tasks($0, (try? file.modelMetadata())?.subgraphs.first) } ?? []
    guard !found.isEmpty else {
      throw ToolError(
        file: path, reason: "is a model of another kind than the tasks take; 'swiftlet inspect' describes it")
    }
    return found
  }

  private static func tasks(_ graph: Subgraph, _ metadata: SubgraphMetadata?) -> [String] {
    let inputs = graph.inputs.map { graph.tensors[$0] }, outputs = graph.outputs.map { graph.tensors[$0] }
    guard let input = inputs.first else { return [] }
    let shape = input.shape, last = outputs.first?.shape ?? []
    if inputs.count == 1, shape.count == 4, shape[3] == 4 { return ["segment-point"] }
    if inputs.count == 1, shape.count == 4, shape[3] == 3 {
      // Boxes of a face detector have 16 numbers: a box and six keypoints.
      if outputs.contains(where: { $0.shape.count == 3 && $0.shape[2] == 16 }) { return ["detect-faces"] }
      if outputs.count > 1 { return ["detect-objects", "track"] }
      if last.count == 4, last[1] > 1, last[2] > 1 { return ["segment"] }
      let hasLabels = metadata?.outputs.first?.hasLabelFiles ?? false
      return hasLabels ? ["classify", "embed"] : ["embed", "classify"]
    }
    if input.type == .string || input.type == .int32, shape.count <= 2 {
      if input.type == .string { return ["detect-language", "embed-text"] }
      return last.count == 2 && last[1] < 20 ? ["classify-text", "embed-text"] : ["embed-text", "classify-text"]
    }
    if inputs.count == 1, case .audio? = metadata?.inputs.first?.content?.properties { return ["classify-audio"] }
    return []
  }
}

extension TensorMetadata {
  /// Whether the metadata names files of labels.
  fileprivate var hasLabelFiles: Bool { labelFiles(.tensorAxisLabels, locale: "en") != nil }
}
