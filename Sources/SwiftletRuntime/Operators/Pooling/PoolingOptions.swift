import SwiftletSchema

/// What the pooling operators have in common: a window that moves over a picture, and an activation.
///
/// - Shapes: input `[batch, height, width, channels]`; output `[batch, outHeight, outWidth, channels]`.
/// - Throws: `RuntimeError.invalidModel` when sizes or options have no meaning.
/// - Source: Pool2DOptions of the model format.
struct PoolingOptions: Sendable {
  private let window: WindowOptions
  private let height: Int
  private let width: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    window = WindowOptions(
      padding: try WindowPadding(node, field: 0), strides: (try node.options.int(2), try node.options.int(1)),
      activation: try FusedActivation(node, field: 5))
    height = try node.options.int(4)
    width = try node.options.int(3)
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

  /// What pools input 0 into output 0 by `rule`.
  func prepare<Rule: PoolingRule>(_ context: PrepareContext, _ rule: Rule) throws -> PreparedOperator {
    let geometry = try geometry(context.node)
    guard try context.node.output(0).shape.elementCount > 0 else { return .empty }
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let channels = geometry.channels
    context.requireWorkerScratch(bytes: channels * MemoryLayout<Rule.Sum>.stride)
    let tiling = RowTiling(
      pictures: geometry.batch, rows: geometry.pixels, cost: Double(geometry.taps) * Double(channels) * 0.1 + 5)
    return PreparedOperator(tiles: tiling.tileCount) { run, tile in
      let (picture, rows) = tiling.block(tile)
      let sums = run.workerScratch.assumingMemoryBound(to: Rule.Sum.self)
      let source = run.pointer(input, as: Rule.Element.self) + picture &* geometry.pictureCount
      let destination = run.pointer(output, as: Rule.Element.self) + picture &* geometry.pixels &* channels
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

/// How the elements under a window become one, for all channels at a time.
protocol PoolingRule: Sendable {
  associatedtype Element: BitwiseCopyable & Sendable
  associatedtype Sum: BitwiseCopyable & Sendable
  var initial: Sum { get }
  func add(_ values: UnsafePointer<Element>, to sums: UnsafeMutablePointer<Sum>, count: Int)
  func finish(_ sums: UnsafePointer<Sum>, taps: Int, into output: UnsafeMutablePointer<Element>, count: Int)
}
