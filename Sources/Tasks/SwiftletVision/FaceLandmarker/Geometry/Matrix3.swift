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

extension Matrix3 {
  /// The most rounds of turning; columns are at right angles after five or six.
  private static let maximumRounds = 30
  /// Columns whose directions differ from a right angle by less are left as they are.
  private static let rightAngle = 1e-15
  /// A second singular value that is smaller, in parts of the first, is none.
  private static let leastRatio = 1e-9

  /// The rotation nearest to the matrix: the `R` for which the trace of `Rᵀ · self` is largest.
  ///
  /// With the singular values `U · Σ · Vᵀ` it is `U · Vᵀ`, the direction of the least value turned round where that would
  /// be a reflection. `nil` where it is not determined: for a matrix of rank 1 or less, and for numbers that are not
  /// finite.
  ///
  /// - Source: the one-sided Jacobi method (Hestenes 1958). Columns are turned in pairs until they are at right angles to
  ///   each other: then they are `U · Σ`, and the turns together are `V`.
  var nearestRotation: Matrix3? {
    let size = norm
    guard size.isFinite, size > 0 else { return nil }
    // Numbers of at most 1, whose squares do not overflow.
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
    // Two directions determine the third one of a rotation, which so needs no value of its own.
    let (u, v) = (Matrix3(rightAngled: left.x, left.y), Matrix3(rightAngled: right.x, right.y))
    return u * v.transposed
  }

  /// Three axes at right angles: that of `first`, that of `second` as far as it is at a right angle to the first, and
  /// the one that makes a rotation of them.
  private init(rightAngled first: SIMD3<Double>, _ second: SIMD3<Double>) {
    let x = first / first.length
    let rest = second - x * x.dot(second)
    let y = rest / rest.length
    self.init(x: x, y: y, z: x.cross(y))
  }

  /// Turns two columns of the left matrix so that they are at right angles, and those of the right one by the same angle.
  ///
  /// - Returns: whether there was anything to turn.
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

  /// Puts the longer of two columns of the left matrix first, and those of the right one in the same order.
  private static func order(
    _ left0: inout SIMD3<Double>, _ left1: inout SIMD3<Double>, _ right0: inout SIMD3<Double>,
    _ right1: inout SIMD3<Double>
  ) {
    guard left1.dot(left1) > left0.dot(left0) else { return }
    swap(&left0, &left1)
    swap(&right0, &right1)
  }
}
