import Foundation
import SwiftletBase
internal import SwiftletSchema

/// A manifest with the directories that its paths are relative to. Models and tensors are read on demand.
///
/// - Thread safety: Can be called concurrently; every read opens its own file.
package struct GoldenSuite: Sendable {
  package let manifest: GoldenManifest
  /// The path of the manifest, for messages.
  package let manifestPath: String
  private let folder: String
  private let modelsFolder: String

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - manifestPath: The path of the `manifest.json`; tensor files are relative to its directory.
  ///   - modelsFolder: The directory of the models; by default `models` next to the manifest's directory.
  /// - Throws: `GoldenError.unreadable`, `.malformed` (not the JSON of a manifest), or `.unsupported` (another format
  ///   or byte order).
  package init(manifestPath: String, modelsFolder: String? = nil) throws(GoldenError) {
    let bytes = try GoldenFile.readWhole(manifestPath, limit: Self.manifestByteLimit)
    do {
      manifest = try JSONDecoder().decode(GoldenManifest.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw GoldenError(.malformed, file: manifestPath, "not a golden manifest: \(error.placeAndReason)")
    } catch {
      throw GoldenError(.malformed, file: manifestPath, "not a golden manifest: \(error)")
    }
    guard manifest.format == GoldenManifest.supportedFormat else {
      throw GoldenError(
        .unsupported, file: manifestPath,
        "manifest format \(manifest.format); this version reads format \(GoldenManifest.supportedFormat)")
    }
    guard manifest.byteOrder == nil || manifest.byteOrder == "little" else {
      throw GoldenError(
        .unsupported, file: manifestPath,
        "byte order \"\(manifest.byteOrder ?? "")\"; only little-endian tensors are supported")
    }
    self.manifestPath = manifestPath
    let url = URL(fileURLWithPath: manifestPath).deletingLastPathComponent()
    folder = url.path
    self.modelsFolder = modelsFolder ?? url.deletingLastPathComponent().appendingPathComponent("models").path
  }

  /// The maximum size of a manifest. Manifests describe tensors but don't contain them, so a larger file isn't one.
  private static let manifestByteLimit = 256 << 20

  /// Returns the path of a model that has a file of its own, or `nil` if the model is packed.
  package func modelPath(of model: GoldenModel) throws(GoldenError) -> String? {
    guard model.modelFile == nil else { return nil }
    return try resolve(model.model, below: modelsFolder)
  }

  /// Returns the bytes of a model, whether it is packed or not.
  package func modelBytes(of model: GoldenModel) throws(GoldenError) -> [UInt8] {
    guard let file = model.modelFile else {
      return try GoldenFile.readWhole(resolve(model.model, below: modelsFolder), limit: Int.max)
    }
    guard let offset = model.modelOffset, let count = model.modelBytes else {
      throw GoldenError(
        .malformed, file: manifestPath, "model \(model.model) has a model_file but no model_offset and model_bytes")
    }
    return try GoldenFile.read(resolve(file, below: folder), offset: offset, count: count)
  }

  /// Returns the values of an input, with `uint8` storage converted back to float32.
  ///
  /// - Throws: `GoldenError` if the description contradicts itself or the file is too short.
  package func tensor(for input: GoldenInput) throws(GoldenError) -> GoldenTensor {
    let elementType = try elementType(of: input.dtype, tensor: input.name)
    let count = try counting(input.shape, tensor: input.name)
    switch input.storage ?? "raw" {
    case "raw":
      let bytes = try read(input.location, type: elementType, elements: count, tensor: input.name)
      return try tensor(elementType, input.shape, bytes, name: input.name)
    case "uint8":
      guard elementType == .float32 else {
        throw malformed(input.name, "storage uint8 is only defined for float32, not \(input.dtype)")
      }
      guard let mean = input.mean, let std = input.std, mean.isFinite, std.isFinite, Float(std) != 0 else {
        throw malformed(input.name, "storage uint8 needs a mean and a std other than 0")
      }
      let stored = try read(input.location, type: .uint8, elements: count, tensor: input.name)
      // One subtraction and one division in float32, as in the generator, so that inputs are bit-identical.
      let (meanValue, stdValue) = (Float(mean), Float(std))
      let table = (0...255).map { ((Float($0) - meanValue) / stdValue).bitPattern }
      let bytes = [UInt8](unsafeUninitializedCapacity: stored.count * 4) { buffer, initialized in
        for (position, byte) in stored.enumerated() {
          let bits = table[Int(byte)]
          for lane in 0..<4 {
            buffer.initializeElement(
              at: 4 * position + lane, to: UInt8(truncatingIfNeeded: bits >> UInt32(8 * lane)))
          }
        }
        initialized = stored.count * 4
      }
      return try tensor(.float32, input.shape, bytes, name: input.name)
    default:
      throw malformed(input.name, "unknown storage \"\(input.storage ?? "")\"; known are raw and uint8")
    }
  }

  /// Returns the reference elements of an output.
  ///
  /// - Throws: `GoldenError` if the description contradicts itself or the file is too short.
  package func expectation(for output: GoldenOutput) throws(GoldenError) -> ExpectedOutput {
    guard output.storage == nil || output.storage == "raw" else {
      throw malformed(output.name, "an output is stored raw, not \"\(output.storage ?? "")\"")
    }
    let elementType = try elementType(of: output.dtype, tensor: output.name)
    let count = try counting(output.shape, tensor: output.name)
    guard output.elements == nil || output.elements == count else {
      throw malformed(
        output.name, "shape \(output.shape) has \(count) elements, but the manifest states \(output.elements ?? 0)")
    }
    let stride = output.sampleStride ?? 1
    guard stride >= 1, stride == 1 || ![.string, .complex64, .complex128].contains(elementType) else {
      throw malformed(output.name, "a sample_stride of \(stride) is not possible")
    }
    let stored = count == 0 ? 0 : (count - 1) / stride + 1
    let bytes = try read(output.location, type: elementType, elements: stored, tensor: output.name)
    let samples = try tensor(elementType, stride == 1 ? output.shape : [stored], bytes, name: output.name)
    return ExpectedOutput(description: output, shape: output.shape, sampleStride: stride, samples: samples)
  }

  // MARK: Checks

  private func malformed(_ tensor: String, _ reason: String) -> GoldenError {
    GoldenError(.malformed, file: manifestPath, "tensor \(tensor): \(reason)")
  }

  private func elementType(of dtype: String, tensor: String) throws(GoldenError) -> ElementType {
    guard let type = ElementType(numpyName: dtype) else {
      throw GoldenError(.unsupported, file: manifestPath, "tensor \(tensor): unknown dtype \"\(dtype)\"")
    }
    return type
  }

  private func counting(_ shape: [Int], tensor: String) throws(GoldenError) -> Int {
    do { return try GoldenTensor.elementCount(of: shape) } catch { throw malformed(tensor, error.message) }
  }

  private func tensor(
    _ type: ElementType, _ shape: [Int], _ bytes: [UInt8], name: String
  ) throws(GoldenError) -> GoldenTensor {
    do {
      return try GoldenTensor(elementType: type, shape: shape, bytes: bytes)
    } catch {
      throw GoldenError(error.code, file: manifestPath, "tensor \(name): \(error.message)")
    }
  }

  private func read(
    _ location: GoldenLocation, type: ElementType, elements: Int, tensor: String
  ) throws(GoldenError) -> [UInt8] {
    if type != .string {
      guard let needed = type.byteCount(elements: elements), needed == location.byteCount else {
        throw GoldenError(
          .wrongSize, file: manifestPath,
          "tensor \(tensor): \(elements) elements of \(type.name) do not take \(location.byteCount) bytes")
      }
    }
    return try GoldenFile.read(
      resolve(location.file, below: folder), offset: location.offset, count: location.byteCount)
  }

  /// Returns a path from a manifest below `root`. The manifest isn't trusted, so the path must stay inside `root`.
  private func resolve(_ path: String, below root: String) throws(GoldenError) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = !path.utf8.contains(0) && !path.contains("\\") && parts.allSatisfy { !["", ".", ".."].contains($0) }
    guard isInside else {
      throw GoldenError(
        .unsafePath, file: manifestPath,
        "path \"\(path)\" must be relative and stay inside its folder")
    }
    return root + "/" + path
  }
}

