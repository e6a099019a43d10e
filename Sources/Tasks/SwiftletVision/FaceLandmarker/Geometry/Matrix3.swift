/// A 3×3 matrix, stored as three columns.
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

  /// The norm: the root of the sum of all squares.
  var norm: Double { (x.dot(x) + y.dot(y) + z.dot(z)).squareRoot() }
}

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }

  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    [y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x]
  }

  var length: Double { dot(self).squareRoot() }
}

extension Matrix3 {
  /// The maximum number of sweeps; columns are orthogonal after five or six.
  private static let maximumRounds = 30
  /// The cosine below which two columns count as orthogonal.
  private static let rightAngle = 1e-15
  /// The ratio to the largest singular value below which the second singular value counts as 0.
  private static let leastRatio = 1e-9

  /// The rotation nearest to the matrix: the `R` with the largest trace of `Rᵀ · self`.
  ///
  /// With the singular value decomposition `U · Σ · Vᵀ`, it is `U · Vᵀ`. If that is a reflection, the direction of the
  /// smallest singular value is reversed. `nil` if the rotation is not determined: for a matrix of rank 1 or less, and
  /// for elements that are not finite.
  ///
  /// - Source: the one-sided Jacobi method (Hestenes 1958). Pairs of columns are rotated until all are orthogonal; they
  ///   are then `U · Σ`, and the accumulated rotations are `V`.
  var nearestRotation: Matrix3? {
    let size = norm
    guard size.isFinite, size > 0 else { return nil }
    // Scale all elements to at most 1, so that squares do not overflow.
    var left = Matrix3(x: x / size, y: y / size, z: z / size)
    var right = Matrix3.identity
    for _ in 0..<Self.maximumRounds {
      let first = Self.turn(&left.x, &left.y, &right.x, &right.y)
      let second = Self.turn(&left.x, &left.z, &right.x, &right.z)
      let third = Self.turn(&left.y, &left.z, &right.y, &right.z)
      if !first, !second, !third { break }
    }
    Self.order(&left.x, &left.y, &right.x, &right.y)
    Self.order(&left.x, &left.z, &right.x, &right.z)
    Self.order(&left.y, &left.z, &right.y, &right.z)
    let (largest, second) = (left.x.length, left.y.length)
    guard second > Self.leastRatio * largest else { return nil }
    // Two directions of a rotation determine the third, so the third singular value is not needed.
    let (u, v) = (Matrix3(rightAngled: left.x, left.y), Matrix3(rightAngled: right.x, right.y))
    return u * v.transposed
  }

  /// Creates three orthonormal axes: the direction of `first`, the direction of `second` made orthogonal to it, and the
  /// axis that completes a rotation.
  private init(rightAngled first: SIMD3<Double>, _ second: SIMD3<Double>) {
    let x = first / first.length
    let rest = second - x * x.dot(second)
    let y = rest / rest.length
    self.init(x: x, y: y, z: x.cross(y))
  }

  /// Rotates two columns of the left matrix to make them orthogonal, and two columns of the right matrix by the same
  /// angle.
  ///
  /// - Returns: Whether a rotation was necessary.
  private static func turn(
    _ left0: inout SIMD3<Double>, _ left1: inout SIMD3<Double>, _ right0: inout SIMD3<Double>,
    _ right1: inout SIMD3<Double>
  ) -> Bool {
    let (square0, square1, product) = (left0.dot(left0), left1.dot(left1), left0.dot(left1))
    guard abs(product) > rightAngle * (square0 * square1).squareRoot() else { return false }
    let cotangent = (square1 - square0) / (2 * product)
    let tangent = (cotangent < 0 ? -1 : 1) / (abs(cotangent) + (1 + cotangent * cotangent).squareRoot())
    let cosine = 1 / (1 + tangent * tangent).squareRoot()
    let sine = cosine * tangent
    (left0, left1) = (left0 * cosine - left1 * sine, left0 * sine + left1 * cosine)
    (right0, right1) = (right0 * cosine - right1 * sine, right0 * sine + right1 * cosine)
    return true
  }

  /// Puts the longer of two columns of the left matrix first, and reorders the columns of the right matrix accordingly.
  private static func order(
    _ left0: inout SIMD3<Double>, _ left1: inout SIMD3<Double>, _ right0: inout SIMD3<Double>,
    _ right1: inout SIMD3<Double>
  ) {
    guard left1.dot(left1) > left0.dot(left0) else { return }
    swap(&left0, &left1)
    swap(&right0, &right1)
  }
}
