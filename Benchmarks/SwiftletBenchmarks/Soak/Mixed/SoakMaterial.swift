import Foundation
import SwiftletMeasurement
import SwiftletModels
import SwiftletEngine
import SwiftletOperators
import SwiftletSyntheticData
import SwiftletTestSupport
import SwiftletVision

/// What all threads of the mixed soak work with: models, images, tasks that they share, and the results that are
/// right.
final class SoakMaterial: Sendable {
  static let seed: UInt64 = 20_261_122

  /// Files of the package's own models, by model.
  let files: [EmbeddedModel: String]
  /// Published models of the test data; empty where there is none.
  let publishedModels: [String]
  /// Images of several sizes.
  let pictures: [InputImage]
  /// Frames of a video, one second of it.
  let frames: [InputImage]

  /// A task of each kind that all threads call.
  let tasks: [EmbeddedModel: SoakTask]
  /// What each task says of each image.
  let answers: [EmbeddedModel: [String]]
  /// The embedder's model, for sessions with 1, 2 and 4 threads.
  let compiled: [CompiledModel]
  let convolution: CompiledModel
  let growingLoop: CompiledModel
  let endlessLoop: CompiledModel
  /// The same model, which may run for a millisecond.
  let hastyLoop: CompiledModel
  let shapeFromValues: CompiledModel

  private static let published = [
    "face/face_detector_short_range_metadata.tflite", "classification/mobilenet_v1_0.25_224_quant.tflite",
    "embedding/mobilenet_v2_035_96_embedder.tflite",
  ]

  /// - Parameter folder: where files of models are written.
  init(folder: TemporaryFolder) throws {
    var files: [EmbeddedModel: String] = [:]
    for model in EmbeddedModel.allCases {
      let path = folder.path(model.fileName)
      try Data(model.bytes).write(to: URL(fileURLWithPath: path))
      files[model] = path
    }
    self.files = files
    publishedModels = Self.published.map { TestData.path("models/" + $0) }.filter {
      FileManager.default.fileExists(atPath: $0)
    }
    let subjects: [(SceneTask, Int, Int)] = [
      (.face, 160, 120), (.detection, 200, 200), (.segmentation, 96, 144), (.classification, 64, 64),
    ]
    pictures = try subjects.enumerated().map { number, subject in
      InputImage(
        try Scene(subject.0, seed: Self.seed, number: number, width: subject.1, height: subject.2).drawn().picture)
    }
    let video = SceneVideo(seed: Self.seed, width: 160, height: 160, objectCount: 3)
    frames = try (0..<12).map { InputImage(try video.scene(at: Float($0) / 12).drawn().picture) }
    var tasks: [EmbeddedModel: SoakTask] = [:]
    var answers: [EmbeddedModel: [String]] = [:]
    for model in EmbeddedModel.allCases {
      let task = try SoakTask(model, base: BaseOptions(model: .embedded(model)))
      tasks[model] = task
      answers[model] = try pictures.map(task.answer)
    }
    self.tasks = tasks
    self.answers = answers
    let embedder = try Model(bytes: EmbeddedModel.imageEmbedder.bytes)
    compiled = try [1, 2, 4].map { try CompiledModel(embedder, options: RuntimeOptions(threads: $0)) }
    convolution = try CompiledModel(try SoakModels.convolution(), options: RuntimeOptions(threads: 2))
    growingLoop = try CompiledModel(try SoakModels.growingLoop())
    let endless = try SoakModels.endlessLoop()
    endlessLoop = try CompiledModel(endless)
    hastyLoop = try CompiledModel(endless, options: RuntimeOptions(timeout: .milliseconds(1)))
    shapeFromValues = try CompiledModel(try SoakModels.shapeFromValues())
  }

  /// One of the package's own models.
  static func anyModel(_ generator: inout SplitMix64) -> EmbeddedModel {
    EmbeddedModel.allCases.randomElement(using: &generator) ?? .faceDetector
  }

  /// A task that all threads share, its model, and the index of an image for it.
  func anyTask(_ generator: inout SplitMix64) -> (EmbeddedModel, SoakTask, Int)? {
    let model = Self.anyModel(&generator)
    let picture = Int.random(in: pictures.indices, using: &generator)
    return tasks[model].map { (model, $0, picture) }
  }

  /// - Throws: `MeasurementFailure` unless `answer` is what the first task with that model said of that image.
  func expect(_ answer: String, _ model: EmbeddedModel, picture: Int, in work: String, _ how: String = "") throws {
    guard let first = answers[model]?[picture], first != answer else { return }
    throw MeasurementFailure(
      file: work,
      reason: "\(model.rawValue)\(how) says of image \(picture): \(answer); the first time it said: \(first)")
  }
}
