import SwiftletEngine
import SwiftletSchema

/// Resampler: an image whose every pixel is read at a place of its own.
///
/// - Shapes: images `[batch, height, width, channels]`, places `[batch, height, width, 2]` (x, then y, in pixels);
///   output as the images.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. A place up to one pixel outside is blended with zeros, farther out
///   gives 0.
struct ResamplerOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("Resampler"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let images = try node.input(0)
    guard images.shape.rank == 4 else { throw node.invalid("takes images of rank 4, got \(images)") }
    var places = images.shape
    places[3] = 2
    guard try node.input(1).shape == places else {
      throw node.invalid("takes places of the shape \(places), got \(try node.input(1))")
    }
    return [images.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let shape = try context.node.input(0).shape
    let source = try context.inputSlot(0)
    let places = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let (height, width, channels) = (shape[1], shape[2], shape[3])
    let sampler = BilinearSampler(height: height, width: width, channels: channels)
    let (right, bottom) = (Float(width), Float(height))
    return PreparedOperator(
      items: shape[0] * height, cost: Double(width) * (Double(channels) * 2 + 10)
    ) { run, rows in
      for row in rows {
        let image = run.pointer(source, as: Float.self) + row / height &* height &* width &* channels
        for column in 0..<width {
          let index = row &* width &+ column
          let place = run.pointer(places, as: Float.self) + 2 &* index
          let pixel = run.pointer(destination, as: Float.self) + index &* channels
          if place[0] > -1, place[0] < right, place[1] > -1, place[1] < bottom {
            sampler.sample(image, x: place[0], y: place[1], into: pixel)
          } else {
            pixel.update(repeating: 0, count: channels)
          }
        }
      }
    }
  }
}
