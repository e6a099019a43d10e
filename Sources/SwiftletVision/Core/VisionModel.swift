import Foundation
import SwiftletFlatBuffers
import SwiftletImage
import SwiftletRuntime
import SwiftletSchema

/// A task's model, ready to run on pictures: the session, the conversion of pictures to its input, and its metadata.
///
/// One caller at a time.
final class VisionModel {
  /// What a task demands of its model's input.
  struct InputRequirements {
    /// Letterbox instead of stretch, and what lies beyond the picture.
    var keepsAspectRatio: Bool
    var border: ImageToTensor.Border
    /// Used when neither options nor metadata say how pixels are normalised; `nil` makes that an error.
    var defaultNormalization: InputNormalization?
  }

  let model: Model
  /// Metadata of the main graph, `nil` when the model has none.
  let metadata: SubgraphMetadata?
  /// The files appended to the model.
  let files: ZIPArchive?
  /// Width and height of the model's input in pixels.
  let inputWidth: Int
  let inputHeight: Int
  private let session: Session
  private var converter: ImageToTensor

  /// - Throws: `VisionTaskError` for everything that is wrong with the options or the model.
  init(_ base: BaseOptions, input requirements: InputRequirements) throws {
    model = try Self.load(base)
    do {
      metadata = try model.file.modelMetadata()?.subgraphs.first
      files = try model.file.associatedFiles()
    } catch {
      throw VisionTaskError.invalid("the model's metadata is damaged: \(error)")
    }
    do {
      let options = RuntimeOptions(threads: base.threads, numerics: base.numerics, precision: base.precision)
      session = try Session(try CompiledModel(model, options: options))
    } catch let error as RuntimeError {
      throw Self.translated(error)
    }
    guard session.inputs.count == 1 else {
      throw VisionTaskError.invalid("the model has \(session.inputs.count) inputs, a vision task's model has one")
    }
    let spec = session.inputs[0]
    guard spec.shape.rank == 4, spec.shape[0] == 1, spec.shape[3] == 3, spec.shape[1] > 0, spec.shape[2] > 0 else {
      throw VisionTaskError.invalid(
        "the model's input \(spec) is not a colour picture; it must be [1 × height × width × 3]")
    }
    inputHeight = spec.shape[1]
    inputWidth = spec.shape[2]
    converter = try ImageToTensor(
      width: inputWidth, height: inputHeight,
      encoding: try Self.encoding(of: spec, metadata?.inputs.first, base, requirements),
      keepsAspectRatio: requirements.keepsAspectRatio, border: requirements.border)
  }

  /// The outputs, with the shapes of the last run.
  var outputs: [TensorSpec] { session.outputs }

  /// Converts the picture, runs the model, and returns the map from the model's input to the stored picture.
  ///
  /// - Parameter regionOfInterest: as fractions of the stored picture, origin at its top left; `CGRect.zero` for all of it.
  func run(_ image: MPImage, regionOfInterest: CGRect) throws -> ImageProjection {
    let region = try NormalizedRect(regionOfInterest: regionOfInterest)
    do {
      let projection = try session.withInput(at: 0) { memory in
        try converter.convert(
          image.buffer, orientation: image.orientation, regionOfInterest: region, into: memory)
      }
      try session.run()
      return projection
    } catch let error as ImageError {
      throw VisionTaskError.invalid(error.message)
    } catch let error as RuntimeError {
      throw Self.translated(error)
    }
  }

  /// Gives `body` output `index` as real numbers, quantised ones multiplied out.
  func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws -> Result {
    let spec = outputs[index]
    func dequantized<Scalar: TensorScalar & BinaryInteger>(_ type: Scalar.Type) throws -> Result {
      guard let quantization = spec.quantization, quantization.scales.count == 1 else {
        throw VisionTaskError.invalid("the model's output \(spec) has no scale and zero point")
      }
      let values = try session.withOutput(at: index, as: type) { elements in
        elements.map { Float(Int32($0) - quantization.zeroPoints[0]) * quantization.scales[0] }
      }
      return try values.withUnsafeBufferPointer(body)
    }
    switch spec.elementType {
    case .float32: return try session.withOutput(at: index, as: Float.self, body)
    case .uint8: return try dequantized(UInt8.self)
    case .int8: return try dequantized(Int8.self)
    default:
      throw VisionTaskError.invalid("the model's output \(spec) must be float32, uint8 or int8")
    }
  }

