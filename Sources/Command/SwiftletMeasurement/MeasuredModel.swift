package import SwiftletEngine
import SwiftletOperators

/// The reason why a model cannot be measured.
package struct MeasurementFailure: Error, Sendable, CustomStringConvertible {
  package let file: String
  package let reason: String
  /// Whether the model is valid but has no result for the generated inputs.
  package let isForInput: Bool

  package init(file: String, reason: String, isForInput: Bool = false) {
    self.file = file
    self.reason = reason
    self.isForInput = isForInput
  }

  package var description: String { "\(file): \(reason)" }
}

/// A model that was loaded from a file and run once, ready to be measured. All times are in milliseconds.
package final class MeasuredModel {
  package let path: String
  package let model: Model
  package let compiled: CompiledModel
  package let session: Session
  /// The time from the path to a session that can run.
  package let load: Double
  package let first: Double

  /// Loads a model and runs it once.
  ///
  /// - Parameters:
  ///   - path: The file of the model, or its name if `read` reads it.
  ///   - read: Reads the model; `nil` to read the file.
  /// - Throws: `MeasurementFailure` for a model that cannot be read, compiled, or run.
  package init(_ path: String, options: RuntimeOptions, read: (() throws -> Model)? = nil) throws {
    self.path = path
    var isLoaded = false
    do {
      let start = ContinuousClock.now
      model = try read?() ?? Model(contentsOf: path)
      compiled = try CompiledModel(model, options: options)
      session = try Session(compiled)
      load = milliseconds(since: start)
      isLoaded = true
      try SyntheticInput.fill(session)
      first = try Self.run(session)
    } catch let error as RuntimeError {
      // Errors about the file itself already contain its name.
      let text = "\(error)"
      throw MeasurementFailure(
        file: path, reason: text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text,
        isForInput: isLoaded && error.code != .limitExceeded)
    }
  }

  /// Runs the model once and returns the time in milliseconds.
  package func run() throws -> Double {
    do {
      return try Self.run(session)
    } catch let error as RuntimeError {
      throw MeasurementFailure(file: path, reason: "\(error)")
    }
  }

  private static func run(_ session: Session) throws -> Double {
    let start = ContinuousClock.now
    try session.run()
    return milliseconds(since: start)
  }
}

/// Returns the elapsed time in milliseconds.
package func milliseconds(since start: ContinuousClock.Instant) -> Double {
  (ContinuousClock.now - start) / .milliseconds(1)
}

/// Swiftlet as a contender.
package final class ModelContender: Contender {
  private let model: MeasuredModel

  package init(_ model: MeasuredModel) { self.model = model }

  package func run(warmup: Int, count: Int) throws -> [Double] {
    for _ in 0..<warmup { _ = try model.run() }
    let times = try (0..<count).map { _ in try model.run() }
    ProcessorTime.waitUntilIdle()
    return times
  }
}

/// Synthetic inputs for measurements: values that exercise arithmetic and are valid for any model, the same in every
/// run.
package enum SyntheticInput {
  /// Fills the inputs: floats in -1…1, and all values of 8-bit and 16-bit integers. Wider integers, which models use as
  /// sizes and indices, are 0.
  package static func fill(_ session: Session) throws {
    for (index, spec) in session.inputs.enumerated() {
      // The values depend only on the input's index, not on its address, and differ between inputs.
      try session.withInput(index) { fill($0, spec.elementType, seed: index) }
    }
  }

  /// Returns values for an input. Inputs with the same seed have the same values.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for a type without a fixed size.
  package static func tensor(_ spec: TensorSpec, seed: Int) throws(RuntimeError) -> Tensor {
    var bytes = [UInt8](repeating: 0, count: spec.byteCount ?? 0)
    bytes.withUnsafeMutableBytes { fill($0, spec.elementType, seed: seed) }
    return try Tensor(elementType: spec.elementType, shape: spec.shape, bytes: bytes)
  }

  private static func fill(_ memory: UnsafeMutableRawBufferPointer, _ type: ElementType, seed: Int) {
    var generator = Generator(state: UInt64(truncatingIfNeeded: seed))
    switch type {
    case .float32:
      for element in 0..<(memory.count / 4) {
        memory.storeBytes(of: generator.nextUnit() * 2 - 1, toByteOffset: element * 4, as: Float.self)
      }
    case .int8, .uint8, .int16, .uint16:
      for position in memory.indices { memory[position] = UInt8(truncatingIfNeeded: generator.next()) }
    default:
      memory.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  /// The SplitMix64 generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
  private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    mutating func nextUnit() -> Float { Float(next() >> 40) / Float(1 << 24) }
  }
}
