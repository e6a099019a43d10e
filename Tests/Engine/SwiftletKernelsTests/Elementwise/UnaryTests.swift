@testable import SwiftletKernels
import Testing

@Suite("Functions of one tensor")
struct UnaryTests {
  /// Floats of every size and both signs, and everything special.
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

  /// `10^x` without a math library: good enough to spread samples.
  static func pow10(_ x: Float) -> Float {
    var result: Float = 1
    for _ in 0..<Int(abs(x)) { result *= x < 0 ? 0.1 : 10 }
    return result
  }

  /// Largest error in ulp of the exact result, as stated with `UnaryOperation`; 0.5 for correctly rounded functions.
  static func bound(_ operation: UnaryOperation, _ x: Float, isFused: Bool) -> Double {
    let slack = isFused ? 1.0 : 2.0
    return switch operation {
    case .exponential: 1.25 * slack
    case .logarithm, .elu: 1 * slack
    case .hyperbolicTangent: 3 * slack
    case .logistic: 2.5 * slack
    case .swish: 3.5 * slack
    case .gelu: x > -5 ? 7 * slack : isFused ? 16 : 300
    case .geluByTangent: 3 * slack
    case .reciprocalSquareRoot: 1.5
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
      case .gelu where x < -13, .swish where x < -86:
        #expect(abs(y) < 1e-35 || x == -.infinity, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .hardSwish where x < 0 && x.isFinite && table.name != "portable":
        #expect(abs(Double(y) - exact) < 1e-7, "\(operation)(\(x)) = \(y), exact \(exact)")
      case .hardSwish where x > 5e37:
        // Only the portable form multiplies before it divides.
        #expect(y == (table.name == "portable" ? .infinity : x), "\(operation)(\(x)) = \(y)")
      case _ where !rounded.isFinite: #expect(y == rounded, "\(operation)(\(x)) = \(y), exact \(exact)")
      default:
        let error = abs(Double(y) - exact) / Double(rounded.ulp)
        let bound = Self.bound(operation, x, isFused: table.name != "portable")
        #expect(error <= bound, "\(operation)(\(x)) = \(y), exact \(exact), error \(error) ulp")
      }
    }
    let expected = output.values
    table.elementwise.apply(
      operation, count: input.count, input: UnsafePointer(input.pointer), output: input.pointer, first: first,
      second: second)
    #expect(input.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("any number of elements, none touched beyond", arguments: variants(Array(0...35)))
  func anyNumberOfElements(_ table: KernelTable, _ count: Int) {
    let input = GuardedBuffer([Float](repeating: 2, count: count))
    let output = GuardedBuffer<Float>(count: count, repeating: 0)
    table.elementwise.apply(.square, count: count, input: input.pointer, output: output.pointer)
    #expect(output.values == [Float](repeating: 4, count: count))
  }
}