/// An error about a manifest, a golden tensor, or a `.npy` file.
///
/// The message is one line that names the file, the expected and the actual content, and a fix.
package struct GoldenError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. It's a struct so that new kinds don't break exhaustive switches.
  package struct Code: Sendable, Hashable {
    package let name: String

    /// The file is missing, is a directory, or cannot be read.
    package static let unreadable = Code(name: "unreadable")
    /// The bytes don't follow their declared format.
    package static let malformed = Code(name: "malformed")
    /// The format is valid but this version or feature is not supported.
    package static let unsupported = Code(name: "unsupported")
    /// A path in a manifest leads outside its directory.
    package static let unsafePath = Code(name: "unsafePath")
    /// The size of a file or tensor differs from its description.
    package static let wrongSize = Code(name: "wrongSize")
  }

  package let code: Code
  /// The file that the error is about, or `nil` if the bytes came from memory.
  package let file: String?
  package let message: String

  package init(_ code: Code, file: String? = nil, _ message: String) {
    self.code = code
    self.file = file
    self.message = message
  }

  package var description: String {
    guard let file else { return message }
    return "\(file.excerpt): \(message)"
  }
}

extension DecodingError {
  /// The position in a document and the problem: `models.[3] lacks "cases"`.
  package var placeAndReason: String {
    switch self {
    case .keyNotFound(let key, let context): "\(Self.place(context)) lacks \"\(key.stringValue)\""
    case .typeMismatch(let type, let context): "\(Self.place(context)) is not \(type)"
    case .valueNotFound(let type, let context): "\(Self.place(context)) is null, expected \(type)"
    case .dataCorrupted(let context): "\(Self.place(context)): \(context.debugDescription)"
    @unknown default: "the document cannot be read"
    }
  }

  private static func place(_ context: Context) -> String {
    context.codingPath.isEmpty
      ? "the document"
      : context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
