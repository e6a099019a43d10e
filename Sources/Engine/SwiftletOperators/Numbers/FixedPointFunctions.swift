import SwiftletEngine
import SwiftletKernels

extension QuantizedMultiplier {
  /// Creates `1 / √value` for a positive integer; 1 for values below 2.
  ///
  /// - Source: the reference's inverse square root. The value is scaled to 2²⁷ … 2²⁹ by powers of four, followed by
  ///   five Newton steps with 3 integer bits, and one factor of √½. The order of all roundings affects the result.
  init(reciprocalSquareRootOf value: Int32) {
    guard value > 1 else {
      self.init(multiplier: .max, shift: 0)
      return
    }
    var input = value
    var rightShift: Int32 = 11
    while input >= 1 << 29 {
      input /= 4
      rightShift += 1
    }
    let pairs = (Int32(input.leadingZeroBitCount) - 1) / 2 - 1
    rightShift -= pairs
    input <<= 2 * pairs

    func product(_ first: Int32, _ second: Int32) -> Int32 {
      FixedPoint.saturatingRoundingDoublingHighMultiply(first, second)
    }
    func saturatingShift(_ value: Int32, by amount: Int64) -> Int32 { Int32(clamping: Int64(value) << amount) }
    let half = FixedPoint.roundingDivide(input >> 1, byPowerOfTwo: 1)
    let threeHalves: Int32 = 1 << 28 | 1 << 27
    var root: Int32 = 1 << 28
    for _ in 0..<5 {
      let cube = saturatingShift(product(product(root, root), root), by: 6)
      root = saturatingShift(product(threeHalves, root) &- product(half, cube), by: 3)
    }
    // The value √½ in units of 2⁻³¹.
    root = product(root, 1_518_500_250)
    if rightShift < 0 {
      root = root << (0 - rightShift)
      rightShift = 0
    }
    self.init(multiplier: root, shift: 0 - rightShift)
  }
}

extension FixedPoint {
  /// Returns `1 / (1 + fraction)` for a fraction from 0 to 1, both in units of 2⁻³¹.
  ///
  /// - Source: the fixed-point library that the reference uses: three Newton steps with 2 integer bits, starting from
  ///   the line 48/17 − 32/17 × x. The order of all roundings affects the result.
  static func reciprocal(ofOnePlus fraction: Int32) -> Int32 {
    func product(_ first: Int32, _ second: Int32) -> Int32 { saturatingRoundingDoublingHighMultiply(first, second) }
    let sum = Int64(fraction) + Int64(Int32.max)
    let half = Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
    // The constants 48/17 and −32/17 in units of 2⁻²⁹.
    var estimate = 1_515_870_810 &+ product(half, -1_010_580_540)
    for _ in 0..<3 {
      let error = (1 << 29) &- product(half, estimate)
      estimate = estimate &+ Int32(clamping: Int64(product(estimate, error)) << 2)
    }
    return Int32(clamping: Int64(estimate) << 1)
  }
}

extension PreparedOperator.Stage {
  /// Returns a stage that checks input `index` before anything is computed.
  ///
  /// - Parameters:
  ///   - isAllowed: Returns whether an element is allowed.
  ///   - message: The error message for an element that isn't allowed.
  /// - Throws: `invalidInput` with the message, in the run.
  static func check<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, input index: Int, as type: Element.Type, _ message: String,
    isAllowed: @escaping @Sendable (Element) -> Bool
  ) throws -> PreparedOperator.Stage {
    let source = try context.inputSlot(index)
    let location = context.node.node.location
    return PreparedOperator.Stage(items: try context.node.input(index).shape.elementCount, cost: 0.5) { run, range in
      let input = run.pointer(source, as: type)
      for position in range where !isAllowed(input[position]) {
        throw RuntimeError(.invalidInput, "input \(index) holds \(input[position]): \(message)", location: location)
      }
    }.touching(reads: [source], writes: [])
  }
}
