import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletSchema
import SwiftletSyntheticData

/// The inputs of a diagnosis: images and `.npy` files, or generated ones.
struct DoctorInputs {
  /// The inputs of each run.
  let sets: [[Tensor]]
  /// Whether the inputs come from files.
  let areFiles: Bool

  /// The maximum number of input sets.
  static let maximumCount = 1000
  /// The number of generated input sets.
  private static let generatedCount = 4

  /// Reads inputs for a model.
  ///
  /// - Parameters:
  ///   - words: Files, and directories of files; empty to generate inputs.
  ///   - other: The reference, whose metadata says how images are normalized if it says so.
  /// - Throws: `ToolError` and `UsageError` if there are no inputs, or if they don't suit the model.
  init(_ words: [String], for model: Model, reference other: Model?) throws {
    let inputs = try model.declaredInputs()
    // All inputs are held in memory; real numbers take four bytes.
    let setBytes = inputs.reduce(0) { total, spec in
      let (sum, overflow) = total.addingReportingOverflow(
        ElementType.float32.byteCount(elements: spec.shape.elementCount) ?? .max)
      return overflow ? .max : sum
    }
    func require(_ count: Int) throws {
      guard setBytes <= RuntimeOptions.Limits().tensorBytes / max(1, count) else {
        throw UsageError("\(count) inputs of \(setBytes) bytes take more memory than the doctor may use; give fewer")
      }
    }
    let images = inputs.count == 1 ? ImageInput(inputs[0], model, reference: other) : nil
    guard !words.isEmpty else {
      areFiles = false
      try require(Self.generatedCount)
      sets = try Self.generated(inputs, images)
      return
    }
    areFiles = true
    let files = try words.flatMap { try Self.files($0) }
    guard !inputs.isEmpty else { throw UsageError("the model takes no inputs; leave out --inputs") }
    guard files.count % inputs.count == 0 else {
      throw UsageError(
        "the model takes \(inputs.count) inputs, so --inputs takes a multiple of \(inputs.count) files, in the order of the inputs; got \(files.count)"
      )
    }
    guard files.count / inputs.count <= Self.maximumCount else {
      throw UsageError("--inputs takes at most \(Self.maximumCount) inputs, got \(files.count / inputs.count)")
    }
    try require(files.count / inputs.count)
    var sets: [[Tensor]] = []
    for start in stride(from: 0, to: files.count, by: inputs.count) {
      sets.append(
        try inputs.indices.map { try Self.tensor(files[start + $0], for: inputs[$0], images) })
    }
    self.sets = sets
  }

  private static func files(_ word: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), isFolder.boolValue else {
      try InputFile.require(word)
      return [word]
    }
    let files = try FolderListing.paths(in: word).filter { path in
      [".jpg", ".jpeg", ".png", ".npy"].contains { path.lowercased().hasSuffix($0) }
    }
    guard !files.isEmpty else {
      throw ToolError(file: word, reason: "the folder holds no inputs (.npy, .jpg, .jpeg or .png)")
    }
    return files
  }

  private static func tensor(_ file: String, for spec: TensorSpec, _ images: ImageInput?) throws -> Tensor {
    if file.lowercased().hasSuffix(".npy") {
      let stored = try NPYFile.read(file)
      do {
        return try Tensor(elementType: stored.elementType, shape: Shape(stored.shape), bytes: stored.bytes)
      } catch {
        throw ToolError(file: file, reason: "\(error)")
      }
    }
    guard [".jpg", ".jpeg", ".png"].contains(where: { file.lowercased().hasSuffix($0) }) else {
      throw ToolError(file: file, reason: "is neither .npy nor an image (.jpg, .jpeg or .png)")
    }
    guard let images else {
      throw ToolError(
        file: file,
        reason: "is an image, but the model takes no single image: its first input is \(spec); give .npy files")
    }
    do {
      return try images.tensor(try ImageDecoder.decode(path: file).image)
    } catch let error as ImageCodecError {
      throw ToolError(file: file, reason: error.message)
    }
  }

  /// Returns synthetic images for a model that takes one image, otherwise the synthetic inputs of measurements.
  private static func generated(_ inputs: [TensorSpec], _ images: ImageInput?) throws -> [[Tensor]] {
    if let images {
      let scenes = (0..<generatedCount).map {
        Scene(.classification, seed: DemoImages.seed, number: $0, width: 256, height: 256)
      }
      return try Scene.drawn(scenes).map { [try images.tensor($0.image)] }
    }
    return try (0..<generatedCount).map { number in
      try inputs.enumerated().map { index, spec in
        guard spec.elementType != .string else {
          throw UsageError("input \(spec) takes strings, which the doctor cannot make up; give --inputs")
        }
        return try SyntheticInput.tensor(spec, seed: number * inputs.count + index)
      }
    }
  }
}

