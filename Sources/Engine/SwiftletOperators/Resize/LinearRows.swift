import SwiftletEngine
import SwiftletKernels

/// The columns of a blended row, and their weights in output pixels.
///
/// If an image shrinks so much that most columns aren't used, only the used columns are blended, side by side.
struct MixedColumns<Weight: Sendable & BitwiseCopyable>: Sendable {
  let taps: [ColumnTap<Weight>]
  /// The number of elements in a blended row.
  let rowElements: Int
  /// The first element of every used column, or `nil` if the whole row is blended.
  private let usedColumns: [Int]?
  private let channels: Int

  init(_ columns: [LinearTap<Weight>], inputWidth: Int, channels: Int) {
    self.channels = channels
    // Blending a single run of channels costs about as much as blending fifty elements of a long row.
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

  /// The approximate time per output row in nanoseconds.
  var cost: Double { Double(rowElements + taps.count * channels) * 0.3 + Double(taps.count) * 3 }

  /// Calls `body` with every run of elements to blend: its start in the input row and in the blended row, and its
  /// length.
  @inline(__always)
  func forEachRun(_ body: (Int, Int, Int) -> Void) {
    guard let usedColumns else { return body(0, 0, rowElements) }
    for (position, start) in usedColumns.enumerated() { body(start, position &* channels, channels) }
  }
}

/// The output rows of all images in a batch as tiles.
struct LinearRows {
  private let geometry: ResizeGeometry
  private let source: TensorSlot
  private let destination: TensorSlot
  private let outputRowBytes: Int

  /// The data that a row is computed from.
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

  /// Returns the prepared operator.
  ///
  /// - Parameter body: Computes a row, given its index, its image, and its destination.
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

/// The two input pixels that are blended to an output pixel along one axis, and their weights.
struct LinearTap<Weight: Sendable>: Sendable {
  var lower: Int
  var upper: Int
  /// The weights of `lower` and `upper`, which sum to one.
  var lowerWeight: Weight
  var upperWeight: Weight
}

extension ResizeRule {
  /// Returns the taps in single precision.
  func floatTaps(input: Int, output: Int) -> [LinearTap<Float>] {
    let scale = scale(input: input, output: output)
    return (0..<output).map { position in
      let exact = hasHalfPixelCenters ? (Float(position) + 0.5) * scale - 0.5 : Float(position) * scale
      let lower = min(max(0, Int(exact.rounded(.down))), input - 1)
      let upper = min(max(0, Int(exact.rounded(.up))), input - 1)
      let fraction = exact - Float(lower)
      return LinearTap(lower: lower, upper: upper, lowerWeight: 1 - fraction, upperWeight: fraction)
    }
  }

  /// Returns the taps as in XNNPACK: positions in single precision, clamped to the image.
  func boundedTaps(input: Int, output: Int) -> [LinearTap<Float>] {
    let scale = scale(input: input, output: output)
    return (0..<output).map { position in
      let exact = hasHalfPixelCenters ? Float(position) * scale + (0.5 * scale - 0.5) : Float(position) * scale
      let place = min(max(exact, 0), Float(input - 1))
      // The last position may have been rounded up to the next integer in single precision.
      let lower = min(Int(place), input - 1)
      let share = place - Float(lower)
      return LinearTap(lower: lower, upper: min(lower + 1, input - 1), lowerWeight: 1 - share, upperWeight: share)
    }
  }

  /// Returns the taps in fixed point, with weights rounded half to even.
  func fixedPointTaps(input: Int, output: Int, one: Int32) -> [LinearTap<Int32>] {
    boundedTaps(input: input, output: output).map { tap in
      let share = Int32((tap.upperWeight * Float(one)).rounded(.toNearestOrEven))
      return LinearTap(lower: tap.lower, upper: tap.upper, lowerWeight: one - share, upperWeight: share)
    }
  }

  /// Returns the taps in units of 1/1024, as in the reference for integers.
  func fixedPointTaps(input: Int, output: Int) -> [LinearTap<Int32>] {
    let one = 1024
    let scale =
      alignsCorners && output > 1
      ? (one * (input - 1) + (output - 1) / 2) / (output - 1) : (one * input + output / 2) / output
    return (0..<output).map { position in
      let exact = position * scale + (hasHalfPixelCenters ? scale / 2 - one / 2 : 0)
      let lower = max(0, exact / one)
      // The scale is rounded, so positions in strongly enlarged images may exceed the last pixel.
      guard lower < input - 1 || exact <= (input - 1) * one else {
        return LinearTap(lower: input - 1, upper: input - 1, lowerWeight: Int32(one), upperWeight: 0)
      }
      let upper = min((exact + one - 1) / one, input - 1)
      let fraction = exact - one * lower
      return LinearTap(
        lower: lower, upper: max(0, upper), lowerWeight: Int32(truncatingIfNeeded: one - fraction),
        upperWeight: Int32(truncatingIfNeeded: fraction))
    }
  }
}
