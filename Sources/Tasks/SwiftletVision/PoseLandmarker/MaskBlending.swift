/// Blends a mask with that of the frame before, the more the less sure it is.
///
/// - Source: the segmentation smoothing of MediaPipe's holistic task, which approximates the entropy of a confidence by a
///   polynomial.
enum MaskBlending {
  private typealias Numbers = SIMD8<Float>

  /// How much of the frame before is taken where the mask says nothing.
  private static let share: Float = 0.7

  /// Blends numbers in place.
  static func blend(_ numbers: UnsafeMutablePointer<Float>, with previous: UnsafePointer<Float>, count: Int) {
    var index = 0
    while index &+ Numbers.scalarCount <= count {
      let target = UnsafeMutableRawPointer(numbers + index)
      let new = target.loadUnaligned(as: Numbers.self)
      let old = UnsafeRawPointer(previous + index).loadUnaligned(as: Numbers.self)
      // Most pixels belong to nobody, and did before.
      if new != .zero || old != .zero { target.storeBytes(of: blended(new, old), as: Numbers.self) }
      index &+= Numbers.scalarCount
    }
    while index < count {
      numbers[index] = blended(Numbers(repeating: numbers[index]), Numbers(repeating: previous[index]))[0]
      index &+= 1
    }
  }

  @inline(__always)
  private static func blended(_ new: Numbers, _ old: Numbers) -> Numbers {
    let distance = new - 0.5
    let square = distance * distance
    var sum = square * -624.717 + 291.309
    sum = sum * square - 57.8051
    sum = sum * square - 0.748699
    sum = sum * square + 5.68842
    let certainty = sum * square
    let doubt = 1 - certainty.replacing(with: 1, where: certainty .> 1)
    return new + (old - new) * (doubt * share)
  }
}
