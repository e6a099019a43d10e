import Foundation
import TensorFlowLite

/// Calls `body` with the path of a file with these bytes, which is deleted afterwards.
func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
  let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}

extension Data {
  /// Creates the bytes of numbers.
  init<Number>(numbers: [Number]) { self = numbers.withUnsafeBytes { Data($0) } }

  /// Returns the bytes as numbers.
  func numbers<Number>(as type: Number.Type = Number.self) -> [Number] where Number: BitwiseCopyable {
    withUnsafeBytes { bytes in
      (0..<bytes.count / MemoryLayout<Number>.stride).map {
        bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Number>.stride, as: type)
      }
    }
  }
}

extension Interpreter {
  convenience init(_ bytes: [UInt8], options: Options? = nil) throws {
    try self.init(modelData: Data(bytes), options: options)
  }
}
