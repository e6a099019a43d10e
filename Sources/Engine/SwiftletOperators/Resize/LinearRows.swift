import SwiftletEngine
import SwiftletKernels

/// The columns of a mixed row, and how output pixels mix them.
///
/// Where an image shrinks so much that most columns are not used, only those that are are mixed, side by side.
struct MixedColumns<Weight: Sendable & BitwiseCopyable>: Sendable {
  let taps: [ColumnTap<Weight>]
  /// Elements of a mixed row.
  let rowElements: Int
  /// The first element of every used column, or `nil` when the whole row is mixed.
  private let usedColumns: [Int]?
  private let channels: Int

  init(_ columns: [LinearTap<Weight>], inputWidth: Int, channels: Int) {
    self.channels = channels
    // Mixing a run of channels by itself costs about as much as mixing fifty elements of a long row.
    let isSparse = columns.count * 2 * (channels + 50) < inputWidth * channels
    rowElements = (isSparse ? columns.count * 2 : inputWidth) * channels
    usedColumns = isSparse ? columns.flatMap { [$0.lower * channels, $0.upper * channels] } : nil
    taps = columns.enumerated().map { position, tap in
      ColumnTap(
        lower: Int32(truncatingIfNeeded: (isSparse ? 2 * position : tap.lower) * channels),
        upper: Int32(truncatingIfNeeded: (isSparse ? 2 * position + 1 : tap.upper) * channels),
        lowerWeight: tap.lowerWeight, upperWeight: tap.upperWeight)
    }
  }

  /// Roughly how long an output row takes, in nanoseconds.
  var cost: Double { Double(rowElements + taps.count * channels) * 0.3 + Double(taps.count) * 3 }

  /// Calls `body` with every run of elements to mix: where it starts in the input row and in the mixed row, and how
  /// many.
  @inline(__always)
  func forEachRun(_ body: (Int, Int, Int) -> Void) {
    guard let usedColumns else { return body(0, 0, rowElements) }
    for (position, start) in usedColumns.enumerated() { body(start, position &* channels, channels) }
  }
}

/// The output rows of all images of a batch as tiles.
struct LinearRows {
  private let geometry: ResizeGeometry
  private let source: TensorSlot
  private let destination: TensorSlot
  private let outputRowBytes: Int

  /// What a row is computed with.
  struct Run {
    var input: UnsafeMutableRawPointer
    var scratch: UnsafeMutableRawPointer
  }

  init(_ geometry: ResizeGeometry, _ context: PrepareContext) throws {
    self.geometry = geometry
    source = try context.inputSlot(0)
    destination = try context.outputSlot(0)
    outputRowBytes = geometry.outputWidth &* geometry.channels &* (try context.node.elementBytes(ofInput: 0))
  }

  /// - Parameter body: computes a row, given its index, its image, and where it goes.
  func prepared(
    cost: Double, _ body: @escaping @Sendable (Run, Int, Int, UnsafeMutableRawPointer) -> Void
  ) -> PreparedOperator {
    let (source, destination, outputRowBytes) = (source, destination, outputRowBytes)
    let height = geometry.outputHeight
    return PreparedOperator(items: geometry.batch * height, cost: cost) { context, items in
      let run = Run(input: context.pointer(source), scratch: context.workerScratch)
      for item in items {
        let (image, row) = item.quotientAndRemainder(dividingBy: height)
        body(run, row, image, context.pointer(destination).advanced(by: item &* outputRowBytes))
      }
    }
  }
}
