import SwiftletEngine
import SwiftletKernels

/// Estimates of the time that a transposed convolution takes, as phases and as one product that is added up.
///
/// Times are in nanoseconds of one thread of a fast CPU. Only their ratio matters.
struct TransposedCost: Sendable {
  /// The number of columns that a kernel computes at once.
  let lanes: Int
  /// The time per multiply-add.
  let product: Double
  /// The time per result for the steps after a product, and for those after sums.
  let result: Double
  let finish: Double
  /// Whether products of padding are subtracted.
  var subtractsPadding = false
  /// Whether products are results if no two windows overlap.
  var copiesDisjoint = false
  /// Whether phases are separate; see `TransposedWindow.layouts`.
  let isExact: Bool
  /// The number of multiply-adds that a kernel computes at once along the depth.
  let depthStep: Int
  /// The time to add up the bytes of a tap, for the zero point of the weights.
  var tapSum = 0.0
  /// The kernels that may multiply few columns by dot products.
  var dots: QuantizedGemmKernels?

  /// The share of the time of the phases that one product may take: estimates aren't exact.
  private static let worthwhile = 0.8
  /// The share if results change in their last bits.
  private static let worthwhileInexactly = 0.5

  static func float(_ context: PrepareContext) -> TransposedCost {
    TransposedCost(
      lanes: context.kernels.gemm.panelColumns / 2, product: 0.018, result: 0.1, finish: 0.1, copiesDisjoint: true,
      isExact: context.options.numerics == .bitExact, depthStep: 1)
  }

  /// - Parameters:
  ///   - isDynamic: Whether the input is quantized in the run.
  ///   - sumsRows: Whether the weights have a zero point, so that the bytes of each row are added up.
  static func bytes(_ context: PrepareContext, isDynamic: Bool = false, sumsRows: Bool = false) -> TransposedCost {
    let isFast = context.options.numerics == .fast || isDynamic
    let kernels = context.kernels.quantizedGemm
    return TransposedCost(
      lanes: kernels.panelColumns / 2, product: kernels.expandsWeights ? 0.016 : 0.005, result: isFast ? 0.15 : 1,
      finish: isFast ? 0.3 : 0.8, subtractsPadding: isDynamic,
      copiesDisjoint: isFast && !isDynamic, isExact: context.options.numerics == .bitExact,
      depthStep: 4, tapSum: sumsRows ? 1.2 : 0, dots: kernels)
  }

  private func vectors(_ columns: Int) -> Double { (Double(columns) / Double(lanes)).rounded(.up) }

  private func depth(_ channels: Int) -> Double { Double((channels + depthStep - 1) / depthStep * depthStep) }

  /// Returns the product that is faster than the phases, if there is one.
  ///
  /// - Parameter changesSums: Whether the order of sums matters and would change. Phases must then take twice as long,
  ///   and compute at least twice the multiply-adds that contribute to results. No landmark model of MediaPipe has such
  ///   a layer: the only ones with transposed convolutions are those for segmentation, and the operator
  ///   `Convolution2DTransposeBias` always uses phases. If no two windows overlap, nothing changes.
  func choose(_ window: TransposedWindow, changesSums: Bool) -> (image: ColumnsToImage, work: Double)? {
    guard let phases = phases(window) else { return nil }
    let candidates = [false, true].compactMap { isGrouped in
      ColumnsToImage(window, isGrouped: isGrouped).map { ($0, time($0)) }
    }
    guard let best = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
    let isChanging = changesSums && !best.0.isDisjoint
    guard best.1 < phases.time * (isChanging ? Self.worthwhileInexactly : Self.worthwhile) else { return nil }
    guard !isChanging || phases.products >= 2 * best.0.usefulProducts else { return nil }
    return (image: best.0, work: best.1)
  }

