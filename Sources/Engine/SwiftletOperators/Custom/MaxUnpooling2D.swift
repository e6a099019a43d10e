import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// MaxUnpooling2D: writes pooled elements to the positions where MaxPoolingWithArgmax2D found them, and zeros
/// elsewhere.
///
/// - Shapes: pooled elements and positions `[batch, height, width, channels]`; output `[batch, height × windowHeight,
///   width × windowWidth, channels]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. Positions outside the output are ignored. If two elements have the
///   same position, the later one is kept.
struct MaxUnpooling2DOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("MaxUnpooling2D"), versions: 1...1, types: .uniform([.float32]))
  }

  private let options: PoolingStructure

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    options = try PoolingStructure(node)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 4, try node.input(1).shape == input.shape else {
      throw node.invalid("takes elements and positions of one shape of rank 4, got \(input) and \(try node.input(1))")
    }
    guard input.shape.dimensions.allSatisfy({ $0 <= Int(Int32.max) }) else {
      throw node.invalid("takes sizes that fit 32 bits, got \(input)")
    }
    return [
      [input.shape[0], input.shape[1] * options.window.height, input.shape[2] * options.window.width, input.shape[3]]
    ]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0).shape
    let output = try context.node.output(0).shape
    let elements = try context.inputSlot(0)
    let positions = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    func padding(_ axis: Int, stride: Int, window: Int) -> Int {
      max(0, ((input[axis] - 1) * stride + window - output[axis]) / 2)
    }
    // The pooling that this operator undoes: the image is its input.
    let geometry = DepthwiseGeometry(
      inputHeight: output[1], inputWidth: output[2], outputWidth: input[2], channels: input[3],
      kernelHeight: options.window.height, kernelWidth: options.window.width, rowStride: options.strides.height,
      columnStride: options.strides.width,
      paddingTop: padding(1, stride: options.strides.height, window: options.window.height),
      paddingLeft: padding(2, stride: options.strides.width, window: options.window.width))
    let kernels = context.kernels.pooling
    let (height, width, channels) = (input[1], input[2], input[3])
    let imageElementCount = output[1] * output[2] * output[3]
    guard output.elementCount > 0 else { return .empty }
    let clearing = PreparedOperator.Stage(items: output.elementCount, cost: 0.2) { run, items in
      (run.pointer(destination, as: Float.self) + items.lowerBound).update(repeating: 0, count: items.count)
    }
    // Rows in order, because windows overlap if strides are smaller than the window.
    let placing = PreparedOperator.Stage.inOrder(
      lanes: input[0], items: height, cost: Double(width) * (5 + 2 * Double(channels))
    ) { run, image, rows in
      let result = run.pointer(destination, as: Float.self) + image &* imageElementCount
      for row in rows {
        let offset = (image &* height &+ row) &* width &* channels
        kernels.unpool(
          geometry, row: row, values: run.pointer(elements, as: Float.self) + offset,
          positions: run.pointer(positions, as: Float.self) + offset, into: result)
      }
    }
    return PreparedOperator(stages: [clearing] + placing)
  }
}
