import SwiftletCommandLine
import SwiftletBase
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The files that `segment` writes masks to.
struct MaskFiles {
  private let categoryFile: String?
  /// `nil` where no confidence masks are asked for.
  let confidenceFolder: MaskFolder?

  /// - Throws: `UsageError` for one category mask of several pictures, and for one that is not to be a PNG.
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