  /// The custom metadata of that name, `nil` when the model has none.
  func customMetadata(_ name: String) -> ByteRegion? {
    metadata?.customMetadata.first { $0.name == name }?.data
  }

  // MARK: Loading

  private static func load(_ base: BaseOptions) throws -> Model {
    do {
      if !base.modelAssetPath.isEmpty { return try Model(contentsOf: base.modelAssetPath) }
      if let url = base.modelURL {
        guard url.isFileURL else {
          throw VisionTaskError.invalid(
            "\(url.absoluteString) is not a file URL; download the model first and give the file's URL")
        }
        return try Model(contentsOf: url.path)
      }
      if !base.modelBytes.isEmpty { return try Model(bytes: base.modelBytes) }
    } catch let error as RuntimeError {
      throw translated(error)
    }
    throw VisionTaskError.invalid(
      "ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    )
  }

  /// The engine's error as a task's.
  private static func translated(_ error: RuntimeError) -> VisionTaskError {
    switch error.code {
    case .unreadableFile:
      guard let file = error.underlying as? FileError else { return VisionTaskError(.unknown, "\(error)") }
      switch file.code {
      case .notFound: return VisionTaskError(.notFound, "Unable to open file at \(file.path)")
      case .permissionDenied: return VisionTaskError(.permissionDenied, file.message)
      default: return .invalid(file.message)
      }
    case .unsupportedOperators: return VisionTaskError(.unimplemented, "\(error)")
    case .limitExceeded: return VisionTaskError(.resourceExhausted, "\(error)")
    default: return .invalid("\(error)")
    }
  }

  /// How pixels become the numbers of the model's input.
  private static func encoding(
    of spec: TensorSpec, _ metadata: TensorMetadata?, _ base: BaseOptions, _ requirements: InputRequirements
  ) throws -> TensorPixelEncoding {
    if case .image(let properties)? = metadata?.content?.properties, properties.colorSpace == .grayscale {
      throw VisionTaskError.invalid("the model wants grey pictures, only RGB models are supported")
    }
    let stored: Normalization?
    do {
      stored = try metadata?.normalization()
    } catch {
      throw VisionTaskError.invalid("\(error)")
    }
    let known =
      base.inputNormalization
      ?? stored.map { InputNormalization(mean: $0.mean, standardDeviation: $0.deviation) }
    func pixels(_ normalization: InputNormalization) throws -> PixelNormalization {
      do {
        return try PixelNormalization(
          mean: normalization.mean, standardDeviation: normalization.standardDeviation)
      } catch let error as ImageError {
        throw VisionTaskError.invalid(error.message)
      }
    }
    switch spec.elementType {
    case .uint8:
      return .uint8
    case .float32:
      guard let normalization = known ?? requirements.defaultNormalization else {
        throw VisionTaskError(
          .notFound,
          "the model's input \(spec) takes float32 but its metadata has no NormalizationOptions; add them to the model or set inputNormalization in the base options"
        )
      }
      return .float32(try pixels(normalization))
    case .int8:
      guard let normalization = known ?? requirements.defaultNormalization, let quantization = spec.quantization,
        quantization.scales.count == 1
      else { return .int8 }
      return .quantizedInt8(
        try pixels(normalization), scale: quantization.scales[0], zeroPoint: Int(quantization.zeroPoints[0]))
    default:
      throw VisionTaskError.invalid("the model's input \(spec) must be uint8, int8 or float32")
    }
  }
}
