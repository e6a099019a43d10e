import SwiftletEngine
import SwiftletSchema

/// CONV_3D: every output channel is a weighted sum over a box of the input.
///
/// - Shapes: input `[batch, depth, height, width, channels]`, filter `[depth, height, width, channels, filters]`, bias
///   `[filters]`; output `[batch, outDepth, outHeight, outWidth, filters]`.
/// - Types: float32.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 132 of the model format.
struct Convolution3DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(.conv3D, versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  private var options: WindowOptions3D

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    options = try WindowOptions3D(parsing: node)
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard options.activation == .none else { return nil }
    var fused = self
    fused.options.activation = activation
    return fused
  }

  private func axes(_ node: NodeView) throws -> [WindowAxis] {
    let input = try node.input(0), filter = try node.input(1)
    guard input.shape.rank == 5, filter.shape.rank == 5, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }),
      filter.shape.dimensions.allSatisfy({ $0 > 0 }), input.shape[4] == filter.shape[3]
    else {
      throw node.invalid(
        "takes an input and a filter of rank 5 with the same channels and without empty dimensions, got \(input) and \(filter)"
      )
    }
    if let bias = node.optionalInput(2), bias.shape.elementCount != filter.shape[4] {
      throw node.invalid("takes a bias of \(filter.shape[4]) elements, got \(bias)")
    }
    return try (0..<3).map { try options.axis($0, node, inputSize: input.shape[$0 + 1], windowSize: filter.shape[$0]) }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try axes(node).map(\.outputSize)
    return [Shape([try node.input(0).shape[0]] + sizes + [try node.input(1).shape[4]])]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let axes = try axes(node)
    let input = try node.input(0).shape, filters = try node.input(1).shape[4], output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let imageElementCount = Shape(Array(input.dimensions.dropFirst())).elementCount
    guard imageElementCount <= Int(Int32.max) else {
      throw RuntimeError(
        .limitExceeded, "an input image of \(imageElementCount) elements has more than fit 32 bits",
        location: node.node.location)
    }
    try GemmLayout.require(places: input[0], context)
    let rows = output.elementCount(1...3)
    var layout = GemmLayout(
      rows: rows, columns: filters, taps: axes.reduce(1) { $0 * $1.windowSize }, tapDepth: input[4],
      windows: Self.table(context, axes, channels: input[4]), outputDistance: filters,
      weights: .init(columnStride: 1, depthStride: filters))
    layout.places = (0..<input[0]).map {
      GemmLayout.Place(input: $0 * imageElementCount, weights: 0, output: $0 * rows * filters)
    }
    let stages = try FloatGemm.stages(
      context, [layout], input: context.inputSlot(0), count: input.elementCount, weights: 1,
      bias: node.hasInput(2) ? 2 : nil, output: context.outputSlot(0), activation: options.activation)
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }

  /// Returns the indirection buffer of the window elements of every output position.
  private static func table(_ context: PrepareContext, _ axes: [WindowAxis], channels: Int) -> IndirectionBuffer {
    let depth = axes[0], height = axes[1], width = axes[2]
    return IndirectionBuffer(
      context, rows: axes.reduce(1) { $0 * $1.outputSize }, taps: axes.reduce(1) { $0 * $1.windowSize },
      readsPadding: !axes.allSatisfy(\.isInside)
    ) { first, end, positions in
      var next = positions
      for output in first..<end {
        let line = output / width.outputSize
        let top = height.start(line % height.outputSize), front = depth.start(line / height.outputSize)
        let left = width.start(output % width.outputSize)
        for slice in 0..<depth.windowSize {
          let z = front &+ slice &* depth.dilation
          for row in 0..<height.windowSize {
            let y = top &+ row &* height.dilation
            for column in 0..<width.windowSize {
              let x = left &+ column &* width.dilation
              let isInside =
                z >= 0 && z < depth.inputSize && y >= 0 && y < height.inputSize && x >= 0 && x < width.inputSize
              let position = ((z &* height.inputSize &+ y) &* width.inputSize &+ x) &* channels
              next.pointee = isInside ? Int32(truncatingIfNeeded: position) : -1
              next += 1
            }
          }
        }
      }
    }
  }
}

/// The options of convolutions over three axes: depth, height, width.
struct WindowOptions3D: Sendable {
  let padding: WindowPadding
  let strides: [Int]
  let dilations: [Int]
  var activation: FusedActivation

  private static let names = ["depth", "height", "width"]

  init(parsing node: NodeReader) throws {
    padding = try WindowPadding(node, field: Conv3DOptions.padding)
    strides = [
      try node.options[Conv3DOptions.strideDepth], try node.options[Conv3DOptions.strideHeight],
      try node.options[Conv3DOptions.strideWidth],
    ]
    dilations = [
      try node.options[Conv3DOptions.dilationDepth], try node.options[Conv3DOptions.dilationHeight],
      try node.options[Conv3DOptions.dilationWidth],
    ]
    activation = try FusedActivation(node, field: Conv3DOptions.fusedActivation)
  }

  /// Returns the window along axis 0 (depth) to 2 (width).
  func axis(_ index: Int, _ node: NodeView, inputSize: Int, windowSize: Int) throws -> WindowAxis {
    try WindowAxis(
      node, Self.names[index], inputSize: inputSize, windowSize: windowSize, stride: strides[index],
      dilation: dilations[index], padding: padding)
  }
}
