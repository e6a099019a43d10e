import SwiftletBase
import SwiftletImage

/// Puts masks that a model gives for regions into whole images of one size, with memory that it keeps for the next
/// image.
///
/// One caller at a time.
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

  /// - Parameters:
  ///   - maskCount: the most masks of an image.
  ///   - threads: the most threads that work on one mask.
  ///   - results: What the masks count against.
  /// - Throws: `TaskError` when the masks would be too large.
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
      "there is no memory for a mask of \(sizes.width) × \(sizes.height) pixels, made of \(sizes.maskWidth) × \(sizes.maskHeight) numbers; use a smaller image, or do without masks"
    )
  }

  /// - Parameters:
  ///   - logits: the model's mask, row after row; its sigmoids are the confidences.
  ///   - projection: from the model's input, 0…1, to the image.
  ///   - previous: the mask of the frame before, which this one is blended with; one of another size is left out.
  /// - Returns: a mask of the image's size, 0 outside of the region.
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

/// A mask with a border of zeros, laid out so that the four numbers around a position lie side by side.
///
/// Every number stands next to the one below it: of `a b` over `c d` memory holds `a c b d`.
struct RegionMaskCells {
  /// More numbers than any mask of a published model has, and few enough that their addresses fit 32 bits.
  static let maximumCells = 1 << 24

  /// Two numbers that lie one below the other.
  typealias Column = SIMD2<Float>

  let width: Int
  let height: Int
  private var columns: [Column]

  /// Columns in a row of ``withCells(_:)``: those of the mask, and the border on both sides.
  var stride: Int { width + 2 }

  /// - Parameters:
  ///   - width: of the mask; with `height` at most ``maximumCells`` numbers.
  ///   - height: of the mask.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    columns = [Column](repeating: .zero, count: (width + 2) * (height + 1))
  }

  /// Takes a mask's numbers, row after row.
  ///
  /// - Parameter numbers: `width · height` of them.
  mutating func fill(_ numbers: UnsafePointer<Float>) {
    let (width, height, stride) = (width, height, stride)
    columns.withUnsafeMutableBufferPointer { columns in
      for row in 0...height {
        // Row r holds the mask's row r − 1 above its row r.
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

  /// Gives `body` the columns: `height + 1` rows of ``stride``.
  func withCells<Result>(_ body: (UnsafePointer<Column>) throws -> Result) rethrows -> Result? {
    try columns.withUnsafeBufferPointer { columns in try columns.baseAddress.map(body) }
  }
}

/// Blends a mask with that of the frame before, the more the less sure it is.
///
/// - Source: the segmentation smoothing of MediaPipe's holistic task, which approximates the entropy of a confidence by a
///   polynomial.
enum MaskBlending {
  private typealias Numbers = SIMD8<Float>

  /// How much of the frame before is taken where the mask says nothing.
  private static let share: Float = 0.7

  /// Blends numbers in place.
  static func blend(_ numbers: UnsafeMutablePointer<Float>, with previous: UnsafePointer<Float>, count: Int) {
    var index = 0
    while index &+ Numbers.scalarCount <= count {
      let target = UnsafeMutableRawPointer(numbers + index)
      let new = target.loadUnaligned(as: Numbers.self)
      let old = UnsafeRawPointer(previous + index).loadUnaligned(as: Numbers.self)
      // Most pixels belong to nobody, and did before.
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
