/// The difference between the values of a tensor and those of a reference, over all elements of all inputs.
///
/// Elements that aren't finite in one of the two are counted, and take no part in the other figures.
public struct ErrorFigures: Sendable, Hashable {
  /// The signal-to-noise ratio in decibels: `10 log₁₀(Σ r² / Σ (v − r)²)`. It is infinite if the values are equal.
  public var signalToNoise: Double
  /// The cosine of the angle between the values and the reference. It is 1 if both are zero, and 0 if one of them is.
  public var cosine: Double
  /// The largest absolute difference.
  public var largestError: Double
  /// The mean of the values minus the mean of the reference.
  public var meanShift: Double
  /// The mean of the values divided by the mean of the reference; NaN if the latter is 0.
  public var meanRatio: Double
  /// The standard deviation of the values divided by that of the reference; NaN if the latter is 0.
  public var scale: Double
  /// The number of elements that aren't finite in the values, but are in the reference.
  public var notFiniteCount: Int
  /// The number of elements.
  public var elementCount: Int
}

/// The sums from which figures follow.
struct ErrorSums: Sendable {
  private var count = 0
  private var notFinite = 0
  private var value = 0.0
  private var reference = 0.0
  private var valueSquare = 0.0
  private var referenceSquare = 0.0
  private var product = 0.0
  private(set) var noise = 0.0
  private var largest = 0.0

  mutating func add(_ values: UnsafeBufferPointer<Float>, reference references: UnsafeBufferPointer<Float>) {
    let total = min(values.count, references.count)
    var sums = ErrorSums()
    for index in 0..<total {
      let (v, r) = (Double(values[index]), Double(references[index]))
      guard v.isFinite, r.isFinite else {
        if r.isFinite { sums.notFinite += 1 }
        sums.count -= 1
        continue
      }
      sums.value += v
      sums.reference += r
      sums.valueSquare += v * v
      sums.referenceSquare += r * r
      sums.product += v * r
      let error = v - r
      sums.noise += error * error
      sums.largest = max(sums.largest, abs(error))
    }
    sums.count += total
    add(sums)
  }

  mutating func add(_ other: ErrorSums) {
    count += other.count
    notFinite += other.notFinite
    value += other.value
    reference += other.reference
    valueSquare += other.valueSquare
    referenceSquare += other.referenceSquare
    product += other.product
    noise += other.noise
    largest = max(largest, other.largest)
  }

  /// The mean square of the reference.
  var signalPower: Double { count > 0 ? referenceSquare / Double(count) : 0 }
  /// The mean square of the error.
  var noisePower: Double { count > 0 ? noise / Double(count) : 0 }

  /// The figures; `nil` if nothing was added.
  var figures: ErrorFigures? {
    guard count + notFinite > 0 else { return nil }
    let n = Double(max(1, count))
    let (mean, referenceMean) = (value / n, reference / n)
    let norm = (valueSquare * referenceSquare).squareRoot()
    func deviation(_ squares: Double, _ mean: Double) -> Double { max(0, squares / n - mean * mean).squareRoot() }
    let spread = deviation(referenceSquare, referenceMean)
    return ErrorFigures(
      signalToNoise: notFinite > 0 ? -.infinity : Decibels.ratio(referenceSquare, noise),
      cosine: norm > 0 ? product / norm : valueSquare == referenceSquare ? 1 : 0, largestError: largest,
      meanShift: mean - referenceMean, meanRatio: referenceMean == 0 ? .nan : mean / referenceMean,
      scale: spread > 0 ? deviation(valueSquare, mean) / spread : .nan, notFiniteCount: notFinite,
      elementCount: count + notFinite)
  }
}
