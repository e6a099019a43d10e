package import SwiftletEngine
package import SwiftletImage
import SwiftletSchema
import SwiftletTasks

/// A task's model, ready to run on images: a task model with the conversion of images to its input.
///
/// - Thread safety: one caller at a time.
package final class VisionModel {
  /// The task model, which knows nothing of images.
  package let base: TaskModel
  private(set) var input: VisionModelInput

  /// The width of the model's input in pixels.
  var inputWidth: Int { input.width }
  var inputHeight: Int { input.height }
  /// The outputs, with the shapes of the last run.
  package var outputs: [TensorSpec] { base.outputs }

  /// Creates a model from the model of a context.
  ///
  /// - Parameter unusedOutputs: The indices of outputs that the task never reads.
  /// - Throws: `TaskError` for every problem with the options or the model.
  package convenience init(
    _ context: ModelContext, input requirements: VisionModelInput.Requirements, unusedOutputs: Set<Int> = []
  ) throws {
    try self.init(try context.load(), context, input: requirements, unusedOutputs: unusedOutputs)
  }

  /// Creates a model from a loaded model.
  ///
  /// - Parameters:
  ///   - model: The model of the context, already loaded.
  ///   - context: The options of the model, and the state that it shares.
  ///   - unusedOutputs: The indices of outputs that the task never reads.
  /// - Throws: `TaskError` for every problem with the options or the model.
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
  /// - Parameter region: The part of the image, in coordinates of the stored image; `nil` for the whole image.
  package func run(_ image: InputImage, region: NormalizedRect? = nil) throws -> ImageProjection {
    let start = PhaseTimes.start()
    let projection = try base.session.withInput(0) { memory in
      try input.convert(image, region: region, into: memory)
    }
    PhaseTimes.end(.conversion, since: start)
    try base.run()
    return projection
  }

  /// Fills the model's alpha channel, if it has one, with 0.
  func clearAlpha() { input.clearsAlpha = true }

  /// Calls `body` with output `index` as real numbers; quantized values are dequantized.
  ///
  /// - Throws: `TaskError` if the output has an unsupported element type, and the errors of `body`.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    try base.withRealOutput(index, body)
  }
}

/// The conversion of images to a model's input: the selection of pixels, and their normalization.
package struct VisionModelInput {
  /// The requirements of a task on its model's input.
  package struct Requirements: Sendable {
    /// Whether to letterbox the image instead of stretching it; `border` is the fill beyond the image.
    var keepsAspectRatio = false
    var border = ImageToTensor.Border.replicate
    /// The normalization if neither options nor metadata specify one; `nil` makes its absence an error.
    var defaultNormalization: InputNormalization?
    /// Whether models with an alpha channel are accepted.
    var acceptsAlpha = false

    /// The requirements of all tasks except the face detector: stretched images.
    package static let stretched = Requirements()
  }

  /// The width of the model's input in pixels.
  let width: Int
  let height: Int
  /// Whether the input has an alpha channel. Images are then resized instead of sampled, and neither rotated nor
  /// cropped.
  let hasAlpha: Bool
  /// Whether to fill the alpha channel with 0 instead of the image's alpha.
  var clearsAlpha = false
  private var converter: ImageToTensor

  /// Creates the conversion for an input tensor.
  ///
  /// - Throws: `TaskError` if the tensor is not an image or its normalization is not known.
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

  /// Writes the image to the model's input.
  ///
  /// - Parameter region: The part of the image, in coordinates of the stored image; `nil` for the whole image. It may
  ///   be rotated, and may extend beyond the image; the fill there depends on the task's model.
  /// - Returns: The map from the model's input to the stored image.
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

  /// Returns the image in the size of the tensor, every pixel with alpha: averaged if both sides shrink, otherwise
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

  /// Returns the encoding of pixels as input elements.
  private static func encoding(
    of spec: TensorSpec, _ metadata: TensorMetadata?, _ base: BaseOptions, _ requirements: Requirements
  ) throws -> TensorPixelEncoding {
    if case .image(let properties)? = metadata?.content?.properties, properties.colorSpace == .grayscale {
      throw TaskError.invalidModel("the model requires gray images; only RGB models are supported")
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

  /// Returns the normalization from the metadata.
  private static func described(_ metadata: TensorMetadata?) throws(TaskError) -> InputNormalization? {
    try TaskError.wrapping(as: .invalidModel) {
      try metadata?.normalization().map { InputNormalization(mean: $0.mean, standardDeviation: $0.deviation) }
    }
  }

  private static func pixels(_ normalization: InputNormalization, channels: Int) throws -> PixelNormalization {
    var (mean, deviation) = (normalization.mean, normalization.standardDeviation)
    // If all three values are equal, they apply to the alpha channel too.
    if channels == 4, Set(mean).count == 1, Set(deviation).count == 1 {
      (mean, deviation) = ([mean[0]], [deviation[0]])
    }
    return try PixelNormalization(mean: mean, standardDeviation: deviation)
  }
}

extension ImageError: TaskErrorConvertible {
  package var taskError: TaskError { TaskError(.invalidImage, message) }
}
