import SwiftletEngine
import SwiftletSchema

/// A sampler of NHWC images at positions between pixels.
struct BilinearSampler: Sendable {
  let height: Int
  let width: Int
  let channels: Int

  /// Blends one pixel. Elements outside the image are zero.
  ///
  /// - Parameters:
  ///   - x, y: The position in pixels, above −1 and below the size of the image.
  @inline(__always)
  func sample(_ image: UnsafePointer<Float>, x: Float, y: Float, into result: UnsafeMutablePointer<Float>) {
    let left = Int(x.rounded(.down))
    let top = Int(y.rounded(.down))
    let right = x - Float(left)
    let lower = y - Float(top)
    for channel in 0..<channels { result[channel] = 0 }
    add(image, left, top, (1 - right) * (1 - lower), to: result)
    add(image, left &+ 1, top, right * (1 - lower), to: result)
    add(image, left, top &+ 1, (1 - right) * lower, to: result)
    add(image, left &+ 1, top &+ 1, right * lower, to: result)
  }

  @inline(__always)
  private func add(
    _ image: UnsafePointer<Float>, _ x: Int, _ y: Int, _ weight: Float, to result: UnsafeMutablePointer<Float>
  ) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let pixel = image + (y &* width &+ x) &* channels
    for channel in 0..<channels { result[channel] += weight * pixel[channel] }
  }
}

/// The part of a row-major 4×4 matrix that transforms points of a plane: `x' = x · xx + y · xy + x0`.
struct PlaneTransform: BitwiseCopyable, Sendable {
  var xx: Float
  var xy: Float
  var x0: Float
  var yx: Float
  var yy: Float
  var y0: Float

  init(_ matrix: UnsafePointer<Float>) {
    (xx, xy, x0) = (matrix[0], matrix[1], matrix[3])
    (yx, yy, y0) = (matrix[4], matrix[5], matrix[7])
  }

  @inline(__always)
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (xx * x + xy * y + x0, yx * x + yy * y + y0)
  }
}

/// Resampler: reads every pixel of an image at its own position.
///
/// - Shapes: images `[batch, height, width, channels]`, positions `[batch, height, width, 2]` (x, then y, in pixels);
///   output like the images.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. A position up to one pixel outside the image is blended with zeros.
///   Farther outside, the result is 0.
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

/// TransformTensorBilinear: an image transformed by a matrix.
///
/// - Shapes: image `[1, height, width, channels]`, matrix of 16 elements `[1, 4, 4]` that maps pixels of the output to
///   pixels of the image; output `[1, output_height, output_width, channels]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. Positions outside the image's pixel centers result in 0. Version 2
///   measures from pixel corners, version 1 from pixel centers.
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
