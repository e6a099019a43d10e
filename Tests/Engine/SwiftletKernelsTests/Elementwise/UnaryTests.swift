import SwiftletBase
import Testing

@testable import SwiftletKernels

@Suite("Functions of one tensor")
struct UnaryTests {
  /// Floats of every magnitude and both signs, and all special values.
  static let samples: [Float] = {
    var random = SplitMix(seed: 51)
    var samples: [Float] = [
      0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 8_388_607.5,
      8_388_608, 16_777_218, -8_388_607.5, 2_147_483_648, -2_147_483_648, 3e9, -3e9, 88.72, 88.73, 89, -87.4, -103.9,
      -104,
      -105, 0.49999997, -0.49999997, 3, -3, 13, -13, 14, -14, 20, -20,
    ]
    while samples.count < 6001 {
      let exponent = Float.random(in: -40...8, using: &random)
      samples.append(
        (Bool.random(using: &random) ? 1 : -1) * Float.random(in: 1...10, using: &random) * pow10(exponent))
      samples.append(Float.random(in: -20...20, using: &random))
    }
    return samples
  }()

  /// Returns `10^x` without a math library, accurate enough to distribute samples.
  static func pow10(_ x: Float) -> Float {
    var result: Float = 1
    for _ in 0..<Int(abs(x)) { result *= x < 0 ? 0.1 : 10 }
    return result
  }

  /// Returns the largest error in ulp of the exact result, as documented for `UnaryOperation`; 0.5 for correctly
  /// rounded functions.
  static func bound(_ operation: UnaryOperation, _ x: Float, _ table: KernelTable) -> Double {
    let isFused = table.name != "portable"
    let slack = isFused ? 1.0 : 2.0
    return switch operation {
    case .exponential: 1.25 * slack
    case .logarithm, .elu: 1 * slack
    case .hyperbolicTangent: isFused ? 5.5 : 6
    case .logistic: (table.name.hasPrefix("avx") ? 4 : 2.5) * slack
    case .swish: (table.name.hasPrefix("avx") ? 5 : 3.5) * slack
    case .squareRoot: table.name == "avx512" ? 2.5 : table.name.hasPrefix("avx") ? 5 : 0.5
    case .gelu: isFused ? 4 : x > -5 ? 14 : 300
    case .geluByTangent: 3 * slack
    case .reciprocalSquareRoot: table.name.hasPrefix("avx") && table.name != "avx512" ? 4.5 : 1.5
    case .hardSwish: 2
    default: 0.5
    }
  }

