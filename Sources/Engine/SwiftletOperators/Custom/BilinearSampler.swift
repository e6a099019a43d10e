import SwiftletEngine

/// Reads NHWC images between their pixels.
struct BilinearSampler: Sendable {
  let height: Int
  let width: Int
  let channels: Int

  /// One blended pixel. What lies beyond the edge counts as zero.
  ///
  /// - Parameters:
  ///   - x, y: the place in pixels, above −1 and below the image's size.
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

/// The part of a 4×4 matrix, row by row, that moves points of a plane: `x' = x · xx + y · xy + x0`.
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
