import SwiftletBase
import SwiftletModelStore
import SwiftletSchema

/// A model that is not the package's own, of a task that finds points or what is pointed at.
struct DemoModelFile {
  /// The tasks whose models the demonstration knows by what is in them.
  enum Kind: String, CaseIterable {
    case landmarkHands = "landmark-hands"
    case recognizeGestures = "recognize-gestures"
    case landmarkFaces = "landmark-faces"
    case landmarkPoses = "landmark-poses"
    case landmarkHolistic = "landmark-holistic"
    /// Of the command `segment`, with a point.
    case interactive = "segment"

    /// What a bundle of the task holds, and no bundle of those after it.
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

    /// From the one that asks for most to the ones that its bundle would pass for too.
    fileprivate static let bundles: [Kind] = [
      .recognizeGestures, .landmarkHolistic, .landmarkHands, .landmarkFaces, .landmarkPoses,
    ]
  }

  /// What is in a folder of models.
  struct Folder {
    var models: [DemoModelFile] = []
    /// What cannot be demonstrated, with the reason.
    var left: [ToolError] = []
  }

  var path: String
  /// What it is called on the command line: its file, or a published name.
  var name: String
  var kind: Kind

  /// Tells a file by what is in it.
  ///
  /// - Throws: `ToolError` for what is damaged, and for a model of another kind.
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
      // Red, green, blue, and where the user has pointed.
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

  /// The most files of a folder that are looked at.
  private static let maximumFiles = 64

  /// The models in a folder: what its names say are models or bundles, of the kinds that their content says.
  ///
  /// - Throws: `ToolError` when the folder cannot be read.
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

  /// The models of these kinds that the program has fetched. Nothing is asked of the network.
  static func fetched() -> Folder {
    let store = FetchedModels.store()
    let tasks = Set(Kind.allCases.map(\.rawValue))
    var found = Folder()
    for published in ModelCatalog.models where tasks.contains(published.task.rawValue) {
      guard let path = store.installedPath(of: published.remoteModel) else { continue }
      do throws(ToolError) {
        found.models.append(try DemoModelFile(path, name: published.name))
      } catch {
        // Other segmenters are fetched for other reasons.
        if published.task.takesBundles { found.left.append(error) }
      }
    }
    return found
  }
}