  @Test("every function keeps its error bound, in place and out of place", arguments: variants(UnaryOperation.allCases))
  func keepsItsErrorBound(_ table: KernelTable, _ operation: UnaryOperation) {
    let (first, second): (Float, Float) = operation == .clamp ? (-0.75, 6) : (0.3, 0)
    let input = GuardedBuffer(Self.samples), output = GuardedBuffer<Float>(count: input.count, repeating: -77)
    table.elementwise.apply(
      operation, count: input.count, input: input.pointer, output: output.pointer, first: first, second: second)
    for (x, y) in zip(Self.samples, output.values) {
      let exact = KernelReference.apply(operation, Double(x), first: Double(first), second: Double(second))
      let rounded = Float(exact)
      switch operation {
      case _ where rounded.isNaN: #expect(y.isNaN, "\(operation)(\(x)) = \(y)")
      case .geluByTangent where x < -1:
        // The limit at minus infinity is a product of infinity and zero.
        #expect(abs(Double(y) - exact) < 1e-7 || x == -.infinity, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .gelu where x < -1 && table.name != "portable":
        // With fused multiply-add, as in XNNPACK, the error function is accurate to an ulp of 1.
        #expect(abs(Double(y) - exact) < 7.5e-7 || x == -.infinity, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .gelu where x < -13, .swish where x < -86:
        #expect(abs(y) < 1e-35 || x == -.infinity, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .logistic where x < -87 && table.name.hasPrefix("avx"):
        // With AVX2, as in XNNPACK, powers below the normal range are zero.
        #expect(abs(Double(y) - exact) < 1.2e-38, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .hardSwish where x < 0 && x.isFinite && table.name != "portable":
        #expect(abs(Double(y) - exact) < 1e-7, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .hardSwish where x > 5e37:
        // Only the portable kernel multiplies before it divides.
        #expect(y == (table.name == "portable" ? .infinity : x), "\(operation)(\(x)) = \(y)")
      case _ where !rounded.isFinite: #expect(y == rounded, "\(operation)(\(x)) = \(y), exact \(exact)")
      default:
        let error = abs(Double(y) - exact) / Double(rounded.ulp)
        let bound = Self.bound(operation, x, table)
        #expect(error <= bound, "\(operation)(\(x)) = \(y), exact \(exact), error \(error) ulp")
      }
    }
    let expected = output.values
    table.elementwise.apply(
      operation, count: input.count, input: UnsafePointer(input.pointer), output: input.pointer, first: first,
      second: second)
    #expect(input.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  #if arch(x86_64)
    @Test("the logistic function is bit-exact with XNNPACK", arguments: KernelTable.available)
    func equalsXNNPACK(_ table: KernelTable) {
      guard table.name != "portable" else { return }
      let input = GuardedBuffer(Self.samples), output = GuardedBuffer<Float>(count: input.count, repeating: -77)
      table.elementwise.apply(.logistic, count: input.count, input: input.pointer, output: output.pointer)
      for (x, y) in zip(Self.samples, output.values) where x.isFinite && abs(x) < 87 {
        let power = table.name == "avx512" ? Self.powerByTable(-abs(x)) : Self.powerByPolynomial(-abs(x))
        let quotient = power / (power + 1)
        let expected = x.sign == .minus ? quotient : 1 - quotient
        #expect(y.bitPattern == expected.bitPattern, "logistic(\(x)) = \(y), expected \(expected)")
      }
    }

    @Test("GELU is bit-exact with XNNPACK", arguments: KernelTable.available)
    func geluEqualsXNNPACK(_ table: KernelTable) {
      guard table.name != "portable" else { return }
      let input = GuardedBuffer(Self.samples), output = GuardedBuffer<Float>(count: input.count, repeating: -77)
      table.elementwise.apply(.gelu, count: input.count, input: input.pointer, output: output.pointer)
      for (x, y) in zip(Self.samples, output.values) where x.isFinite {
        let bounded = min(0x1.4a7c2ap2, max(-0x1.4a7c2ap2, x)), square = bounded * bounded
        func polynomial(_ coefficients: [Float]) -> Float {
          coefficients.dropFirst().reduce(coefficients[0]) { $1.addingProduct($0, square) }
        }
        let p = polynomial([
          0x1.89b8fp-25, 0x1.a71d38p-17, 0x1.59bf88p-12, 0x1.30f4b2p-7, 0x1.12516ap-4, 0x1.988452p-1,
        ])
        let q = polynomial([0x1.41d272p-20, 0x1.2f1ccep-14, 0x1.e82fc8p-10, 0x1.d1d45cp-6, 0x1.009e36p-2, 1])
        let expected = x * 0.5 * (bounded * p / q + 1)
        #expect(y.bitPattern == expected.bitPattern, "gelu(\(x)) = \(y), expected \(expected)")
      }
    }

    /// Returns `e^x` from rounded 32nds of a power of two and two terms of the series.
    private static func powerByTable(_ x: Float) -> Float {
      let magic: Float = 0x1.8p18
      let n = magic.addingProduct(x, 0x1.715476p0) - magic
      let whole = n.rounded(.down)
      let part = Float(exp2(Double(n - whole)))
      let rest = x.addingProduct(n, -0x1.62e43p-1).addingProduct(n, 0x1.05c61p-29)
      let series = Float(0x1.0000f6p0).addingProduct(rest, 0.5)
      return part.addingProduct(rest * part, series) * Float(sign: .plus, exponent: Int(whole), significand: 1)
    }

    /// Returns `e^x` from a power of two and a polynomial of degree five.
    private static func powerByPolynomial(_ x: Float) -> Float {
      let magic: Float = 0x1.8000fep23
      let n = magic.addingProduct(x, 0x1.715476p0) - magic
      let power = Float(sign: .plus, exponent: Int(n), significand: 1)
      let rest = x.addingProduct(n, -0x1.62e43p-1)
      var series = Float(0x1.573a1ap-5).addingProduct(0x1.0f9f9cp-7, rest)
      for coefficient in [0x1.555a8p-3, 0x1.fffdc6p-2, 0x1.fffff6p-1] as [Float] {
        series = coefficient.addingProduct(series, rest)
      }
      return power.addingProduct(rest * power, series)
    }
  #endif

  @Test("any number of elements is computed, and nothing past them is accessed", arguments: variants(Array(0...35)))
  func anyNumberOfElements(_ table: KernelTable, _ count: Int) {
    let input = GuardedBuffer([Float](repeating: 2, count: count))
    let output = GuardedBuffer<Float>(count: count, repeating: 0)
    table.elementwise.apply(.square, count: count, input: input.pointer, output: output.pointer)
    #expect(output.values == [Float](repeating: 4, count: count))
  }
}
