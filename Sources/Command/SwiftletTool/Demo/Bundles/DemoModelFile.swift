import SwiftletBase
import SwiftletModelStore
import SwiftletSchema

/// A third-party model for a landmark task or interactive segmentation.
struct DemoModelFile {
  /// The tasks whose models the demo recognizes by their contents.
  enum Kind: String, CaseIterable {
    case landmarkHands = "landmark-hands"
    case recognizeGestures = "recognize-gestures"
    case landmarkFaces = "landmark-faces"
    case landmarkPoses = "landmark-poses"
    case landmarkHolistic = "landmark-holistic"
    /// The `segment` command with a point.
    case interactive = "segment"

    /// The members that the task's bundle contains, and that no bundle of the following kinds contains.
    fileprivate var members: [String] {
      switch self {
      case .landmarkHands: ["hand_detector.tflite", "hand_landmarks_detector.tflite"]
      case .recognizeGestures: ["hand_landmarker.task", "hand_gesture_recognizer.task"]
      case .landmarkFaces: ["face_detector.tflite", "face_landmarks_detector.tflite"]
      case .landmarkPoses: ["pose_detector.tflite", "pose_landmarks_detector.tflite"]
      case .landmarkHolistic:
        Self.landmarkFaces.members + Self.landmarkPoses.members
          + ["hand_landmarks_detector.tflite", "hand_roi_refinement.tflite"]
      case .interactive: []
      }
    }

    /// The kinds in matching order: from the one that requires most members to those that its bundle would also match.
    fileprivate static let bundles: [Kind] = [
      .recognizeGestures, .landmarkHolistic, .landmarkHands, .landmarkFaces, .landmarkPoses,
    ]
  }

  /// The models in a directory.
  struct Folder {
    var models: [DemoModelFile] = []
    /// The reasons why models cannot be demonstrated.
    var left: [ToolError] = []
  }

  var path: String
  /// The name on the command line: the file, or a published name.
  var name: String
  var kind: Kind

  /// Recognizes a file by its contents.
  ///
  /// - Throws: `ToolError` for a damaged file, and for a model of another kind.
  init(_ path: String, name: String? = nil) throws(ToolError) {
    self.path = path
    self.name = name ?? path
    do {
      kind = try Self.kind(of: try MappedFile.open(path), path)
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError(file: path, reason: "\(error)")
    }
  }

  private static func kind(of bytes: ByteRegion, _ path: String) throws -> Kind {
    guard FileKind.reasonNotAModel(bytes) != nil else {
      let graph = try ModelFile(bytes).subgraphs.first
      // Red, green, blue, and the mask of the user's points.
      if let graph, graph.inputs.count == 1, graph.tensors[graph.inputs[0]].shape.count == 4,
        graph.tensors[graph.inputs[0]].shape[3] == 4
      {
        return .interactive
      }
      throw ToolError(
        file: path, reason: "is a model of another kind than the demonstration shows; 'swiftlet inspect' describes it")
    }
    let bundle = try TaskBundle(bytes)
    guard let kind = Kind.bundles.first(where: { $0.members.allSatisfy(bundle.contains) }) else {
      let names = bundle.memberNames.prefix(4).joined(separator: ", ")
      throw ToolError(
        file: path,
        reason: "is a bundle of another kind than the demonstration shows, with \(names.isEmpty ? "nothing" : names)")
    }
    return kind
  }

  // MARK: Folders

  /// The maximum number of files in a directory that are inspected.
  private static let maximumFiles = 64

  /// Returns the models in a directory: files whose extension marks a model or bundle, with the kinds that their
  /// contents show.
  ///
  /// - Throws: `ToolError` if the directory cannot be read.
  static func models(in folder: String) throws -> Folder {
    try InputFile.requireFolder(folder)
    var found = Folder()
    let files = try FolderListing.paths(in: folder).filter { path in
      [".task", ".tflite"].contains { path.lowercased().hasSuffix($0) }
    }
    for path in files.prefix(maximumFiles) {
      do throws(ToolError) {
        found.models.append(try DemoModelFile(path))
      } catch {
        found.left.append(error)
      }
    }
    if files.count > maximumFiles {
      found.left.append(
        ToolError(file: folder, reason: "holds \(files.count) models; only the first \(maximumFiles) are tried"))
    }
    return found
  }

  /// Returns the downloaded models of these kinds. Makes no network request.
  static func fetched() -> Folder {
    let store = FetchedModels.store()
    let tasks = Set(Kind.allCases.map(\.rawValue))
    var found = Folder()
    for published in ModelCatalog.models where tasks.contains(published.task.rawValue) {
      guard let path = store.installedPath(of: published.remoteModel) else { continue }
      do throws(ToolError) {
        found.models.append(try DemoModelFile(path, name: published.name))
      } catch {
        // Other segmentation models aren't an error, because they were downloaded for other tasks.
        if published.task.takesBundles { found.left.append(error) }
      }
    }
    return found
  }
}
