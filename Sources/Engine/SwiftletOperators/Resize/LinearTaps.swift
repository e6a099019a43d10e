import SwiftletEngine

/// The two input pixels that an output pixel mixes, along one axis, and their shares.
struct LinearTap<Weight: Sendable>: Sendable {
  var lower: Int
  var upper: Int
  /// The shares of `lower` and `upper`; they add up to one.
  var lowerWeight: Weight
  var upperWeight: Weight
}

extension ResizeRule {
  /// The taps in single precision.
  func floatTaps(input: Int, output: Int) -> [LinearTap<Float>] {
    let scale = scale(input: input, output: output)
    return (0..<output).map { position in
      let exact = hasHalfPixelCenters ? (Float(position) + 0.5) * scale - 0.5 : Float(position) * scale
      let lower = min(max(0, Int(exact.rounded(.down))), input - 1)
      let upper = min(max(0, Int(exact.rounded(.up))), input - 1)
      let fraction = exact - Float(lower)
      return LinearTap(lower: lower, upper: upper, lowerWeight: 1 - fraction, upperWeight: fraction)
    }
  }

  /// The taps as XNNPACK has them: places in single precision, kept within the image.
  func boundedTaps(input: Int, output: Int) -> [LinearTap<Float>] {
    let scale = scale(input: input, output: output)
    return (0..<output).map { position in
      let exact = hasHalfPixelCenters ? Float(position) * scale + (0.5 * scale - 0.5) : Float(position) * scale
      let place = min(max(exact, 0), Float(input - 1))
      // The last place may have been rounded up to the next number in single precision.
      let lower = min(Int(place), input - 1)
      let share = place - Float(lower)
      return LinearTap(lower: lower, upper: min(lower + 1, input - 1), lowerWeight: 1 - share, upperWeight: share)
    }
  }

  /// The same in fixed point, shares rounded to even.
  func fixedPointTaps(input: Int, output: Int, one: Int32) -> [LinearTap<Int32>] {
    boundedTaps(input: input, output: output).map { tap in
      let share = Int32((tap.upperWeight * Float(one)).rounded(.toNearestOrEven))
      return LinearTap(lower: tap.lower, upper: tap.upper, lowerWeight: one - share, upperWeight: share)
    }
  }

  /// The taps in units of 1/1024, as the reference counts for integers.
  func fixedPointTaps(input: Int, output: Int) -> [LinearTap<Int32>] {
    let one = 1024
    let scale =
      alignsCorners && output > 1
      ? (one * (input - 1) + (output - 1) / 2) / (output - 1) : (one * input + output / 2) / output
    return (0..<output).map { position in
      let exact = position * scale + (hasHalfPixelCenters ? scale / 2 - one / 2 : 0)
      let lower = max(0, exact / one)
      // The scale is rounded, so positions of much enlarged images may run past the last pixel.
      guard lower < input - 1 || exact <= (input - 1) * one else {
        return LinearTap(lower: input - 1, upper: input - 1, lowerWeight: Int32(one), upperWeight: 0)
      }
      let upper = min((exact + one - 1) / one, input - 1)
      let fraction = exact - one * lower
      return LinearTap(
        lower: lower, upper: max(0, upper), lowerWeight: Int32(truncatingIfNeeded: one - fraction),
        upperWeight: Int32(truncatingIfNeeded: fraction))
    }
  }
}
