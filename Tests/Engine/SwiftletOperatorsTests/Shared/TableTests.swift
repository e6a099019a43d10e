import SwiftletKernels
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Tables of functions")
struct TableTests {
  private struct Tripled: UnaryFunction {
    func callAsFunction(_ input: Int8) -> Int32 { Int32(input) * 3 }
  }

  private struct Halved: UnaryFunction {
    func callAsFunction(_ input: UInt8) -> UInt16 { UInt16(input) / 2 }
  }

  private struct Negated: UnaryFunction {
    func callAsFunction(_ input: Int8) -> Int8 { 0 &- input }
  }

  private struct Same: UnaryFunction {
    func callAsFunction(_ input: Float) -> Float { input }
  }

  private static func look<Quantized: QuantizedValue, Result: BitwiseCopyable>(
    _ codes: [Quantized], up table: ByteTable, _ zero: Result
  ) -> [Result] {
    var results = [Result](repeating: zero, count: codes.count)
    let loop = table.loop(KernelTable.current.bytes)
    codes.withUnsafeBytes { codes in
      results.withUnsafeMutableBytes { results in
        if let codes = codes.baseAddress, let results = results.baseAddress { loop.run(codes, results, 256) }
      }
    }
    return results
  }

  @Test("a table has an entry for every quantized value, whatever the size of the results")
  func entries() {
    let signed = (Int8.min...Int8.max).map { $0 }, unsigned = (UInt8.min...UInt8.max).map { $0 }
    #expect(Self.look(signed, up: ByteTable(Tripled().loop), Int32(0)) == signed.map { Int32($0) * 3 })
    #expect(Self.look(unsigned, up: ByteTable(Halved().loop), UInt16(0)) == unsigned.map { UInt16($0) / 2 })
    #expect(Self.look(signed, up: ByteTable(Negated().loop), Int8(0)) == signed.map { 0 &- $0 })
  }

  @Test("a quantized function is rounded half away from zero and clamped")
  func rounds() {
    let codes = (Int8.min...Int8.max).map { $0 }
    let table = ByteTable(Int8.self, input: (0.25, 0), output: (0.5, 3), Same().loop)
    let results = Self.look(codes, up: table, Int8(0))
    func result(_ code: Int) -> Int8 { results[code + 128] }
    #expect(result(2) == 4)
    #expect(result(1) == 4)
    #expect(result(-1) == 2)
    #expect(result(127) == 67)
    let steep = Self.look(codes, up: ByteTable(Int8.self, input: (1, 0), output: (0.01, 0), Same().loop), Int8(0))
    #expect(steep[100 + 128] == 127)
    #expect(steep[28] == -128)
  }

  @Test("an interpolated table stays near its function")
  func interpolates() {
    let scale = Float(8) / 32768
    let table = InterpolationTable(input: (scale, 0), output: (1 / Float(32768), 0)) { $0 / (1 + abs($0)) }
    for code in stride(from: Int16.min, through: Int16.max - 7, by: 7) {
      let x = Float(code) * scale
      let expected = x / (1 + abs(x)) * 32768
      #expect(abs(Float(table(code)) - expected) < 10, "code \(code)")
    }
  }

  @Test("fixed-point reciprocals and roots are close to the real ones")
  func fixedPoint() {
    for fraction in stride(from: 0.0, to: 1.0, by: 0.01) {
      let result = FixedPoint.reciprocal(ofOnePlus: Int32(fraction * 2_147_483_647))
      #expect(abs(Double(result) / 2_147_483_648 - 1 / (1 + fraction)) < 1e-7)
    }
    let values: [Int32] = [2, 3, 4, 17, 255, 1000, 65_535, 1 << 20, (1 << 29) - 1, 1 << 29, .max]
    for value in values {
      let root = QuantizedMultiplier(reciprocalSquareRootOf: value)
      let real =
        Double(root.multiplier) / 2_147_483_648 * Double(sign: .plus, exponent: Int(root.shift), significand: 1)
      #expect(abs(real * Double(value).squareRoot() - 1) < 2e-6, "1 / √\(value)")
    }
    #expect(QuantizedMultiplier(reciprocalSquareRootOf: 1) == QuantizedMultiplier(multiplier: .max, shift: 0))
  }

  @Test("elements of less than a byte have the range of their bits")
  func narrow() throws {
    #expect(try #require(SubByteIntegers(.int4)).range == -8...7)
    #expect(try #require(SubByteIntegers(.uint4)).range == 0...15)
    #expect(try #require(SubByteIntegers(.int2)).range == -2...1)
    #expect(SubByteIntegers(.int8) == nil)
  }
}
