import SwiftletGolden
import SwiftletVision

/// A folder of masks as float32 `.npy` files: those of one picture in it, those of several in a folder for each.
struct MaskFolder {
  private let path: String
  private let isList: Bool
  private var usedNames: Set<String> = []

  init(_ path: String, isList: Bool) {
    self.path = path
    self.isList = isList
  }

  /// The folder for the masks of a picture, which is there then.
  ///
  /// - Parameters:
  ///   - stem: what the picture is called, without an ending.
  ///   - name: what it is called in errors.
  /// - Throws: `ToolError` when it cannot be made, or another picture has had it.
  mutating func make(for stem: String, name: String) throws -> String {
    var folder = path
    if isList {
      let safe = OutputFile.safeName(stem)
      guard usedNames.insert(safe).inserted else {
        throw ToolError(
          file: name, reason: "there was a picture called '\(safe)' before, whose masks these would replace")
      }
      folder += "/" + safe
    }
    try OutputFile.makeFolder(folder)
    return folder
  }

  /// Writes a mask of shape `[height, width]`.
  static func write(_ mask: Mask, to path: String) throws {
    let stored = try GoldenTensor(
      elementType: .float32, shape: [mask.height, mask.width], bytes: mask.withUnsafeFloat32Data(littleEndianBytes))
    try OutputFile.write(try NPYFile.encode(stored), to: path)
  }

  private static func littleEndianBytes(_ values: UnsafeBufferPointer<Float>) -> [UInt8] {
    values.map(\.bitPattern.littleEndian).withUnsafeBytes(Array.init)
  }
}
