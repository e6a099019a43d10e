import Foundation
import SwiftletCommandLine
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The files that `segment` writes masks to.
struct MaskFiles {
  private let categoryFile: String?
  private let confidenceFolder: String?
  private let isList: Bool
  private var usedNames: Set<String> = []

  /// - Throws: `UsageError` for one category mask of several pictures, and for one that is not to be a PNG.
  init(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    self.isList = isList
    categoryFile = try OutputFile.forOnePicture("category-mask", arguments, isList: isList)
    if let categoryFile, !categoryFile.lowercased().hasSuffix(".png") {
      throw UsageError("--category-mask writes .png, got '\(categoryFile)'")
    }
    confidenceFolder = arguments.string("confidence-masks")
  }

  var wantsConfidenceMasks: Bool { confidenceFolder != nil }

  /// Writes the files that are asked for.
  ///
  /// - Parameter confidenceMasks: one a class, in the order of the labels.
  /// - Throws: `ToolError` when one cannot be written, or two pictures would have the same folder.
  mutating func write(_ result: SegmentationResult, confidenceMasks: [Mask]) throws {
    if let categoryFile {
      let picture = try ImageBuffer(
        bytes: result.categories, width: result.maskWidth, height: result.maskHeight, pixelFormat: .gray8)
      try OutputFile.write(try ImageEncoder.encodePNG(picture), to: categoryFile)
    }
    guard let confidenceFolder else { return }
    let folder = try isList ? confidenceFolder + "/" + pictureFolder(result.path) : confidenceFolder
    try OutputFile.makeFolder(folder)
    let digits = "\(max(0, confidenceMasks.count - 1))".count
    for (index, mask) in confidenceMasks.enumerated() {
      let number = String(repeating: "0", count: digits - "\(index)".count) + "\(index)"
      let label = index < result.labels.count ? OutputFile.safeName(result.labels[index]) : ""
      let stored = try GoldenTensor(
        elementType: .float32, shape: [mask.height, mask.width],
        bytes: mask.withUnsafeFloat32Data(Self.littleEndianBytes))
      try OutputFile.write(
        try NPYFile.encode(stored), to: folder + "/" + number + (label.isEmpty ? "" : "_" + label) + ".npy")
    }
  }

  private static func littleEndianBytes(_ values: UnsafeBufferPointer<Float>) -> [UInt8] {
    values.map(\.bitPattern.littleEndian).withUnsafeBytes(Array.init)
  }

  private mutating func pictureFolder(_ path: String) throws -> String {
    let name = OutputFile.safeName(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    guard usedNames.insert(name).inserted else {
      throw ToolError(
        file: path, reason: "there was a picture called '\(name)' before, whose masks these would replace")
    }
    return name
  }
}