  /// Returns the time of the phases, and the number of multiply-adds that they compute; `nil` if there are too many.
  private func phases(_ window: TransposedWindow) -> (time: Double, products: Double)? {
    let window = window.widened
    guard window.isWithinLimits else { return nil }
    let depth = depth(window.inputChannels), batch = Double(window.batch)
    // Products along the width: the number of rows, taps, and columns.
    let separate = (0..<window.width.phaseCount).map { window.width.phase($0) }
    let merged =
      isExact ? nil : window.width.merged(separate, columns: window.outputChannels, lanes: lanes)
    let across =
      merged?.map { (Double($0.count), Double($0.inputs.count), $0.elements.count * window.outputChannels) }
      ?? separate.map { (Double($0.count), Double($0.inputs.count), window.outputChannels) }
    var time = 0.0, products = 0.0
    for first in 0..<window.height.phaseCount {
      let down = window.height.phase(first)
      let lines = batch * Double(down.count), downTaps = Double(down.elements.count)
      for (count, acrossTaps, columns) in across {
        let taps = max(1, downTaps * acrossTaps)
        let vectors = vectors(columns)
        // The results of windows with a stride aren't contiguous.
        let usesDots =
          window.height.stride == 1 && window.width.stride == 1
          && dots?.prefersRowDots(columns: columns, taps: Int(taps), tapDepth: Int(depth)) ?? false
        let computed = usesDots ? Double(columns) * 1.5 : vectors * Double(lanes)
        // Few rows leave multipliers waiting for weights.
        let rows = lines * max(count, 3)
        let multiplied = rows * taps * depth * computed
        products += lines * count * taps * Double(window.inputChannels) * vectors * Double(lanes)
        time += multiplied * product + lines * 60 + 60
        if taps > 1 { time += lines * count * taps * (vectors / 2).rounded(.up) * 0.4 }
        time += lines * count * (Double(columns) * result + taps * tapSum)
      }
    }
    return (time, products)
  }

  /// Returns the time of one product.
  func time(_ image: ColumnsToImage) -> Double {
    let pixels = Double(image.inputPixels), columns = image.columns
    let tiling = image.tiling(threads: 1, work: 0)
    let rows = Double(tiling.productRows(image))
    let multiplied = pixels * max(1, 3 / rows) * depth(image.inputChannels) * vectors(columns) * Double(lanes)
    let run = 2 + Double(image.runLength) * (subtractsPadding ? 0.12 : 0.09)
    let groups = Double(image.batch) * Double(image.groups.count)
    let finished = Double(image.groupLines * image.width.outputSize * image.outputChannels)
    let separated = image.groupLines == 1 ? 0 : image.outputChannels == 1 ? 0.15 : 0.5
    let isCopied = copiesDisjoint && image.isDisjoint
    let line = 60 + Double(image.lineElements) * 0.04 + finished * ((isCopied ? 0.05 : finish) + separated)
    return multiplied * product + pixels * (Double(columns) * (isCopied ? result : 0.03) + tapSum)
      + pixels * Double(image.windowGroups) * run + groups * line
  }
}

extension TransposedWindow.Axis {
  /// The window elements that may reach the output.
  var reach: Range<Int> {
    let first = max(0, padding - (inputSize - 1) * stride)
    return first..<max(first, min(windowSize, outputSize + padding))
  }

  /// Returns the axis with only these elements of the window.
  func reaching(_ elements: Range<Int>) -> TransposedWindow.Axis {
    var axis = self
    axis.windowSize = elements.count
    axis.padding -= elements.lowerBound
    return axis
  }

  /// The number of pairs of an input position and a window element that reach the output. There is no dilation.
  fileprivate var pairs: Int {
    (0..<windowSize).reduce(0) { sum, element in
      // Positions `i` with `0 <= i · stride − padding + element < outputSize`.
      let first = max(0, (padding - element + stride - 1) / stride)
      let end = min(inputSize, (outputSize + padding - element + stride - 1) / stride)
      return sum + max(0, end - first)
    }
  }
}

extension ColumnsToImage {
  /// The number of multiply-adds that contribute to results.
  fileprivate var usefulProducts: Double {
    Double(batch) * Double(height.pairs) * Double(width.pairs) * Double(inputChannels) * Double(outputChannels)
  }
}
