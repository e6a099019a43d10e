/// Three columns of three numbers.
struct Matrix3: Sendable, Hashable {
  var x: SIMD3<Double>
  var y: SIMD3<Double>
  var z: SIMD3<Double>

  static let zero = Matrix3(x: .zero, y: .zero, z: .zero)
  static let identity = Matrix3(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])

  /// Adds `factor · left · rightᵀ`.
  mutating func add(_ left: SIMD3<Double>, _ right: SIMD3<Double>, factor: Double) {
    let scaled = left * factor
    x += scaled * right.x
    y += scaled * right.y
    z += scaled * right.z
  }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    matrix.x * vector.x + matrix.y * vector.y + matrix.z * vector.z
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(x: left * right.x, y: left * right.y, z: left * right.z)
  }

  var transposed: Matrix3 {
    Matrix3(x: [x.x, y.x, z.x], y: [x.y, y.y, z.y], z: [x.z, y.z, z.z])
  }

  var determinant: Double { x.dot(y.cross(z)) }

  /// The root of the sum of all squares.
  var norm: Double { (x.dot(x) + y.dot(y) + z.dot(z)).squareRoot() }
}

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }

  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    [y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x]
  }

  var length: Double { dot(self).squareRoot() }
}
