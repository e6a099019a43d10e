import SwiftletEngine
import SwiftletSchema

/// TransformTensorBilinear: an image looked at through a matrix.
///
/// - Shapes: image `[1, height, width, channels]`, matrix of 16 elements `[1, 4, 4]`, which takes pixels of the
///   output to pixels of the image; output `[1, output_height, output_width, channels]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. Places outside of the image's pixel centres give 0. Version 2
///   measures from pixel corners, version 1 from pixel centres.
struct TransformTensorBilinearOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("TransformTensorBilinear"), versions: 1...2, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let height: Int
  private let width: Int
  private let isMeasuredFromCorners: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    let map = try node.description.customOptionValues()
    isMeasuredFromCorners = node.version >= 2
    if isMeasuredFromCorners {
      height = map["output_height"].intValue
      width = map["output_width"].intValue
    } else {
      let size = map["output_size"].elements
      height = size.count == 2 ? size[0].intValue : 0
      width = size.count == 2 ? size[1].intValue : 0
    }
    guard (1...Int(Int32.max)).contains(height), (1...Int(Int32.max)).contains(width) else {
      throw node.invalid("makes images of \(height)×\(width) pixels; both sizes must be positive")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let image = try node.input(0)
    guard image.shape.rank == 4, image.shape[0] == 1, image.shape[1] > 0, image.shape[2] > 0 else {
      throw node.invalid("takes one image that is not empty, got \(image)")
    }
    guard try node.input(1).shape.elementCount == 16 else {
      throw node.invalid("takes a matrix of 16 elements, got \(try node.input(1))")
    }
    return [[1, height, width, image.shape[3]]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let image = try context.node.input(0).shape
    let source = try context.inputSlot(0)
    let matrix = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let sampler = BilinearSampler(height: image[1], width: image[2], channels: image[3])
    let (width, channels, isMeasuredFromCorners) = (width, image[3], isMeasuredFromCorners)
    let (right, bottom) = (Float(image[2] - 1), Float(image[1] - 1))
    return PreparedOperator(items: height, cost: Double(width) * (Double(channels) * 2 + 10)) { run, rows in
      var transform = PlaneTransform(run.pointer(matrix, as: Float.self))
      if isMeasuredFromCorners {
        transform.x0 += 0.5 * transform.xx + 0.5 * transform.xy - 0.5
        transform.y0 += 0.5 * transform.yx + 0.5 * transform.yy - 0.5
      }
      for row in rows {
        for column in 0..<width {
          let (x, y) = transform(Float(column), Float(row))
          let pixel = run.pointer(destination, as: Float.self) + (row &* width &+ column) &* channels
          if x >= 0, x <= right, y >= 0, y <= bottom {
            sampler.sample(run.pointer(source, as: Float.self), x: x, y: y, into: pixel)
          } else {
            pixel.update(repeating: 0, count: channels)
          }
        }
      }
    }
  }
}
