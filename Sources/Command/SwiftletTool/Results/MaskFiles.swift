import SwiftletBase
import SwiftletCommandLine
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The files that `segment` writes masks to.
struct MaskFiles {
  private let categoryFile: String?
  /// `nil` where no confidence masks are asked for.
  let confidenceFolder: MaskFolder?

  /// - Throws: `UsageError` for one category mask of several images, and for one that is not to be a PNG.
  init(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    categoryFile = try OutputFile.forOnePicture("category-mask", arguments, isList: isList)
    if let categoryFile, !categoryFile.lowercased().hasSuffix(".png") {
      throw UsageError("--category-mask writes .png, got '\(categoryFile.excerpt)'")
    }
    confidenceFolder = arguments.string("confidence-masks").map { MaskFolder($0, isList: isList) }
  }

  var wantsConfidenceMasks: Bool { confidenceFolder != nil }

  /// Writes the files that are asked for.
  ///
  /// - Parameter confidenceMasks: one a class, in the order of the labels.
  /// - Throws: `ToolError` when one cannot be written.
  func write(_ result: SegmentationResult, confidenceMasks: [ConfidenceMask]) throws {
    if let categoryFile {
      let picture = try ImageBuffer(
        bytes: result.categories, width: result.maskWidth, height: result.maskHeight, pixelFormat: .gray8)
      try OutputFile.write(try ImageEncoder.encodePNG(picture), to: categoryFile)
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

/// A folder of masks as float32 `.npy` files: those of one image in it, those of several in a folder for each.
final class MaskFolder: Sendable {
  private let path: String
  private let isList: Bool
  private let usedNames = Mutex<Set<String>>([])

  init(_ path: String, isList: Bool) {
    self.path = path
    self.isList = isList
  }

  /// Sees to it that no other image has the same folder.
  ///
  /// - Parameters:
  ///   - stem: what the image is called, without an ending.
  ///   - name: what it is called in errors.
  /// - Throws: `ToolError` when another image has had it.
  func reserve(_ stem: String, name: String) throws(ToolError) {
    guard isList else { return }
    let safe = OutputFile.safeName(stem)
    guard usedNames.withLock({ $0.insert(safe).inserted }) else {
      throw ToolError(
        file: name, reason: "there was an image called '\(safe.excerpt)' before, whose masks these would replace")
    }
  }

  /// The folder for the masks of an image, which is there then.
  ///
  /// - Parameter stem: what the image is called, without an ending.
  /// - Throws: `ToolError` when it cannot be made.
  func make(for stem: String) throws -> String {
    let folder = isList ? path + "/" + OutputFile.safeName(stem) : path
    try OutputFile.makeFolder(folder)
    return folder
  }

  /// Writes the masks of the things in an image as `0.npy`, `1.npy` and so on.
  ///
  /// - Returns: the file of each, `nil` for a thing without a mask.
  func write(_ masks: [ConfidenceMask?], of picture: NamedImage) throws -> [String?] {
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
