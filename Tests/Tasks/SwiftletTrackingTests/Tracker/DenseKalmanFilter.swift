/// The tracker's filter as an eight-dimensional filter with full matrices, implemented from its definition. It's slow,
/// and independent of the code under test.
struct DenseKalmanFilter {
  typealias Matrix = [[Double]]

  /// Center x, center y, aspect, height, and their velocities.
  var state: [Double]
  var covariance: Matrix

  init(centerX: Double, centerY: Double, aspect: Double, height: Double) {
    state = [centerX, centerY, aspect, height, 0, 0, 0, 0]
    let (position, velocity) = Self.deviations(height)
    covariance = Self.diagonal([
      2 * position, 2 * position, 0.01, 2 * position, 10 * velocity, 10 * velocity, 3e-4, 10 * velocity,
    ])
  }

  mutating func predict(seconds: Double) {
    var transition = Self.diagonal([Double](repeating: 1, count: 8))
    for index in 0..<4 { transition[index][index + 4] = seconds }
    let (position, velocity) = Self.deviations(state[3])
    var noise = Self.diagonal([position, position, 0.01, position, velocity, velocity, 3e-4, velocity])
    for index in 0..<8 { noise[index][index] *= max(seconds * 30, 0.1) }
    state = transition.map { row in zip(row, state).reduce(0) { $0 + $1.0 * $1.1 } }
    covariance = Self.sum(Self.product(Self.product(transition, covariance), Self.transposed(transition)), noise)
  }

  mutating func update(_ measured: [Double], score: Double?) {
    let (position, _) = Self.deviations(state[3])
    let weakness = score.map { 2 - $0 } ?? 1
    let noise = Self.diagonal([position, position, 0.1, position].map { $0 * weakness })
    // The measurement is the first four components of the state.
    let innovationCovariance = Self.sum(covariance[0..<4].map { Array($0[0..<4]) }, noise)
    let gain = Self.product(covariance.map { Array($0[0..<4]) }, Self.inverse(innovationCovariance))
    let surprise = (0..<4).map { measured[$0] - state[$0] }
    for row in 0..<8 { state[row] += (0..<4).reduce(0) { $0 + gain[row][$1] * surprise[$1] } }
    // The Joseph form.
    var kept = Self.diagonal([Double](repeating: 1, count: 8))
    for row in 0..<8 { for column in 0..<4 { kept[row][column] -= gain[row][column] } }
    covariance = Self.sum(
      Self.product(Self.product(kept, covariance), Self.transposed(kept)),
      Self.product(Self.product(gain, noise), Self.transposed(gain)))
  }

  private static func deviations(_ height: Double) -> (Double, Double) { (height / 20, 30 * height / 160) }

  private static func diagonal(_ deviations: [Double]) -> Matrix {
    deviations.indices.map { row in deviations.indices.map { $0 == row ? deviations[row] * deviations[row] : 0 } }
  }

  private static func sum(_ left: Matrix, _ right: Matrix) -> Matrix { zip(left, right).map { zip($0, $1).map(+) } }

  private static func product(_ left: Matrix, _ right: Matrix) -> Matrix {
    left.map { row in right[0].indices.map { column in row.indices.reduce(0) { $0 + row[$1] * right[$1][column] } } }
  }

  private static func transposed(_ matrix: Matrix) -> Matrix {
    matrix[0].indices.map { column in matrix.map { $0[column] } }
  }

  /// Returns the inverse, by Gauss-Jordan elimination with pivoting.
  private static func inverse(_ matrix: Matrix) -> Matrix {
    let size = matrix.count
    var left = matrix
    var right = diagonal([Double](repeating: 1, count: size))
    for column in 0..<size {
      let pivot = (column..<size).max { abs(left[$0][column]) < abs(left[$1][column]) } ?? column
      left.swapAt(column, pivot)
      right.swapAt(column, pivot)
      let scale = left[column][column]
      for index in 0..<size {
        left[column][index] /= scale
        right[column][index] /= scale
      }
      for row in 0..<size where row != column {
        let factor = left[row][column]
        for index in 0..<size {
          left[row][index] -= factor * left[column][index]
          right[row][index] -= factor * right[column][index]
        }
      }
    }
    return right
  }
}
