/// `e` to the power of minus `exponent`, with the same bits on every platform, as the C library's function need not
/// have.
///
/// The exponent is cut into whole powers of two, which scale exactly, and a rest of at most half of ln 2, for which a
/// Taylor series of 14 terms is as good as the type: the relative error is below 1e-15.
///
/// - Parameter exponent: not negative. More than 700, and what is not a number, gives 0.
func decayFactor(_ exponent: Double) -> Double {
  guard exponent > 0 else { return exponent.isNaN ? 0 : 1 }
  guard exponent <= 700 else { return 0 }
  // ln 2 in two parts, the first with so few digits that its products with small whole numbers are exact.
  let (upper, lower) = (0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45)
  let halvings = (exponent / (upper + lower)).rounded()
  let rest = halvings * upper - exponent + halvings * lower
  var sum = 1.0
  var term = 14.0
  while term > 0 {
    sum = 1 + sum * rest / term
    term -= 1
  }
  return Double(sign: .plus, exponent: -Int(halvings), significand: sum)
}
