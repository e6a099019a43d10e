import Foundation
import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport

/// Models for tasks, valid or nearly valid.
enum TaskModels {
  /// The bundled models of this package.
  private static let trained: [FuzzModel] = {
    let folder = TestData.packagePath + "/Models"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasSuffix(".tflite")
    }.sorted()
    return names.compactMap { try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }.compactMap {
      FuzzModel(reading: ByteRegion([UInt8]($0)))
    } + [FuzzModel(reading: ByteRegion(hearing.bytes))].compactMap { $0 }
  }()

  /// A model with audio input.
  static let hearing: PassingModel = {
    var model = PassingModel(
      width: 1, height: 1, outputs: [.init(shape: [1, 12], name: "scores", labels: (0..<12).map(String.init))],
      normalization: nil)
    model.inputShape = [1, 12]
    model.sound = (16_000, 1)
    return model
  }()

  /// The metadata of models about their images, outputs, and anchors, which tasks read.
  private static let metadata: [(name: String, bytes: [UInt8])] = trained.flatMap { model in
    model.metadata.compactMap { entry in
      guard model.buffers.indices.contains(Int(entry.buffer)), let bytes = model.buffers[Int(entry.buffer)] else {
        return nil
      }
      return (entry.name, bytes)
    }
  }

  /// Returns the model of a campaign's case.
  static func model(seed: UInt64, case number: Int) -> [UInt8] {
    var random = FuzzRandom(seed: seed ^ 0x7461_736B, case: number)
    var model = random.oneIn(4) ? random.pick(trained) ?? FuzzModel() : shaped(&random)
    for _ in 0..<random.below(3) { describe(&model, &random) }
    if random.oneIn(2) {
      var mutator = ModelMutator(FuzzRandom(seed: random.next()), donor: random.pick(SeedModels.parsed))
      mutator.mutate(&model)
    }
    return model.bytes + (random.oneIn(3) ? random.pick(SeedFiles.archives) ?? [] : [])
  }

  /// Replaces or supplements the metadata with that of another model, changed or not.
  private static func describe(_ model: inout FuzzModel, _ random: inout FuzzRandom) {
    guard let (name, known) = random.pick(metadata) else { return }
    var bytes = known
    if random.oneIn(2) {
      for _ in 0..<random.within(1...4) where !bytes.isEmpty {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    model.buffers.append(bytes)
    let entry = FuzzModel.Metadata(name: name, buffer: UInt32(model.buffers.count - 1))
    if let index = model.metadata.firstIndex(where: { $0.name == name }), !random.oneIn(4) {
      model.metadata[index] = entry
    } else {
      model.metadata.append(entry)
    }
  }

  // MARK: Outputs

  /// Returns a model with a small image input, whose outputs have the shapes of a task and any values.
  private static func shaped(_ random: inout FuzzRandom) -> FuzzModel {
    let (height, width) = (random.within(1...12), random.within(1...12))
    let outputs = shapes(&random).map { shape in (values(shape.reduce(1, *), &random), shape) }
    let graph = TestGraph.giving(outputs, forImageOf: height, by: width)
    return FuzzModel(reading: ByteRegion(TestGraph.bytes([graph]))) ?? FuzzModel()
  }

  private static func shapes(_ random: inout FuzzRandom) -> [[Int]] {
    let count = random.one(0, 1, 2, 3, 10, 100, 896), classes = random.one(0, 1, 2, 3, 5, 91),
      side = random.within(1...20)
    let shapes: [[Int]]
    switch random.below(6) {
    // Detectors: boxes, classes, scores, and their number; boxes and scores of anchors; boxes with keypoints.
    case 0, 1: shapes = [[1, count, 4], [1, count], [1, count], [1]]
    case 2: shapes = [[1, count, 4], [1, count, classes]]
    case 3: shapes = [[1, count, random.one(16, 18, 4, 5)], [1, count, 1]]
    // Masks, and numbers.
    case 4: shapes = [[1, side, random.within(1...20), classes]]
    default:
      shapes = Array(
        repeating: random.one([1, classes], [1, 1, 1, classes], [classes], [1, count]), count: random.within(1...2))
    }
    return random.oneIn(4) ? Array(shapes.reversed()) : shapes
  }

  /// Returns typical boxes, scores, and classes; some values are arbitrary.
  private static func values(_ count: Int, _ random: inout FuzzRandom) -> [Float] {
    let scale = random.one(1, 1, 1, 10, 300) as Float, odd = random.one(4, 64, 1 << 20)
    return (0..<count).map { _ in
      if random.oneIn(odd) { return random.hostileFloat() }
      return random.oneIn(4) ? Float(random.below(8)) : Float(random.below(1 << 16)) / 65_536 * scale
    }
  }
}
