import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletJSON
import SwiftletMeasurement

/// What the models of `--models` made of the images.
struct DemoModels {
  /// The word that stands for what was fetched, where no folder has its name.
  static let fetched = "fetched"

  static let declarations: [OptionDeclaration] = [
    .value(
      "models", .folder, as: "DIR|\(fetched)",
      "also show what the bundles of others in a folder find: hands, gestures, faces, bodies, what is pointed at; or '\(fetched)' for those that were fetched ('models list')"
    ),
    .value(
      "images", .folder,
      "the images for --models, at most \(DemoPhotographs.maximumPictures) (default: the drawn ones); without --models those that were fetched look at them"
    ),
  ]

  var sections: [DemoModelSection] = []
  /// What could not be shown, with the reason.
  var left: [ToolError] = []
  /// Whether any were asked for.
  var isWanted = false

  private var files: [DemoModelFile] = []
  private var photographs: String?

  /// Finds the models; runs none.
  ///
  /// - Throws: `UsageError` where nothing is to be run, `ToolError` when a folder cannot be read.
  init(_ arguments: Arguments) throws {
    photographs = arguments.string("images")
    guard let source = arguments.string("models") ?? photographs.map({ _ in Self.fetched }) else { return }
    guard !arguments.flag("pictures-only") else {
      throw UsageError("--pictures-only runs no model; leave --models and --images away")
    }
    isWanted = true
    let found: DemoModelFile.Folder
    if source == Self.fetched, !FileManager.default.fileExists(atPath: source) {
      found = DemoModelFile.fetched()
      if found.models.isEmpty, found.left.isEmpty {
        left.append(
          ToolError(
            file: "--models \(Self.fetched)",
            reason: "none of the models that it shows was fetched; 'swiftlet models fetch hand-landmarker' fetches one")
        )
      }
    } else {
      found = try DemoModelFile.models(in: source)
      if found.models.isEmpty, found.left.isEmpty {
        left.append(ToolError(file: source, reason: "holds no .task bundles and no .tflite models"))
      }
    }
    files = found.models
    left += found.left
  }

  /// The options again, with a space in front of each.
  static func words(_ arguments: Arguments) -> String {
    ["models", "images"].map { name in arguments.string(name).map { " --\(name) '\($0)'" } ?? "" }.joined()
  }

  /// How many steps `run` has.
  var stepCount: Int { files.count }

  /// Shows the images to every model. One that fails is left out, and the others go on.
  ///
  /// - Parameter drawn: the images where no others were named.
  /// - Throws: `ToolError` when there is no image at all, or nothing can be written.
  mutating func run(
    drawn: [DemoImage], runtime: RuntimeOptions, _ folder: inout DemoFolder, progress: (String) -> Void
  ) throws {
    guard isWanted else { return }
    let taken =
      try photographs.map { path throws(ToolError) in try DemoPhotographs(folder: path) }
      ?? DemoPhotographs(drawn: drawn)
    left += taken.left
    let tasks = DemoModelTasks(runtime: runtime, pictures: taken.pictures)
    for (index, file) in files.enumerated() {
      progress(file.kind.rawValue)
      do {
        sections.append(try tasks.section(file, number: index + 1, &folder))
      } catch let error as ToolError where error.file == file.name {
        left.append(error)
      }
    }
  }

  /// Says on standard error what was left out.
  func warn() {
    for error in left { StandardStreams.warn(error.description) }
  }

  var json: JSONValue {
    .object([
      "tasks": .array(sections.map(\.json)),
      "skipped": .array(left.map { .object(["file": .string($0.file), "reason": .string($0.reason)]) }),
    ])
  }
}

/// What a model of others made of the images.
struct DemoModelSection {
  /// One image and what was found in it.
  struct Row {
    var picture: String
    /// With the result drawn in, relative to the folder.
    var annotated: String
    /// A line for each thing; none for nothing.
    var found: [String]
    /// Of one call, in milliseconds.
    var latency: Sample
  }

  var model: DemoModelFile
  var rows: [Row]

  var task: String { model.kind.rawValue }

  var title: String {
    switch model.kind {
    case .landmarkHands: "Hands"
    case .recognizeGestures: "Gestures"
    case .landmarkFaces: "Face meshes"
    case .landmarkPoses: "Poses"
    case .landmarkHolistic: "Body, face and hands"
    case .interactive: "What is pointed at"
    }
  }

  var summary: String {
    switch model.kind {
    case .landmarkHands: "21 points of each hand, and which hand it is."
    case .recognizeGestures: "The points of each hand, and what it shows."
    case .landmarkFaces: "478 points of each face, joined to a mesh."
    case .landmarkPoses: "33 points of each body, and which pixels are the person's."
    case .landmarkHolistic: "The body, the face and both hands of one person."
    case .interactive: "Which pixels belong to what is in the middle of the image, where the dot is."
    }
  }

  /// How the first result can be had again.
  var command: String {
    let point = model.kind == .interactive ? " --point 0.5,0.5" : ""
    return "swiftlet \(task) --model '\(model.name)'\(point) '\(rows.first?.picture ?? "")' --annotate again.png"
  }

  var foundCount: Int { rows.count { !$0.found.isEmpty } }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model.name), "median_ms": .double(times.medianLatency),
      "pictures": .array(
        rows.map {
          .object([
            "image": .string($0.picture), "annotated": .string($0.annotated), "found": .strings($0.found),
            "median_ms": .double($0.latency.median),
          ])
        }),
    ])
  }

  /// A line for people.
  var text: String {
    "\(DemoTimes.padded(task))something in \(foundCount) of \(rows.count) images, \(times.text) an image, \(model.name.shown)\n"
  }

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.name, unit: "image", samples: rows.map(\.latency))
  }
}
