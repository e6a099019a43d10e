import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletJSON
import SwiftletMeasurement

/// The results of the models of `--models` on the images.
struct DemoModels {
  /// The word for the downloaded models, unless a directory has this name.
  static let fetched = "fetched"

  static let declarations: [OptionDeclaration] = [
    .value(
      "models", .folder, as: "DIR|\(fetched)",
      "also run the MediaPipe models in a directory, or '\(fetched)' for the downloaded models (see 'models list')"
    ),
    .value(
      "images", .folder,
      "the images for --models, at most \(DemoPhotographs.maximumImages) (default: the synthetic images); without --models, the downloaded models run on them"
    ),
  ]

  var sections: [DemoModelSection] = []
  /// The reasons why models or images are left out.
  var left: [ToolError] = []
  /// Whether models were requested.
  var isWanted = false

  private var files: [DemoModelFile] = []
  private var photographs: String?

  /// Finds the models without running them.
  ///
  /// - Throws: `UsageError` if there is nothing to run, `ToolError` if a directory cannot be read.
  init(_ arguments: Arguments) throws {
    photographs = arguments.string("images")
    guard let source = arguments.string("models") ?? photographs.map({ _ in Self.fetched }) else { return }
    guard !DemoCommand.generatesImagesOnly(arguments) else {
      throw UsageError("--images-only and --models or --images are mutually exclusive")
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

  /// Returns the options as they were given, each preceded by a space.
  static func words(_ arguments: Arguments) -> String {
    ["models", "images"].map { name in arguments.string(name).map { " --\(name) '\($0)'" } ?? "" }.joined()
  }

  /// The number of steps of `run`.
  var stepCount: Int { files.count }

  /// Runs every model on the images. If a model fails, it is left out and the others continue.
  ///
  /// - Parameter drawn: The images to use if no others were named.
  /// - Throws: `ToolError` if there is no image at all, or nothing can be written.
  mutating func run(
    drawn: [DemoImage], runtime: RuntimeOptions, _ folder: inout DemoFolder, progress: (String) -> Void
  ) throws {
    guard isWanted else { return }
    let taken =
      try photographs.map { path throws(ToolError) in try DemoPhotographs(folder: path) }
      ?? DemoPhotographs(drawn: drawn)
    left += taken.left
    let tasks = DemoModelTasks(runtime: runtime, inputs: taken.images)
    for (index, file) in files.enumerated() {
      progress(file.kind.rawValue)
      do {
        sections.append(try tasks.section(file, number: index + 1, &folder))
      } catch let error as ToolError where error.file == file.name {
        left.append(error)
      }
    }
  }

  /// Warns on standard error about models and images that are left out.
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

/// The results of one third-party model.
struct DemoModelSection {
  /// One image with its detections.
  struct Row {
    var image: String
    /// The annotated image, relative to the directory.
    var annotated: String
    /// One line per detection; empty if there are none.
    var found: [String]
    /// The latency of one call, in milliseconds.
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

  /// The command that reproduces the first result.
  var command: String {
    let point = model.kind == .interactive ? " --point 0.5,0.5" : ""
    return "swiftlet \(task) --model '\(model.name)'\(point) '\(rows.first?.image ?? "")' --annotate again.png"
  }

  var foundCount: Int { rows.count { !$0.found.isEmpty } }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model.name), "median_ms": .double(times.medianLatency),
      "pictures": .array(
        rows.map {
          .object([
            "image": .string($0.image), "annotated": .string($0.annotated), "found": .strings($0.found),
            "median_ms": .double($0.latency.median),
          ])
        }),
    ])
  }

  /// A line of text output.
  var text: String {
    "\(DemoTimes.padded(task))something in \(foundCount) of \(rows.count) images, \(times.text) an image, \(model.name.sanitized)\n"
  }

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.name, unit: "image", samples: rows.map(\.latency))
  }
}
