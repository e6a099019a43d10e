import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// MaxPoolingWithArgmax2D: the largest element of every window, and its position in the window.
///
/// - Shapes: input `[batch, height, width, channels]`; both outputs `[batch, outHeight, outWidth, channels]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. A position is `row × windowWidth + column + 0.1`, counted in the
///   window including padding, so that truncation returns an integer. The first of equal elements is used.
struct MaxPoolingWithArgmax2DOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("MaxPoolingWithArgmax2D"), versions: 1...1, types: .uniform([.float32]))
  }

  private let options: PoolingStructure

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1, outputs: 2...2)
    options = try PoolingStructure(node)
  }

  private func geometry(_ node: NodeView) throws -> WindowGeometry {
    let window = WindowOptions(padding: options.padding, strides: options.strides, activation: options.activation)
    return try window.geometry(
      node, input: try node.input(0), windowHeight: options.window.height, windowWidth: options.window.width)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let geometry = try geometry(node)
    let shape: Shape = [geometry.batch, geometry.height.outputSize, geometry.width.outputSize, geometry.channels]
    return [shape, shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let geometry = try geometry(context.node)
    let source = try context.inputSlot(0)
    let maxima = try context.outputSlot(0)
    let positions = try context.outputSlot(1)
    let (lower, upper) = options.activation.floatRange
    let rows = geometry.height.outputSize
    let width = geometry.width.outputSize
    let cost = Double(width) * (Double(geometry.maximumElements) * (Double(geometry.channels) * 0.8 + 2) + 20) + 10
    let window = DepthwiseGeometry(geometry)
    let kernels = context.kernels.pooling
    return PreparedOperator(items: geometry.batch * rows, cost: cost) { run, items in
      for item in items {
        let offset = item &* width &* geometry.channels
        kernels.poolWithPositions(
          window, row: item % rows,
          input: run.pointer(source, as: Float.self) + item / rows &* geometry.imageElementCount,
          maxima: run.pointer(maxima, as: Float.self) + offset,
          positions: run.pointer(positions, as: Float.self) + offset, lower: lower, upper: upper)
      }
    }
  }
}

/// The options of the MediaPipe pooling operators: the bytes of a C structure of 32-bit integers.
///
/// - Source: `TfLitePoolParams` of the TFLite C API: padding (1 same, 2 valid), stride width and height, window width
///   and height, activation. The rest isn't used.
struct PoolingStructure: Sendable {
  let padding: WindowPadding
  let strides: (height: Int, width: Int)
  let window: (height: Int, width: Int)
  let activation: FusedActivation

  private static let requiredFields = 5
  private static let sizes = 1...Int(Int16.max)

  init(_ node: NodeReader) throws {
    let bytes = node.description.customOptions.bytes
    guard bytes.count >= 4 * Self.requiredFields else {
      throw node.invalid("takes options of at least \(4 * Self.requiredFields) bytes, got \(bytes.count)")
    }
    func field(_ index: Int) -> Int {
      Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)))
    }
    switch field(0) {
    case 1: padding = .same
    case 2: padding = .valid
    case let value: throw node.invalid("has padding \(value); it must be 1 (same) or 2 (valid)")
    }
    strides = (field(2), field(1))
    window = (field(4), field(3))
    guard [strides.height, strides.width, window.height, window.width].allSatisfy(Self.sizes.contains) else {
      throw node.invalid(
        "has strides of \(strides.height)×\(strides.width) and a window of \(window.height)×\(window.width); all must be positive and fit 16 bits"
      )
    }
    let activation = bytes.count >= 24 ? FusedActivation(rawValue: field(5)) : FusedActivation.none
    guard let activation, [.none, .relu, .reluN1To1, .relu6].contains(activation) else {
      throw node.invalid("has activation \(field(5)), which the operator does not take")
    }
    self.activation = activation
  }
}
