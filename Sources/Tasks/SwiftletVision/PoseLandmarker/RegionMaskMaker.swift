import SwiftletBase
import SwiftletImage

/// Puts masks that a model gives for regions into whole pictures of one size, with memory that it keeps for the next
/// picture.
///
/// One caller at a time.
final class RegionMaskMaker {
  /// The sizes of a model's mask and of the picture, in pixels.
  struct Sizes: Sendable, Hashable {
    var maskWidth: Int
    var maskHeight: Int
    var width: Int
    var height: Int
  }

  let sizes: Sizes
  private let bands: RowBands
  private let pool: MaskPool<Float>
  private let results: ResultBudget
  private var confidences: [Float]
  private var cells: RegionMaskCells

  /// - Parameters:
  ///   - maskCount: the most masks of a picture.
  ///   - threads: the most threads that work on one mask.
  ///   - results: What the masks count against.
  /// - Throws: `TaskError` when the masks would be too large.
  init(_ sizes: Sizes, maskCount: Int, threads: Int, results: ResultBudget) throws {
    self.sizes = sizes
    self.results = results
    let pixels = sizes.width.multipliedReportingOverflow(by: sizes.height)
    let maskPixels = sizes.maskWidth.multipliedReportingOverflow(by: sizes.maskHeight)
    guard !pixels.overflow, pixels.partialValue <= Int.max / 4, !maskPixels.overflow,
      maskPixels.partialValue <= RegionMaskCells.mostCells
    else { throw Self.tooLarge(sizes) }
    bands = RowBands(rowCount: sizes.height, threads: threads)
    pool = MaskPool(count: sizes.width * sizes.height, mostBlocks: maskCount)
    confidences = [Float](repeating: 0, count: maskPixels.partialValue)
    cells = RegionMaskCells(width: sizes.maskWidth, height: sizes.maskHeight)
  }

  private static func tooLarge(_ sizes: Sizes) -> TaskError {
    TaskError(
      .limitExceeded,
      "there is no memory for a mask of \(sizes.width) × \(sizes.height) pixels, made of \(sizes.maskWidth) × \(sizes.maskHeight) numbers; use a smaller picture, or do without masks"
    )
  }

  /// - Parameters:
  ///   - logits: the model's mask, row after row; its sigmoids are the confidences.
  ///   - projection: from the model's input, 0…1, to the picture.
  ///   - previous: the mask of the frame before, which this one is blended with; one of another size is left out.
  /// - Returns: a mask of the picture's size, 0 outside of the region.
  /// - Throws: `TaskError` when there is no memory for it.
  func mask(
    _ logits: UnsafeBufferPointer<Float>, projection: ImageProjection, smoothing previous: ConfidenceMask? = nil
  ) throws -> ConfidenceMask {
    try results.charge(
      sizes.width * sizes.height, each: MemoryLayout<Float>.size,
      for: "masks of \(sizes.width) × \(sizes.height) pixels", advice: "use a smaller image, or no masks")
    guard AvailableMemory.has(4 * sizes.width * sizes.height) else { throw Self.tooLarge(sizes) }
    let pixels = MaskPixels(from: pool)
    guard logits.count >= confidences.count, let logits = logits.baseAddress,
      let target = pixels.memory.baseAddress
    else { throw TaskError.invalidModel("the model gave a mask of \(logits.count) numbers, not \(confidences.count)") }
    confidences.withUnsafeMutableBufferPointer { confidences in
      guard let first = confidences.baseAddress else { return }
      ChannelActivation.sigmoid.apply(to: logits, pixels: confidences.count, channels: 1, into: first)
      cells.fill(UnsafePointer(first))
    }
    let warp = RegionMaskWarp(sizes, projection)
    let old = previous.flatMap { $0.width == sizes.width && $0.height == sizes.height ? $0.storage : nil }
    try cells.withCells { cells in
      try bands.forEach { _, rows in
        for row in rows {
          let line = target + row * sizes.width
          warp.fill(row: row, from: cells, into: line)
          if let old { MaskBlending.blend(line, with: old.first + row * sizes.width, count: sizes.width) }
        }
      }
    }
    return withExtendedLifetime(old) { ConfidenceMask(pixels, width: sizes.width, height: sizes.height) }
  }
}
