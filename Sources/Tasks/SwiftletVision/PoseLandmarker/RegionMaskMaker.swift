import SwiftletBase
import SwiftletImage

/// Projects a model's masks of regions to masks of the whole image. It reuses its memory for the next image.
///
/// - Thread safety: one caller at a time.
final class RegionMaskMaker {
  /// The sizes of a model's mask and of the image, in pixels.
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

  /// Creates a mask maker.
  ///
  /// - Parameters:
  ///   - maskCount: The maximum number of masks per image.
  ///   - threads: The maximum number of threads per mask.
  ///   - results: The budget that the masks are charged to.
  /// - Throws: `TaskError` if the masks would be too large.
  init(_ sizes: Sizes, maskCount: Int, threads: Int, results: ResultBudget) throws {
    self.sizes = sizes
    self.results = results
    let pixels = sizes.width.multipliedReportingOverflow(by: sizes.height)
    let maskPixels = sizes.maskWidth.multipliedReportingOverflow(by: sizes.maskHeight)
    guard !pixels.overflow, pixels.partialValue <= Int.max / 4, !maskPixels.overflow,
      maskPixels.partialValue <= RegionMaskCells.maximumCells
    else { throw Self.tooLarge(sizes) }
    bands = RowBands(rowCount: sizes.height, threads: threads)
    pool = MaskPool(count: sizes.width * sizes.height, maximumBlocks: maskCount)
    confidences = [Float](repeating: 0, count: maskPixels.partialValue)
    cells = RegionMaskCells(width: sizes.maskWidth, height: sizes.maskHeight)
  }

  private static func tooLarge(_ sizes: Sizes) -> TaskError {
    TaskError(
      .limitExceeded,
      "cannot allocate a mask of \(sizes.width) × \(sizes.height) pixels, made of \(sizes.maskWidth) × \(sizes.maskHeight) numbers; use a smaller image, or disable masks"
    )
  }

  /// Returns a mask of the whole image.
  ///
  /// - Parameters:
  ///   - logits: The model's mask in row-major order; its sigmoids are the confidences.
  ///   - projection: The map from the model's input, 0…1, to the image.
  ///   - previous: The mask of the previous frame to blend with. A mask of a different size is ignored.
  /// - Returns: A mask of the image's size, 0 outside the region.
  /// - Throws: `TaskError` if there is no memory for it.
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

/// A zero-padded mask, laid out so that the four elements around a position are adjacent in memory.
///
/// Every element is followed by the element below it: the rows `a b` and `c d` are stored as `a c b d`.
struct RegionMaskCells {
  /// The maximum number of elements: more than any mask of a published model has, and few enough for 32-bit offsets.
  static let maximumCells = 1 << 24

  /// Two vertically adjacent elements.
  typealias Column = SIMD2<Float>

  let width: Int
  let height: Int
  private var columns: [Column]

  /// The number of columns in a row of ``withCells(_:)``, including the padding on both sides.
  var stride: Int { width + 2 }

  /// Creates zeroed cells.
  ///
  /// - Parameters:
  ///   - width: The width of the mask. The mask must have at most ``maximumCells`` elements.
  ///   - height: The height of the mask.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    columns = [Column](repeating: .zero, count: (width + 2) * (height + 1))
  }

  /// Copies the elements of a mask.
  ///
  /// - Parameter numbers: `width · height` elements in row-major order.
  mutating func fill(_ numbers: UnsafePointer<Float>) {
    let (width, height, stride) = (width, height, stride)
    columns.withUnsafeMutableBufferPointer { columns in
      for row in 0...height {
        // Row r contains the mask's row r − 1 above its row r.
        let target = UnsafeMutableBufferPointer(rebasing: columns[row * stride + 1..<row * stride + 1 + width])
        switch row {
        case 0: for column in 0..<width { target[column] = Column(0, numbers[column]) }
        case height:
          for column in 0..<width { target[column] = Column(numbers[(row - 1) * width + column], 0) }
        default:
          let above = numbers + (row - 1) * width
          for column in 0..<width { target[column] = Column(above[column], above[column + width]) }
        }
      }
    }
  }

  /// Calls `body` with the columns: `height + 1` rows of ``stride``.
  func withCells<Result>(_ body: (UnsafePointer<Column>) throws -> Result) rethrows -> Result? {
    try columns.withUnsafeBufferPointer { columns in try columns.baseAddress.map(body) }
  }
}

/// Blends a mask with that of the previous frame: the less certain a confidence is, the more of the previous one is
/// used.
///
/// - Source: the segmentation smoothing of MediaPipe's holistic task, which approximates the entropy of a confidence by a
///   polynomial.
enum MaskBlending {
  private typealias Numbers = SIMD8<Float>

  /// The weight of the previous frame if the confidence is completely uncertain.
  private static let share: Float = 0.7

  /// Blends elements in place.
  static func blend(_ numbers: UnsafeMutablePointer<Float>, with previous: UnsafePointer<Float>, count: Int) {
    var index = 0
    while index &+ Numbers.scalarCount <= count {
      let target = UnsafeMutableRawPointer(numbers + index)
      let new = target.loadUnaligned(as: Numbers.self)
      let old = UnsafeRawPointer(previous + index).loadUnaligned(as: Numbers.self)
      // Skip pixels that are 0 in both masks, as most are.
      if new != .zero || old != .zero { target.storeBytes(of: blended(new, old), as: Numbers.self) }
      index &+= Numbers.scalarCount
    }
    while index < count {
      numbers[index] = blended(Numbers(repeating: numbers[index]), Numbers(repeating: previous[index]))[0]
      index &+= 1
    }
  }

  @inline(__always)
  private static func blended(_ new: Numbers, _ old: Numbers) -> Numbers {
    let distance = new - 0.5
    let square = distance * distance
    var sum = square * -624.717 + 291.309
    sum = sum * square - 57.8051
    sum = sum * square - 0.748699
    sum = sum * square + 5.68842
    let certainty = sum * square
    let doubt = 1 - certainty.replacing(with: 1, where: certainty .> 1)
    return new + (old - new) * (doubt * share)
  }
}
