import Foundation
import SwiftletGolden
import SwiftletSchema

/// A `.npy` file that is written piece by piece under another name, and appears when it is complete.
struct ArrayFile {
  enum Element {
    case uint8, int32, float32

    fileprivate var type: ElementType {
      switch self {
      case .uint8: .uint8
      case .int32: .int32
      case .float32: .float32
      }
    }
  }

  private let path: String
  private let handle: FileHandle
  private var missing: Int

  private var temporary: String { path + ".part" }

  /// Creates a file.
  ///
  /// - Throws: An error that names the file if it cannot be created.
  init(_ path: String, _ element: Element, shape: [Int]) throws {
    self.path = path
    missing = shape.reduce(element.type.byteWidth ?? 1, *)
    let header = try NPYFile.header(element.type, shape: shape)
    guard FileManager.default.createFile(atPath: path + ".part", contents: Data(header)),
      let handle = FileHandle(forWritingAtPath: path + ".part")
    else { throw WriteFailure(path: path, reason: "cannot be written") }
    self.handle = handle
    try handle.seekToEnd()
  }

  mutating func append(_ bytes: [UInt8]) throws {
    missing -= bytes.count
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw WriteFailure(path: path, reason: error.localizedDescription)
    }
  }

  mutating func append(_ values: [Float]) throws {
    try append(values.map(\.bitPattern.littleEndian).withUnsafeBytes(Array.init))
  }

  mutating func append(_ values: [Int32]) throws { try append(values.map(\.littleEndian).withUnsafeBytes(Array.init)) }

  /// Completes the file.
  ///
  /// - Throws: An error that names the file if the number of elements doesn't match the shape.
  mutating func finish() throws {
    guard missing == 0 else { throw WriteFailure(path: path, reason: "\(missing) bytes are missing") }
    try handle.close()
    guard rename(temporary, path) == 0 else { throw WriteFailure(path: path, reason: String(cString: strerror(errno))) }
  }

  private struct WriteFailure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
  }
}
