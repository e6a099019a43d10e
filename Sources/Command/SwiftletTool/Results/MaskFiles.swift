import SwiftletBase
import SwiftletCommandLine
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The files that `segment` writes masks to.
struct MaskFiles {
  private let categoryFile: String?
  /// The directory of confidence masks, or `nil` if none were requested.
  let confidenceFolder: MaskFolder?

  /// Creates the outputs from the command line.
  ///
  /// - Throws: `UsageError` for one category mask of several images, and for a category mask that isn't a PNG file.
  init(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    categoryFile = try OutputFile.forOneImage("category-mask", arguments, isList: isList)
    if let categoryFile, !categoryFile.lowercased().hasSuffix(".png") {
      throw UsageError("--category-mask writes .png, got '\(categoryFile.excerpt)'")
    }
    confidenceFolder = arguments.string("confidence-masks").map { MaskFolder($0, isList: isList) }
  }

  var wantsConfidenceMasks: Bool { confidenceFolder != nil }

  /// Writes the requested files.
  ///
  /// - Parameter confidenceMasks: The masks, one per class, in label order.
  /// - Throws: `ToolError` if a file cannot be written.
  func write(_ result: SegmentationResult, confidenceMasks: [ConfidenceMask]) throws {
    if let categoryFile {
      let image = try ImageBuffer(
        bytes: result.categories, width: result.maskWidth, height: result.maskHeight, pixelFormat: .gray8)
      try OutputFile.write(try ImageEncoder.encodePNG(image), to: categoryFile)
    }
    guard let folder = try confidenceFolder?.make(for: OutputFile.stem(of: result.path)) else {
      return
    }
    let digits = "\(max(0, confidenceMasks.count - 1))".count
    for (index, mask) in confidenceMasks.enumerated() {
      let number = String(repeating: "0", count: digits - "\(index)".count) + "\(index)"
      let label = index < result.labels.count ? OutputFile.safeName(result.labels[index]) : ""
      try MaskFolder.write(mask, to: folder + "/" + number + (label.isEmpty ? "" : "_" + label) + ".npy")
    }
  }
}

/// A directory of masks as float32 `.npy` files. Masks of a single image are in the directory itself, masks of several
/// images in a subdirectory per image.
final class MaskFolder: Sendable {
  private let path: String
  private let isList: Bool
  private let usedNames = Mutex<Set<String>>([])

  init(_ path: String, isList: Bool) {
    self.path = path
    self.isList = isList
  }

  /// Reserves the subdirectory of an image, so that no other image has the same.
  ///
  /// - Parameters:
  ///   - stem: The file name of the image, without its extension.
  ///   - name: The name of the image in errors.
  /// - Throws: `ToolError` if another image has reserved it.
  func reserve(_ stem: String, name: String) throws(ToolError) {
    guard isList else { return }
    let safe = OutputFile.safeName(stem)
    guard usedNames.withLock({ $0.insert(safe).inserted }) else {
      throw ToolError(
        file: name, reason: "there was an image called '\(safe.excerpt)' before, whose masks these would replace")
    }
  }

  /// Creates and returns the directory for the masks of an image.
  ///
  /// - Parameter stem: The file name of the image, without its extension.
  /// - Throws: `ToolError` if it cannot be created.
  func make(for stem: String) throws -> String {
    let folder = isList ? path + "/" + OutputFile.safeName(stem) : path
    try OutputFile.makeFolder(folder)
    return folder
  }

  /// Writes the masks of the objects in an image as `0.npy`, `1.npy`, and so on.
  ///
  /// - Returns: The file of each mask, or `nil` for an object without a mask.
  func write(_ masks: [ConfidenceMask?], of image: NamedImage) throws -> [String?] {
    let folder = try make(for: image.stem)
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
