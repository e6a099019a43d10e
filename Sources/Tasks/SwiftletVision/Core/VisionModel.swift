package import SwiftletEngine
package import SwiftletImage
import SwiftletSchema
import SwiftletTasks

/// A task's model, ready to run on images: what every task's model has, and the conversion of images to its input.
///
/// One caller at a time.
package final class VisionModel {
  /// The model without its images.
  package let base: TaskModel
  private(set) var input: VisionModelInput

  /// Width and height of the model's input in pixels.
  var inputWidth: Int { input.width }
  var inputHeight: Int { input.height }
  /// The outputs, with the shapes of the last run.
  package var outputs: [TensorSpec] { base.outputs }

  /// - Parameter unusedOutputs: positions of outputs that the task never asks for.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package convenience init(
    _ context: ModelContext, input requirements: VisionModelInput.Requirements, unusedOutputs: Set<Int> = []
  ) throws {
    try self.init(try context.load(), context, input: requirements, unusedOutputs: unusedOutputs)
  }

  /// - Parameters:
  ///   - model: The model of the context, once it is loaded.
  ///   - context: How the model runs, and what it shares.
  ///   - unusedOutputs: positions of outputs that the task never asks for.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package init(
    _ model: Model, _ context: ModelContext, input requirements: VisionModelInput.Requirements,
    unusedOutputs: Set<Int> = []
  ) throws {
    let task = try TaskModel(model, context, unusedOutputs: unusedOutputs)
    guard task.inputs.count == 1 else {
      throw TaskError.invalidModel("the model has \(task.inputs.count) inputs, a vision task's model has one")
    }
    self.base = task
    input = try VisionModelInput(task.inputs[0], task.metadata?.inputs.first, context.options, requirements)
  }

  /// Converts the image, runs the model, and returns the map from the model's input to the stored image.
  ///
  /// - Parameter region: in coordinates of the stored image; `nil` for all of it.
  package func run(_ image: InputImage, region: NormalizedRect? = nil) throws -> ImageProjection {
    let projection = try base.session.withInput(0) { memory in
      try input.convert(image, region: region, into: memory)
    }
    try base.run()
    return projection
  }

  /// Fills the alpha channel of a model that has one with 0.
  func clearAlpha() { input.clearsAlpha = true }

  /// Gives `body` output `index` as real numbers, quantized ones multiplied out.
  ///
  /// - Throws: `TaskError` when the output is of a type that stands for no numbers, and what `body` throws.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    try base.withRealOutput(index, body)
  }
}

