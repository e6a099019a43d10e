/// The in-place discrete Fourier transform of complex numbers in double precision.
///
/// - Source: the radix-2 algorithm of Cooley and Tukey, with its first two passes merged.
struct FourierPasses {
  typealias Complex = SIMD2<Double>

  let numbers: UnsafeMutablePointer<Complex>
  /// The distance from one number to the next.
  let step: Int
  /// The number of numbers, a power of two.
  let length: Int

  /// Transforms the numbers.
  ///
  /// - Parameter roots: The roots of unity of each pass from the third on, pass by pass, in the order of their use.
  @inline(__always)
  func run(_ roots: UnsafePointer<Complex>) {
    reverseBits()
    if length == 2 {
      let (low, high) = (numbers[0], numbers[step])
      (numbers[0], numbers[step]) = (low + high, low - high)
    }
    guard length >= 4 else { return }
    firstPasses()
    var (half, root) = (4, roots)
    while half < length {
      pass(half, root)
      root += half
      half &*= 2
    }
  }

  /// Computes the passes whose roots are 1 and −i, without multiplications.
  @inline(__always)
  private func firstPasses() {
    var (start, at) = (0, numbers)
    while start < length {
      let (a, b, c, d) = (at[0], at[step], at[2 &* step], at[3 &* step])
      let (sum, difference) = (a + b, a - b)
      let (otherSum, other) = (c + d, c - d)
      let turned = Complex(other.y, -other.x)
      at[0] = sum + otherSum
      at[step] = difference + turned
      at[2 &* step] = sum - otherSum
      at[3 &* step] = difference - turned
      at += 4 &* step
      start &+= 4
    }
  }

  /// Merges transforms of `half` numbers to transforms of twice as many.
  @inline(__always)
  private func pass(_ half: Int, _ roots: UnsafePointer<Complex>) {
    var start = 0
    while start < length {
      var (low, high) = (numbers + start &* step, numbers + (start &+ half) &* step)
      var offset = 0
      while offset < half {
        let (even, odd) = (low.pointee, product(high.pointee, roots[offset]))
        low.pointee = even + odd
        high.pointee = even - odd
        low += step
        high += step
        offset &+= 1
      }
      start &+= 2 &* half
    }
  }

  @inline(__always)
  private func reverseBits() {
    var (reversed, index) = (0, 1)
    while index < length {
      var bit = length &>> 1
      while reversed & bit != 0 {
        reversed &-= bit
        bit = bit &>> 1
      }
      reversed |= bit
      if index < reversed {
        let value = numbers[index &* step]
        numbers[index &* step] = numbers[reversed &* step]
        numbers[reversed &* step] = value
      }
      index &+= 1
    }
  }
}

/// Computes the frequencies of 2 · `half` real numbers from those of the complex numbers that they were paired to.
///
/// - Parameters:
///   - numbers: `half` + 1 numbers, of which the last is not set yet.
///   - roots: The roots of unity in the first quadrant, `half` / 2 + 1.
/// - Source: two real transforms of half the length are one complex transform; see "Numerical Recipes", section 12.3.
@inline(__always)
func separateFrequencies(_ numbers: UnsafeMutablePointer<SIMD2<Double>>, half: Int, roots: UnsafePointer<SIMD2<Double>>)
{
  numbers[half] = numbers[0]
  var index = 0
  while index <= half &>> 1 {
    let (one, last) = (numbers[index], numbers[half &- index])
    let other = SIMD2(last.x, -last.y)
    let (even, odd) = ((one + other) * 0.5, (one - other) * 0.5)
    let product = product(odd, roots[index])
    let turned = SIMD2(product.y, -product.x)
    let difference = even - turned
    numbers[half &- index] = SIMD2(difference.x, -difference.y)
    numbers[index] = even + turned
    index &+= 1
  }
}

/// Returns the product of two complex numbers.
@inline(__always)
private func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  a * SIMD2(repeating: b.x) + SIMD2(a.y, a.x) * SIMD2(-b.y, b.y)
}
