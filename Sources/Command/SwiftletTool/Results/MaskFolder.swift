import SwiftletBase
import SwiftletGolden
import SwiftletVision

/// A folder of masks as float32 `.npy` files: those of one picture in it, those of several in a folder for each.
final class MaskFolder: Sendable {
  private let path: String
  private let isList: Bool
  private let usedNames = Mutex<Set<String>>([])

  init(_ path: String, isList: Bool) {
    self.path = path
    self.isList = isList
  }

  /// Sees to it that no other picture has the same folder.
  ///
  /// - Parameters:
  ///   - stem: what the picture is called, without an ending.
  ///   - name: what it is called in errors.
  /// - Throws: `ToolError` when another picture has had it.
  func reserve(_ stem: String, name: String) throws(ToolError) {
    guard isList else { return }
    let safe = OutputFile.safeName(stem)
    guard usedNames.withLock({ $0.insert(safe).inserted }) else {
      throw ToolError(
        file: name, reason: "there was a picture called '\(safe.excerpt)' before, whose masks these would replace")
    }
  }

  /// The folder for the masks of a picture, which is there then.
  ///
  /// - Parameter stem: what the picture is called, without an ending.
  /// - Throws: `ToolError` when it cannot be made.
  func make(for stem: String) throws -> String {
    let folder = isList ? path + "/" + OutputFile.safeName(stem) : path
    try OutputFile.makeFolder(folder)
    return folder
  }

  /// Writes the masks of the things in a picture as `0.npy`, `1.npy` and so on.
  ///
  /// - Returns: the file of each, `nil` for a thing without a mask.
  func write(_ masks: [ConfidenceMask?], of picture: NamedPicture) throws -> [String?] {
    let folder = try make(for: picture.stem)
    return try masks.enumerated().map { index, mask in
      guard let mask else { return nil }
      let file = "\(folder)/\(index).npy"
      try Self.write(mask, to: file)
      return file
    }
  }

  /// Writes a mask of shape `[height, width]`.
  static func write(_ mask: ConfidenceMask, to path: String) throws {
    let stored = try GoldenTensor(
      elementType: .float32, shape: [mask.height, mask.width], bytes: mask.withPixels(littleEndianBytes))
    try OutputFile.write(try NPYFile.encode(stored), to: path)
  }

  private static func littleEndianBytes(_ values: UnsafeBufferPointer<Float>) -> [UInt8] {
    values.map(\.bitPattern.littleEndian).withUnsafeBytes(Array.init)
  }
}
