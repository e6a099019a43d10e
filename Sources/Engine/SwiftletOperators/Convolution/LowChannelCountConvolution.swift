import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// A float32 convolution with few filters. The products of a filter are summed tap by tap for every channel, as in a
/// depthwise convolution, and then over the channels.
///
/// A product with a panel computes a whole vector of columns even for a single filter, and a dot product a whole vector
/// even for a short tap. Here, channels or channels of adjacent pixels fill the vectors. Both steps process a few lines
/// at a time, which stay in the core's private cache:
///
///     window · filter   | c0 c1 … c7 | c0 c1 … c7 | …   the taps' sums of every pixel
///     · ones            | Σ          | Σ          | …   the filter's column of the output
///
/// The order of summation differs from the reference, so bit-exact numerics doesn't use this algorithm. Neither do the
/// heads of landmark models, such as the presence of a face or a pose: they are too small for speed to matter, and a
/// matrix product is bit-exact with XNNPACK.
struct LowChannelCountConvolution: Sendable {
  private let window: DepthwiseWindow
  private let filters: Int
  private let depthwise: DepthwiseKernels
  private let gemm: GemmKernels
  private let range: (lower: Float, upper: Float)

  private static let mostTaps = 1 << 12
  /// The number of sums that stay in the core's private cache.
  private static let cachedElements = 1 << 14

  /// Creates the convolution, or returns `nil` if it doesn't apply or if a matrix product is as fast.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, filters: Int, activation: FusedActivation) throws {
    let node = context.node, channels = geometry.channels
    guard context.options.numerics == .fast, try node.input(1).shape[3] == channels else { return nil }
    let lanes = context.kernels.depthwise.lanes
    let lineCount = geometry.width.outputSize.multipliedReportingOverflow(by: channels)
    guard channels >= lanes || (lanes % channels == 0 && geometry.width.stride == 1),
      geometry.taps <= Self.mostTaps, Self.pays(context.kernels.gemm, geometry, filters: filters),
      !lineCount.overflow, lineCount.partialValue <= Self.cachedElements, !Self.isSmall(geometry)
    else { return nil }
    window = try DepthwiseWindow(geometry, multiplier: 1, node)
    self.filters = filters
    depthwise = context.kernels.depthwise
    gemm = context.kernels.gemm
    range = activation.floatRange
    context.uses("sums by channel float32")
  }

  /// Returns whether this is faster than a product with a panel, and than dot products.
  ///
  /// Compares the number of vector products per pixel and channel: one per filter here, and one for all filters in a
  /// panel. Here, the sums also pass through memory, which adds half of the cost. A vector product takes two instructions.
  private static func pays(_ gemm: GemmKernels, _ geometry: WindowGeometry, filters: Int) -> Bool {
    let taps = Double(geometry.taps), lanes = Double(gemm.panelColumns / 2)
    let products = 1.5 * Double(filters) * (1 + taps / lanes)
    let merged = InteriorWindows.taps(geometry, channels: geometry.channels, areDots: true)
    return products <= taps
      && 2 * products * Double(geometry.channels)
        < gemm.dotCost(columns: filters, taps: merged.count, tapDepth: merged.depth)
  }

  private static func isSmall(_ geometry: WindowGeometry) -> Bool {
    let sizes = [
      geometry.height.outputSize, geometry.width.outputSize, geometry.height.windowSize, geometry.width.windowSize,
      geometry.channels,
    ]
    return sizes.reduce(1.0) { $0 * Double($1) } <= Double(FloatGemm.smallProduct)
  }

  /// Returns the stages.
  ///
  /// - Parameter epilogue: The steps to apply to the results while they are in the cache.
  func stages(_ context: PrepareContext, epilogue: [EpilogueStep]) throws -> [PreparedOperator.Stage] {
    let input = try context.inputSlot(0), weights = try context.inputSlot(1), output = try context.outputSlot(0)
    let bias = context.optionalInputSlot(2)
    let epilogue = try FusedEpilogue(context, epilogue)
    let geometry = window.geometry, channels = geometry.channels, columns = geometry.width.outputSize
    let panelCount = gemm.packedCount(columns: 1, depth: channels), panelBytes = filters * panelCount * 4
    let lineStep = max(1, Self.cachedElements / max(1, window.lineCount))
    // The epilogue uses the start of the scratch memory.
    let panelStart = FusedEpilogue.scratchBytes
    context.requireWorkerScratch(bytes: panelStart + panelBytes + 64 + lineStep * window.lineCount * 4)
    return [
      window.stage { run, image, allLines in
        let panels = (run.workerScratch + panelStart).assumingMemoryBound(to: Float.self)
        let sums = (run.workerScratch + panelStart + panelBytes).alignedUp(toMultipleOf: 64).assumingMemoryBound(
          to: Float.self)
        let source = UnsafePointer(run.pointer(input, as: Float.self)) + image &* geometry.imageElementCount
        let results = run.pointer(output, as: Float.self)
        packOnes(panels, count: panelCount, bias: bias.map { UnsafePointer(run.pointer($0, as: Float.self)) })
        for line in stride(from: allLines.lowerBound, to: allLines.upperBound, by: lineStep) {
          let lines = line..<min(allLines.upperBound, line &+ lineStep)
          let first = (image &* geometry.height.outputSize &+ line) &* columns &* filters
          for filter in 0..<filters {
            sumTaps(
              lines, of: source, weights: UnsafePointer(run.pointer(weights, as: Float.self)) + filter &* filterCount,
              into: sums)
            gemm.multiplyRows(
              rows: lines.count &* columns, columns: 1, depth: channels, input: sums, inputStride: channels,
              panels: panels + filter &* panelCount, output: results + first + filter, outputStride: filters,
              lower: range.lower, upper: range.upper)
          }
          if !epilogue.isEmpty {
            epilogue.apply(
              run, results, first: first, rows: lines.count &* columns, columns: filters, distance: filters)
          }
        }
      }
    ]
  }

  private var filterCount: Int {
    window.geometry.height.windowSize &* window.geometry.width.windowSize &* window.geometry.channels
  }

  /// Writes the window sums for output lines: `[lines, columns, channels]`.
  private func sumTaps(
    _ lines: Range<Int>, of image: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    into sums: UnsafeMutablePointer<Float>
  ) {
    // Lines of an output that starts with the first one. Lines times strides are rows of the padded image.
    var geometry = window.kernelGeometry
    geometry.paddingTop &-= lines.lowerBound &* geometry.rowStride
    depthwise.convolve(
      geometry, rows: 0..<lines.count, input: image, weights: weights, bias: nil, output: sums, lower: -.infinity,
      upper: .infinity)
  }

  /// Packs weights of one, which sum the channels, and the bias for every filter.
  private func packOnes(_ panels: UnsafeMutablePointer<Float>, count: Int, bias: UnsafePointer<Float>?) {
    withUnsafePointer(to: Float(1)) { one in
      for filter in 0..<filters {
        gemm.pack(
          columns: 1, depth: window.geometry.channels, weights: one, columnStride: 0, depthStride: 0,
          bias: bias.map { $0 + filter }, into: panels + filter &* count)
      }
    }
  }
}
