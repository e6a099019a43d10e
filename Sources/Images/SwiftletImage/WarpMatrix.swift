import SwiftletBase

/// The map from tensor pixels to positions in the image.
///
/// The first goal is to match MediaPipe's bytes exactly; the second is speed. MediaPipe calls OpenCV to compute the
/// perspective transform between the corners of the region and of the tensor. OpenCV solves eight equations and inverts
/// the result. The solution is an affine map with rounding noise in its last bits. If a position is exactly between two
/// steps of 1/32 pixel, that noise decides. So this type solves the same equations in the same order with the same
/// precision at every step, and keeps the perspective terms, which are almost zero.
struct WarpMatrix: Sendable, Hashable {
  var m00 = 1.0
  var m01 = 0.0
  var m02 = 0.0
  var m10 = 0.0
  var m11 = 1.0
  var m12 = 0.0
  var m20 = 0.0
  var m21 = 0.0
  var m22 = 1.0

  static let identity = WarpMatrix()

  private typealias Corners = (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)

  private init() {}

  /// Creates the map.
  ///
  /// - Throws: `ImageError.invalidRegion` if the region is so small that the equations have no solution.
  init(region: PixelRegion, tensorWidth: Int, tensorHeight: Int) throws(ImageError) {
    let right = Float(tensorWidth)
    let bottom = Float(tensorHeight)
    let corners = region.corners
    let tensorCorners = (SIMD2(0, bottom), SIMD2<Float>(0, 0), SIMD2(right, 0), SIMD2(right, bottom))
    guard let inverse = Self.solve(from: corners, to: tensorCorners)?.inverse else {
      throw ImageError(
        code: .invalidRegion,
        message: """
          region of interest of \(region.width) × \(region.height) pixels is too small to be resampled; \
          it should span at least a fraction of a pixel
          """)
    }
    self = inverse
  }

  /// Solves for the transform that maps each of four points to its counterpart, by Gaussian elimination with row
  /// exchange.
  private static func solve(from: Corners, to: Corners) -> WarpMatrix? {
    let size = 8
    let columns = size + 1
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: size * columns) { system in
      system.initialize(repeating: 0)
      func setEquation(_ row: Int, _ point: SIMD2<Float>, _ target: Float, firstColumn: Int) {
        let start = row * columns
        system[start + firstColumn] = Double(point.x)
        system[start + firstColumn + 1] = Double(point.y)
        system[start + firstColumn + 2] = 1
        // OpenCV computes these two products in single precision too.
        system[start + 6] = Double(-point.x * target)
        system[start + 7] = Double(-point.y * target)
        system[start + 8] = Double(target)
      }
      setEquation(0, from.0, to.0.x, firstColumn: 0)
      setEquation(1, from.1, to.1.x, firstColumn: 0)
      setEquation(2, from.2, to.2.x, firstColumn: 0)
      setEquation(3, from.3, to.3.x, firstColumn: 0)
      setEquation(4, from.0, to.0.y, firstColumn: 3)
      setEquation(5, from.1, to.1.y, firstColumn: 3)
      setEquation(6, from.2, to.2.y, firstColumn: 3)
      setEquation(7, from.3, to.3.y, firstColumn: 3)
      for column in 0..<size {
        var pivot = column
        for row in (column + 1)..<max(size, column + 1)
        where abs(system[row * columns + column]) > abs(system[pivot * columns + column]) {
          pivot = row
        }
        guard abs(system[pivot * columns + column]) >= Double.ulpOfOne * 100 else { return nil }
        if pivot != column {
          for k in column..<columns { system.swapAt(pivot * columns + k, column * columns + k) }
        }
        let negatedReciprocal = -1 / system[column * columns + column]
        for row in (column + 1)..<max(size, column + 1) {
          let factor = system[row * columns + column] * negatedReciprocal
          for k in (column + 1)..<columns {
            system[row * columns + k] += factor * system[column * columns + k]
          }
        }
      }
      for row in stride(from: size - 1, through: 0, by: -1) {
        var value = system[row * columns + size]
        for k in (row + 1)..<max(size, row + 1) {
          value -= system[row * columns + k] * system[k * columns + size]
        }
        system[row * columns + size] = value / system[row * columns + row]
      }
      func unknown(_ row: Int) -> Double { system[row * columns + size] }
      var matrix = WarpMatrix()
      (matrix.m00, matrix.m01, matrix.m02) = (unknown(0), unknown(1), unknown(2))
      (matrix.m10, matrix.m11, matrix.m12) = (unknown(3), unknown(4), unknown(5))
      (matrix.m20, matrix.m21, matrix.m22) = (unknown(6), unknown(7), 1)
      return matrix
    }
  }

  private var inverse: WarpMatrix? {
    let determinant =
      m00 * (m11 * m22 - m12 * m21) - m01 * (m10 * m22 - m12 * m20) + m02 * (m10 * m21 - m11 * m20)
    guard determinant != 0, determinant.isFinite else { return nil }
    let d = 1 / determinant
    var result = WarpMatrix()
    result.m00 = (m11 * m22 - m12 * m21) * d
    result.m01 = (m02 * m21 - m01 * m22) * d
    result.m02 = (m01 * m12 - m02 * m11) * d
    result.m10 = (m12 * m20 - m10 * m22) * d
    result.m11 = (m00 * m22 - m02 * m20) * d
    result.m12 = (m02 * m10 - m00 * m12) * d
    result.m20 = (m10 * m21 - m11 * m20) * d
    result.m21 = (m01 * m20 - m00 * m21) * d
    result.m22 = (m00 * m11 - m01 * m10) * d
    return result.isFinite ? result : nil
  }

  private var isFinite: Bool {
    m00.isFinite && m01.isFinite && m02.isFinite && m10.isFinite && m11.isFinite && m12.isFinite && m20.isFinite
      && m21.isFinite && m22.isFinite
  }
}

/// Functions of `Float` that are computed in double precision and rounded once.
///
/// MediaPipe's binaries contain their own single-precision functions, which return these values. The functions of C
/// libraries, such as `cosf`, sometimes differ in the last bit, and also between platforms. That bit matters in
/// bit-exact comparisons with MediaPipe's landmarks, because the model's input region is computed from it.
package enum RoundedFunctions {
  /// Returns the cosine of an angle in radians.
  package static func cosine(_ angle: Float) -> Float { Float(cos(Double(angle))) }

  /// Returns the sine of an angle in radians.
  package static func sine(_ angle: Float) -> Float { Float(sin(Double(angle))) }

  /// Returns the angle between the x axis and a point, in −π…π.
  package static func arcTangent(y: Float, x: Float) -> Float { Float(atan2(Double(y), Double(x))) }

  /// Returns e raised to a power.
  package static func exponential(_ exponent: Float) -> Float { Float(exp(Double(exponent))) }

  /// Returns the logistic function 1 / (1 + e^−x), rounded after every step.
  package static func sigmoid(_ value: Float) -> Float { 1 / (1 + exponential(-value)) }
}
