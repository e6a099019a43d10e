import Foundation
import SwiftletCommandLine
import SwiftletScenes

/// Draws the pictures that models are trained on, and writes them with their labels as NumPy files.
struct DrawScenesProgram {
  private let task: SceneTask
  private let seed: UInt64
  private let count: Int
  private let width: Int
  private let height: Int
  private let categoryCount: Int
  private let folder: String

  /// How many pictures are held in memory at once.
  private static let batch = 64

  static let declaration = CommandDeclaration(
    name: "draw-scenes", summary: "draws labelled pictures and writes them as NumPy files",
    options: [
      .value("task", .choice(of: SceneTask.self), "what the pictures are for"),
      .value("count", .integer(1...10_000_000), "how many pictures"),
      .value(
        "seed", .integer(0...Int.max), as: "S",
        "what they are drawn from: the same seed gives the same pictures (default: 0)"),
      .value("width", .integer(8...4096), as: "W", "pixels across (default: 128)"),
      .value("height", .integer(8...4096), as: "H", "pixels down (default: 128)"),
      .value(
        "categories", .integer(1...ObjectCategory.allCases.count), as: "K",
        "only the first K of the categories: \(ObjectCategory.allCases.map(\.name).joined(separator: ", "))"),
      .value("output", .folder, "the folder of the files; made if it is not there"),
      .flag("help", "prints this"),
    ],
    notes: """
      files, with N pictures of H × W pixels:
        pictures.npy    uint8 [N,H,W,3]    always
        boxes.npy       float32 [N,4,4] (face) or [N,6,4] (detection): top, left, bottom, right in shares of the picture, 0 where there is none
        keypoints.npy   float32 [N,4,6,2] (face): x, y of right eye, left eye, nose tip, mouth, right ear, left ear
        counts.npy      int32 [N] (face): how many faces
        classes.npy     int32 [N,6] (detection; -1 where there is none) or [N] (classification)
        masks.npy       uint8 [N,H,W] (segmentation): 0 background, 1 + category
        identities.npy  int32 [N] (embedding): which thing a picture shows; \(SceneTask.viewsPerIdentity) pictures each
      """)

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, for: declaration)
    if arguments.flag("help") {
      StandardStreams.outputStyled(HelpText.standard.command(declaration))
      return 0
    }
    try DrawScenesProgram(arguments).run()
    return 0
  }

  private init(_ arguments: Arguments) throws {
    guard let task = arguments.choice("task", as: SceneTask.self) else { throw UsageError("draw-scenes needs --task") }
    guard let count = arguments.int("count") else { throw UsageError("draw-scenes needs --count") }
    guard let folder = arguments.string("output") else { throw UsageError("draw-scenes needs --output") }
    self.task = task
    self.count = count
    self.folder = folder
    seed = UInt64(arguments.int("seed") ?? 0)
    width = arguments.int("width") ?? 128
    height = arguments.int("height") ?? 128
    categoryCount = arguments.int("categories") ?? ObjectCategory.allCases.count
  }

  private func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var files = try SceneFiles(task, count: count, width: width, height: height, folder: folder)
    var progress = ProgressBar("drawing", total: count)
    progress.draw()
    for start in stride(from: 0, to: count, by: Self.batch) {
      for scene in try scenes(start..<min(start + Self.batch, count)) {
        try files.append(scene)
        progress.advance()
      }
    }
    progress.hide()
    try files.finish()
  }

  /// Draws some pictures with all processors.
  private func scenes(_ numbers: Range<Int>) throws -> [DrawnScene] {
    try Scene.drawn(
      numbers.map { Scene(task, seed: seed, number: $0, width: width, height: height, categoryCount: categoryCount) })
  }
}