extension Model {
  /// The inputs of the main graph.
  fileprivate func declaredInputs() throws -> [TensorSpec] {
    let graph = file.subgraphs[0]
    return graph.inputs.map { input in
      let tensor = graph.tensors[input]
      return TensorSpec(
        name: tensor.name, elementType: tensor.type, shape: Shape(tensor.shape), shapeSignature: tensor.shapeSignature,
        quantization: tensor.quantization.map {
          QuantizationParameters(scales: $0.scales, zeroPoints: $0.zeroPoints.map { Int32(clamping: $0) })
        })
    }
  }
}

/// The conversion of images to a model's only input.
private struct ImageInput {
  private let width: Int
  private let height: Int
  private let channels: ImageToTensor.Channels
  private let isChannelsFirst: Bool
  private let normalization: PixelNormalization

  /// Creates the conversion, or `nil` for a model that doesn't take an image.
  ///
  /// The normalization is that of the reference's metadata, otherwise that of the model's, otherwise the range that a
  /// quantized input holds, otherwise −1 to 1.
  init?(_ input: TensorSpec, _ model: Model, reference: Model?) {
    let shape = input.shape.dimensions
    guard shape.count == 4, shape[0] == 1 else { return nil }
    let counts = [1, 3, 4]
    isChannelsFirst = !counts.contains(shape[3]) && counts.contains(shape[1])
    let (size, count) = isChannelsFirst ? ((shape[2], shape[3]), shape[1]) : ((shape[1], shape[2]), shape[3])
    guard let channels = ImageToTensor.Channels(rawValue: count), size.0 > 1, size.1 > 1 else { return nil }
    (height, width) = size
    self.channels = channels
    let described = [reference, model].compactMap { $0 }.lazy.compactMap { model in
      (try? model.file.modelMetadata())?.inputs.first.flatMap { try? $0.normalization() }
    }.compactMap { try? PixelNormalization(mean: $0.mean, standardDeviation: $0.deviation) }.first {
      $0.scale.count == 1 || $0.scale.count == count
    }
    if let described {
      normalization = described
    } else if let stored = Self.storedInput(of: model.file.subgraphs[0]), let scale = stored.quantization?.scales.first,
      let zeroPoint = stored.quantization?.zeroPoints.first, scale > 0
    {
      let lower = scale * Float((stored.type == .int8 ? -128 : 0) - zeroPoint)
      normalization = Self.usual(lower, lower + 255 * scale)
    } else {
      normalization = .minusOneToOne
    }
  }

  /// Returns the input of a graph as it is quantized, by itself or by the first operator; `nil` if it isn't.
  private static func storedInput(of graph: Subgraph) -> SwiftletSchema.TensorDescription? {
    guard let input = graph.inputs.first else { return nil }
    let conversion = graph.operators.first { $0.code.kind == .builtin(.quantize) && $0.inputs.first == input }
    let tensor = graph.tensors[conversion?.outputs.first ?? input]
    return tensor.type == .int8 || tensor.type == .uint8 ? tensor : nil
  }

  /// Returns the usual normalization whose range is nearest to the range that an input holds.
  ///
  /// A range of 0 to 0.5 is that of no usual normalization: the input is quantized in a wrong way, and the images are
  /// given as the model wants them.
  private static func usual(_ lower: Float, _ upper: Float) -> PixelNormalization {
    let width = upper - lower
    let ranges: [(lower: Float, upper: Float, normalization: PixelNormalization)] = [
      (0, 1, .zeroToOne), (-1, 1, .minusOneToOne), (0, 255, .unchanged),
    ]
    let isSigned = lower < -width / 16
    let nearest = ranges.filter { ($0.lower < 0) == isSigned }.min {
      abs(log(($0.upper - $0.lower) / width)) < abs(log(($1.upper - $1.lower) / width))
    }
    return nearest?.normalization ?? .minusOneToOne
  }

  /// Returns an image as real numbers in the shape of the input, stretched to its size.
  func tensor(_ image: ImageBuffer) throws -> Tensor {
    var converter = try ImageToTensor(
      width: width, height: height, channels: channels, encoding: .float32(normalization))
    let count = width * height * channels.rawValue
    var values = [Float](repeating: 0, count: count)
    try values.withUnsafeMutableBytes { _ = try converter.convert(image, into: $0) }
    let shape = [1, height, width, channels.rawValue]
    guard isChannelsFirst else { return try Tensor(values, shape: Shape(shape)) }
    let plane = width * height
    var planes = values
    for position in 0..<plane {
      for channel in 0..<channels.rawValue {
        planes[channel * plane + position] = values[position * channels.rawValue + channel]
      }
    }
    return try Tensor(planes, shape: Shape([1, channels.rawValue, height, width]))
  }
}
