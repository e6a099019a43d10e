import Foundation
import SwiftletMeasurement
import SwiftletModels
import SwiftletEngine
import SwiftletOperators
import SwiftletSyntheticData
import SwiftletTestSupport
import SwiftletVision

/// The shared data of all threads in the mixed soak test: models, images, tasks, and expected results.
final class SoakMaterial: Sendable {
  static let seed: UInt64 = 20_261_122

  /// The files of the bundled models, by model.
  let files: [EmbeddedModel: String]
  /// The published models in the test data; empty if there is none.
  let publishedModels: [String]
  /// Images of several sizes.
  let images: [InputImage]
  /// The frames of one second of video.
  let frames: [InputImage]

  /// The shared task of each kind that all threads call.
  let tasks: [EmbeddedModel: SoakTask]
  /// The expected result of each task for each image.
  let answers: [EmbeddedModel: [String]]
  /// The embedder's model, for sessions with 1, 2, and 4 threads.
  let compiled: [CompiledModel]
  let convolution: CompiledModel
  let growingLoop: CompiledModel
  let endlessLoop: CompiledModel
  /// The model of the endless loop with a deadline of a few milliseconds.
  let hastyLoop: CompiledModel
  let shapeFromValues: CompiledModel

  private static let published = [
    "face/face_detector_short_range_metadata.tflite", "classification/mobilenet_v1_0.25_224_quant.tflite",
    "embedding/mobilenet_v2_035_96_embedder.tflite",
  ]

  /// - Parameter folder: The directory for model files.
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
    images = try subjects.enumerated().map { number, subject in
      InputImage(
        try Scene(subject.0, seed: Self.seed, number: number, width: subject.1, height: subject.2).drawn().image)
    }
    let video = SceneVideo(seed: Self.seed, width: 160, height: 160, objectCount: 3)
    frames = try (0..<12).map { InputImage(try video.scene(at: Float($0) / 12).drawn().image) }
    var tasks: [EmbeddedModel: SoakTask] = [:]
    var answers: [EmbeddedModel: [String]] = [:]
    for model in EmbeddedModel.allCases {
      let task = try SoakTask(model, base: BaseOptions(model: .embedded(model)))
      tasks[model] = task
      answers[model] = try images.map(task.answer)
    }
    self.tasks = tasks
    self.answers = answers
    let embedder = try Model(bytes: EmbeddedModel.imageEmbedder.bytes)
    compiled = try [1, 2, 4].map { try CompiledModel(embedder, options: RuntimeOptions(threads: $0)) }
    convolution = try CompiledModel(try SoakModels.convolution(), options: RuntimeOptions(threads: 2))
    growingLoop = try CompiledModel(try SoakModels.growingLoop())
    let endless = try SoakModels.endlessLoop()
    endlessLoop = try CompiledModel(endless)
    hastyLoop = try Self.compiled(endless, timeout: .milliseconds(1))
    shapeFromValues = try CompiledModel(try SoakModels.shapeFromValues())
  }

  /// Compiles a model with a deadline, which is doubled until a busy machine loads the model in time.
  private static func compiled(_ model: Model, timeout: Duration) throws -> CompiledModel {
    do {
      return try CompiledModel(model, options: RuntimeOptions(timeout: timeout))
    } catch let error where error.code == .deadlineExceeded {
      return try compiled(model, timeout: timeout * 2)
    }
  }

  /// Returns one of the bundled models.
  static func anyModel(_ generator: inout SplitMix64) -> EmbeddedModel {
    EmbeddedModel.allCases.randomElement(using: &generator) ?? .faceDetector
  }

  /// Returns a shared task with its model and the index of an image.
  func anyTask(_ generator: inout SplitMix64) -> (EmbeddedModel, SoakTask, Int)? {
    let model = Self.anyModel(&generator)
    let imageIndex = Int.random(in: images.indices, using: &generator)
    return tasks[model].map { (model, $0, imageIndex) }
  }

  /// Checks a task's result.
  ///
  /// - Throws: `MeasurementFailure` unless `answer` equals the first result of that model for that image.
  func expect(_ answer: String, _ model: EmbeddedModel, imageIndex: Int, in work: String, _ how: String = "") throws {
    guard let first = answers[model]?[imageIndex], first != answer else { return }
    throw MeasurementFailure(
      file: work,
      reason: "\(model.rawValue)\(how) says of image \(imageIndex): \(answer); the first time it said: \(first)")
  }
}
