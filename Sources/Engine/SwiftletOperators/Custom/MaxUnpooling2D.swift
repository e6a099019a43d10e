import SwiftletEngine
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
    let places = Places(
      window: options.window, strides: options.strides,
      top: padding(1, stride: options.strides.height, window: options.window.height),
      left: padding(2, stride: options.strides.width, window: options.window.width), height: output[1],
      width: output[2], channels: input[3])
    let (height, width, channels) = (input[1], input[2], input[3])
    guard output.elementCount > 0 else { return .empty }
    let clearing = PreparedOperator.Stage(items: output.elementCount, cost: 0.2) { run, items in
      (run.pointer(destination, as: Float.self) + items.lowerBound).update(repeating: 0, count: items.count)
    }
    // Rows in order, because windows overlap if strides are smaller than the window.
    let placing = PreparedOperator.Stage.inOrder(
      lanes: input[0], items: height, cost: Double(width) * (5 + 2 * Double(channels))
    ) { run, image, rows in
      let result = run.pointer(destination, as: Float.self) + image &* places.elementCount
      for row in rows {
        for column in 0..<width {
          let offset = ((image &* height &+ row) &* width &+ column) &* channels
          places.put(
            run.pointer(elements, as: Float.self) + offset, run.pointer(positions, as: Float.self) + offset, row: row,
            column: column, in: result)
        }
      }
    }
    return PreparedOperator(stages: [clearing] + placing)
  }
}

/// The destinations of a pixel's elements in an image.
private struct Places: Sendable {
  private typealias Numbers = SIMD8<Float>

  let window: (height: Int, width: Int)
  let strides: (height: Int, width: Int)
  let top: Int, left: Int
  let height: Int, width: Int, channels: Int

  var elementCount: Int { height &* width &* channels }

  func put(
    _ values: UnsafePointer<Float>, _ positions: UnsafePointer<Float>, row: Int, column: Int,
    in image: UnsafeMutablePointer<Float>
  ) {
    var channel = 0
    // In most models, the positions are inside the window. Then test all positions of the window, several channels at
    // once.
    while channel &+ Numbers.scalarCount <= channels, window.height &* window.width <= 9 {
      let (value, position) = (Numbers(at: values + channel), Numbers(at: positions + channel))
      let isInside = position .> -1 .& (position .< Float(window.height &* window.width))
      guard all(isInside) else {
        for lane in channel..<channel &+ Numbers.scalarCount {
          put(values[lane], at: positions[lane], channel: lane, row: row, column: column, in: image)
        }
        channel &+= Numbers.scalarCount
        continue
      }
      for place in 0..<window.height &* window.width {
        guard let pixel = pixel(place, row: row, column: column) else { continue }
        let target = image + (pixel &+ channel)
        // The fraction of a position is ignored. The first position includes all positions above −1.
        let isHere = position .< Float(place &+ 1) .& (position .>= (place == 0 ? -1 : Float(place)))
        Numbers(at: target).replacing(with: value, where: isHere).store(at: target)
      }
      channel &+= Numbers.scalarCount
    }
    while channel < channels {
      put(values[channel], at: positions[channel], channel: channel, row: row, column: column, in: image)
      channel &+= 1
    }
  }

  private func put(
    _ value: Float, at position: Float, channel: Int, row: Int, column: Int, in image: UnsafeMutablePointer<Float>
  ) {
    guard let pixel = pixel(Int(Int32(saturating: position)), row: row, column: column) else { return }
    image[pixel &+ channel] = value
  }

  /// Returns the offset of the first channel of a position; `nil` outside the image.
  @inline(__always)
  private func pixel(_ place: Int, row: Int, column: Int) -> Int? {
    // Sizes and positions fit 32 bits.
    let y = row &* strides.height &- top &+ place / window.width
    let x = column &* strides.width &- left &+ place % window.width
    guard y >= 0, y < height, x >= 0, x < width else { return nil }
    return (y &* width &+ x) &* channels
  }
}
