import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The common part of the pooling operators: a window that moves over an image, and an activation.
///
/// - Shapes: input `[batch, height, width, channels]`; output `[batch, outHeight, outWidth, channels]`.
/// - Throws: `RuntimeError.invalidModel` if sizes or options are invalid.
/// - Source: Pool2DOptions of the model format.
struct PoolingOptions: Sendable {
  private let window: WindowOptions
  private let height: Int
  private let width: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    window = WindowOptions(
      padding: try WindowPadding(node, field: Pool2DOptions.padding),
      strides: (try node.options[Pool2DOptions.strideHeight], try node.options[Pool2DOptions.strideWidth]),
      activation: try FusedActivation(node, field: Pool2DOptions.fusedActivation))
    height = try node.options[Pool2DOptions.filterHeight]
    width = try node.options[Pool2DOptions.filterWidth]
  }

  private init?(_ original: PoolingOptions, _ window: WindowOptions?) {
    guard let window else { return nil }
    self.window = window
    height = original.height
    width = original.width
  }

  func fusing(_ activation: FusedActivation) -> PoolingOptions? { PoolingOptions(self, window.fusing(activation)) }

  var activation: FusedActivation { window.activation }

  func geometry(_ node: NodeView) throws -> WindowGeometry {
    try window.geometry(node, input: try node.input(0), windowHeight: height, windowWidth: width)
  }

  func shapes(_ node: NodeView) throws -> [Shape] {
    let geometry = try geometry(node)
    return [[geometry.batch, geometry.height.outputSize, geometry.width.outputSize, geometry.channels]]
  }

  /// The maximum window size along one axis for which kernels are used.
  private static let maximumKernelWindow = 256

  /// Returns a pooling of input 0 to output 0 that uses a kernel; `nil` if there is none.
  ///
  /// - Parameter range: The range of quantized values. For floats, it is the range of the activation.
  func prepare<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ kind: PoolingKernels.Kind, _: Element.Type, range: ClosedRange<Int32> = 0...0
  ) throws -> PreparedOperator? {
    let geometry = try geometry(context.node)
    let height = geometry.height, width = geometry.width
    guard height.windowSize <= Self.maximumKernelWindow, width.windowSize <= Self.maximumKernelWindow else {
      return nil
    }
    let type: PoolingKernels.Integer? =
      Element.self == Int8.self
      ? .int8 : Element.self == UInt8.self ? .uint8 : Element.self == Int16.self ? .int16 : nil
    if let type, kind == .average, geometry.maximumElements > type.maximumElements { return nil }
    guard try context.node.output(0).shape.elementCount > 0 else { return .empty }
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let kernels = context.kernels.pooling
    context.uses("vector pooling")
    context.usesWindow(height: height.windowSize, width: width.windowSize)
    let window = DepthwiseGeometry(
      inputHeight: height.inputSize, inputWidth: width.inputSize, outputWidth: width.outputSize,
      channels: geometry.channels, kernelHeight: height.windowSize, kernelWidth: width.windowSize,
      rowStride: height.stride, columnStride: width.stride, paddingTop: height.paddingBefore,
      paddingLeft: width.paddingBefore)
    context.requireWorkerScratch(bytes: PoolingKernels.scratchBytes(window, type))
    // Pixels with few channels cost as much as those with a vector of channels.
    let pixel = max(0.5, Double(geometry.channels) * Double(MemoryLayout<Element>.size) * 0.02)
    let cost = Double(geometry.taps) * pixel * Double(width.outputSize) + 20
    let tiling = RowTiling(
      images: geometry.batch, rows: height.outputSize, cost: cost, threads: context.options.threads)
    let outputCount = geometry.pixels &* geometry.channels, floats = activation.floatRange
    return PreparedOperator(tiles: tiling.tileCount, work: cost * Double(geometry.batch) * Double(height.outputSize)) {
      run, tile in
      let (image, rows) = tiling.block(tile)
      let source = run.pointer(input, as: Element.self) + image &* geometry.imageElementCount
      let destination = run.pointer(output, as: Element.self) + image &* outputCount
      if let type {
        kernels.pool(
          kind, window, rows: rows, type: type, input: source, output: destination, scratch: run.workerScratch,
          lower: range.lowerBound, upper: range.upperBound)
      } else {
        kernels.pool(
          kind, window, rows: rows, input: UnsafeRawPointer(source).assumingMemoryBound(to: Float.self),
          output: UnsafeMutableRawPointer(destination).assumingMemoryBound(to: Float.self),
          scratch: run.workerScratch, lower: floats.lower, upper: floats.upper)
      }
    }
  }

  /// Returns a pooling of input 0 to output 0 that uses `rule`.
  func prepare<Rule: PoolingRule>(_ context: PrepareContext, _ rule: Rule) throws -> PreparedOperator {
    let geometry = try geometry(context.node)
    guard try context.node.output(0).shape.elementCount > 0 else { return .empty }
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let channels = geometry.channels
    context.requireWorkerScratch(bytes: channels * MemoryLayout<Rule.Sum>.stride)
    let cost = Double(geometry.maximumElements) * (Double(channels) * 0.3 + 2) + Double(channels) + 20
    let tiling = RowTiling(
      images: geometry.batch, rows: geometry.pixels, cost: cost, threads: context.options.threads)
    let work = cost * Double(geometry.batch) * Double(geometry.pixels)
    return PreparedOperator(tiles: tiling.tileCount, work: work) { run, tile in
      let (image, rows) = tiling.block(tile)
      let sums = run.workerScratch.assumingMemoryBound(to: Rule.Sum.self)
      let source = run.pointer(input, as: Rule.Element.self) + image &* geometry.imageElementCount
      let destination = run.pointer(output, as: Rule.Element.self) + image &* geometry.pixels &* channels
      for pixel in rows {
        let top = pixel / geometry.width.outputSize, left = pixel % geometry.width.outputSize
        let lines = geometry.height.elements(at: top), columns = geometry.width.elements(at: left)
        sums.update(repeating: rule.initial, count: channels)
        for line in lines {
          let row = (geometry.height.start(top) &+ line) &* geometry.width.inputSize &+ geometry.width.start(left)
          for column in columns {
            rule.add(source + (row &+ column) &* channels, to: sums, count: channels)
          }
        }
        rule.finish(sums, taps: lines.count &* columns.count, into: destination + pixel &* channels, count: channels)
      }
    }
  }
}

/// The reduction of the elements in a window, for all channels at once.
protocol PoolingRule: Sendable {
  associatedtype Element: BitwiseCopyable & Sendable
  associatedtype Sum: BitwiseCopyable & Sendable
  var initial: Sum { get }
  func add(_ values: UnsafePointer<Element>, to sums: UnsafeMutablePointer<Sum>, count: Int)
  func finish(_ sums: UnsafePointer<Sum>, taps: Int, into output: UnsafeMutablePointer<Element>, count: Int)
}