/// How images become a model's input: which pixels are taken, and what numbers they become.
package struct VisionModelInput {
  /// What a task demands of its model's input.
  package struct Requirements: Sendable {
    /// Letterbox instead of stretch, and what lies beyond the image.
    var keepsAspectRatio = false
    var border = ImageToTensor.Border.replicate
    /// Used when neither options nor metadata say how pixels are normalized; `nil` makes that an error.
    var defaultNormalization: InputNormalization?
    /// Whether models with an alpha channel are accepted.
    var acceptsAlpha = false

    /// Stretch, as all tasks but the face detector do.
    package static let stretched = Requirements()
  }

  /// Width and height of the model's input in pixels.
  let width: Int
  let height: Int
  /// Whether the model takes an alpha channel. Images are then resized instead of sampled, and neither turned nor
  /// cut.
  let hasAlpha: Bool
  /// Fills the alpha channel with 0 instead of the image's alpha.
  var clearsAlpha = false
  private var converter: ImageToTensor

  /// - Throws: `TaskError` when the tensor is not an image or its numbers are not described.
  init(_ spec: TensorSpec, _ metadata: TensorMetadata?, _ base: BaseOptions, _ requirements: Requirements) throws {
    let channels = spec.shape.rank == 4 ? spec.shape[3] : 0
    guard spec.shape.rank == 4, spec.shape[0] == 1, spec.shape[1] > 0, spec.shape[2] > 0,
      channels == 3 || channels == 4 && requirements.acceptsAlpha
    else {
      throw TaskError.invalidModel(
        "the model's input \(spec) is not a color image; it must be [1 × height × width × 3]\(requirements.acceptsAlpha ? ", or 4 with alpha" : "")"
      )
    }
    height = spec.shape[1]
    width = spec.shape[2]
    hasAlpha = channels == 4
    do {
      converter = try ImageToTensor(
        width: width, height: height, channels: hasAlpha ? .rgba : .rgb,
        encoding: try Self.encoding(of: spec, metadata, base, requirements),
        keepsAspectRatio: requirements.keepsAspectRatio, border: requirements.border)
    } catch let error as ImageError {
      throw TaskError.invalidModel("the model's input \(spec): \(error.message)")
    }
  }

  /// Writes the image as the model's input.
  ///
  /// - Parameter region: what to cut out, in coordinates of the stored image; `nil` for all of it. It may
  ///   be turned, and may reach beyond the image: what is there depends on the task's model.
  /// - Returns: the map from the model's input to the stored image.
  /// - Throws: `TaskError` for regions without an area, and `ImageError`.
  mutating func convert(
    _ image: InputImage, region: NormalizedRect?, into tensor: UnsafeMutableRawBufferPointer
  ) throws -> ImageProjection {
    guard !hasAlpha else { return try converter.convert(try resizedWithAlpha(image.buffer), into: tensor) }
    let region = region ?? .fullImage
    guard region.width > 0, region.height > 0 else {
      throw TaskError(
        .invalidRegion,
        "the region of interest is \(region.width) × \(region.height) of the image; both must be greater than 0")
    }
    return try converter.convert(
      image.buffer, orientation: image.orientation, regionOfInterest: region, into: tensor)
  }

  /// The image in the size of the tensor, every pixel with alpha: averaged when it shrinks both ways, else
  /// interpolated.
  ///
  /// - Source: MediaPipe's path for segmentation models with four channels.
  private func resizedWithAlpha(_ image: ImageBuffer) throws -> ImageBuffer {
    let shrinks = image.width > width && image.height > height
    let resized =
      try shrinks ? image.averaged(width: width, height: height) : image.resized(width: width, height: height)
    let colored = try resized.converted(to: .rgba8)
    guard clearsAlpha else { return colored }
    var bytes = colored.packedBytes()
    for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 0 }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgba8)
  }

  // MARK: Numbers

  /// How pixels become the numbers of the model's input.
  private static func encoding(
    of spec: TensorSpec, _ metadata: TensorMetadata?, _ base: BaseOptions, _ requirements: Requirements
  ) throws -> TensorPixelEncoding {
    if case .image(let properties)? = metadata?.content?.properties, properties.colorSpace == .grayscale {
      throw TaskError.invalidModel("the model wants gray images, only RGB models are supported")
    }
    let known = try base.inputNormalization ?? described(metadata)
    switch spec.elementType {
    case .uint8:
      return .uint8
    case .float32:
      guard let normalization = known ?? requirements.defaultNormalization else {
        throw TaskError(
          .missingMetadata,
          "the model's input \(spec) takes float32 but its metadata has no NormalizationOptions; add them to the model or set inputNormalization in the base options"
        )
      }
      return .float32(try pixels(normalization, channels: spec.shape.innermost))
    case .int8:
      guard let normalization = known ?? requirements.defaultNormalization, let quantization = spec.quantization,
        quantization.scales.count == 1
      else { return .int8 }
      return .quantizedInt8(
        try pixels(normalization, channels: spec.shape.innermost), scale: quantization.scales[0],
        zeroPoint: Int(quantization.zeroPoints.first ?? 0))
    default:
      throw TaskError.invalidModel("the model's input \(spec) must be uint8, int8 or float32")
    }
  }

  /// What the metadata says of normalization.
  private static func described(_ metadata: TensorMetadata?) throws(TaskError) -> InputNormalization? {
    try TaskError.wrapping(as: .invalidModel) {
      try metadata?.normalization().map { InputNormalization(mean: $0.mean, standardDeviation: $0.deviation) }
    }
  }

  private static func pixels(_ normalization: InputNormalization, channels: Int) throws -> PixelNormalization {
    var (mean, deviation) = (normalization.mean, normalization.standardDeviation)
    // Three equal values of a model with alpha hold for the fourth channel, too.
    if channels == 4, Set(mean).count == 1, Set(deviation).count == 1 {
      (mean, deviation) = ([mean[0]], [deviation[0]])
    }
    return try PixelNormalization(mean: mean, standardDeviation: deviation)
  }
}

extension ImageError: TaskErrorConvertible {
  package var taskError: TaskError { TaskError(.invalidImage, message) }
}
