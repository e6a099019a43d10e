import SwiftletEngine
import SwiftletSchema

/// MaxUnpooling2D: puts pooled elements back where MaxPoolingWithArgmax2D found them, and zeros everywhere else.
///
/// - Shapes: pooled elements and positions `[batch, height, width, channels]`; output `[batch, height × windowHeight,
///   width × windowWidth, channels]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. Positions outside the output are passed over; where two elements
///   meet, the later one stays.
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
    let options = options
    let top = padding(1, stride: options.strides.height, window: options.window.height)
    let left = padding(2, stride: options.strides.width, window: options.window.width)
    let (height, width, channels) = (input[1], input[2], input[3])
    let (outHeight, outWidth) = (output[1], output[2])
    let size = outHeight &* outWidth &* channels
    guard output.elementCount > 0 else { return .empty }
    let clearing = PreparedOperator.Stage(items: output.elementCount, cost: 0.2) { run, items in
      (run.pointer(destination, as: Float.self) + items.lowerBound).update(repeating: 0, count: items.count)
    }
    // Rows in order: with strides below the window size windows overlap, and their order matters.
    let placing = PreparedOperator.Stage.inOrder(
      lanes: input[0], items: height, cost: Double(width) * (5 + 8 * Double(channels))
    ) { run, image, rows in
      let result = run.pointer(destination, as: Float.self) + image &* size
      for row in rows {
        for column in 0..<width {
          let offset = ((image &* height &+ row) &* width &+ column) &* channels
          let values = run.pointer(elements, as: Float.self) + offset
          let places = run.pointer(positions, as: Float.self) + offset
          for channel in 0..<channels {
            let place = Int(Int32(saturating: places[channel]))
            let y = row &* options.strides.height &- top &+ place / options.window.width
            let x = column &* options.strides.width &- left &+ place % options.window.width
            guard y >= 0, y < outHeight, x >= 0, x < outWidth else { continue }
            result[(y &* outWidth &+ x) &* channels &+ channel] = values[channel]
          }
        }
      }
    }
    return PreparedOperator(stages: [clearing] + placing)
  }
}
