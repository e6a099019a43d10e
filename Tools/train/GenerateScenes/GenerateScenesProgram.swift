import Foundation
import SwiftletCommandLine
import SwiftletSyntheticData

/// Generates the images, audio, and sentences that models are trained on, and writes them with their labels as NumPy
/// files.
struct GenerateScenesProgram {
  private let task: DrawTask
  private let seed: UInt64
  private let count: Int
  private let width: Int
  private let height: Int
  private let categoryCount: Int
  private let folder: String

  /// The number of images that are held in memory at once.
  private static let batch = 64

  static let declaration = CommandDeclaration(
    name: "draw-scenes", summary: "makes labeled images, sounds or sentences and writes them as NumPy files",
    options: [
      .value("task", .choice(of: DrawTask.self), "what is made: images for one of five tasks, sounds or sentences"),
      .value("count", .integer(1...10_000_000), "how many"),
      .value(
        "seed", .integer(0...Int.max), as: "S",
        "what they are made from: the same seed gives the same ones (default: 0)"),
      .value("width", .integer(8...4096), as: "W", "pixels of an image across (default: 128)"),
      .value("height", .integer(8...4096), as: "H", "pixels of an image down (default: 128)"),
      .value(
        "categories", .integer(1...ObjectCategory.allCases.count), as: "K",
        "only the first K of the categories: \(ObjectCategory.allCases.map(\.name).joined(separator: ", "))"),
      .value("output", .folder, "the folder of the files; made if it is not there"),
      .flag("help", "prints this"),
    ],
    notes: """
      files, with N images of H × W pixels:
        images.npy      uint8 [N,H,W,3]    always with images
        boxes.npy       float32 [N,4,4] (face) or [N,6,4] (detection): top, left, bottom, right in shares of the image, 0 where there is none
        keypoints.npy   float32 [N,4,6,2] (face): x, y of right eye, left eye, nose tip, mouth, right ear, left ear
        counts.npy      int32 [N] (face): how many faces
        classes.npy     int32 [N,6] (detection; -1 where there is none) or [N] (classification)
        masks.npy       uint8 [N,H,W] (segmentation): 0 background, 1 + category
        identities.npy  int32 [N] (embedding): which thing an image shows; \(SceneTask.viewsPerIdentity) images each
      files, with N sounds or sentences:
        sounds.npy      float32 [N,\(SyntheticSound.sampleCount)]: a second each, \(SyntheticSound.sampleRate) samples of -1 to 1
        sentences.npy   uint8 [N,\(ExampleFiles.maximumSentence)]: UTF-8, 0 behind the end
        classes.npy     int32 [N]: \(SoundKind.allCases.map(\.name).joined(separator: ", ")); or
                        \(SentenceTopic.allCases.map(\.name).joined(separator: ", "))
      """)

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, for: declaration)
    if arguments.flag("help") {
      StandardStreams.outputStyled(HelpText.standard.command(declaration))
      return 0
    }
    try GenerateScenesProgram(arguments).run()
    return 0
  }

  private init(_ arguments: Arguments) throws {
    guard let task = arguments.choice("task", as: DrawTask.self) else { throw UsageError("draw-scenes needs --task") }
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
    var progress = ProgressBar("drawing", total: count)
    progress.draw()
    switch task {
    case .sound: try ExampleFiles.writeSounds(count, seed: seed, to: folder) { progress.advance() }
    case .sentence: try ExampleFiles.writeSentences(count, seed: seed, to: folder) { progress.advance() }
    default: if let scene = task.scene { try drawImages(scene, &progress) }
    }
    progress.hide()
  }

  private func drawImages(_ task: SceneTask, _ progress: inout ProgressBar) throws {
    var files = try SceneFiles(task, count: count, width: width, height: height, folder: folder)
    for start in stride(from: 0, to: count, by: Self.batch) {
      for scene in try scenes(task, start..<min(start + Self.batch, count)) {
        try files.append(scene)
        progress.advance()
      }
    }
    try files.finish()
  }

  /// Renders images on all cores.
  private func scenes(_ task: SceneTask, _ numbers: Range<Int>) throws -> [DrawnScene] {
    try Scene.drawn(
      numbers.map { Scene(task, seed: seed, number: $0, width: width, height: height, categoryCount: categoryCount) })
  }
}
