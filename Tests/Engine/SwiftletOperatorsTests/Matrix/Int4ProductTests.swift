import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// FULLY_CONNECTED of float32 rows with int4 weights, which stay in four bits or are expanded to bytes depending on the
/// number of rows and weights.
@Suite("Products with int4 weights")
struct Int4ProductTests {
  private static let depth = 21, units = 19

  /// Weights from -8 to 7, two per byte.
  private static let packed: [UInt8] = (0..<(depth * units + 1) / 2).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) }

  private static func weight(_ index: Int) -> Int {
    let nibble = Int(packed[index / 2] >> (index % 2 == 0 ? 0 : 4) & 15)
    return nibble > 7 ? nibble - 16 : nibble
  }

  private static func value(_ index: Int) -> Float { Float(index * 37 % 101) / 50 - 1 }

  private func run(rows: Int, _ numerics: Numerics, threads: Int = 1) throws -> [Float] {
    var graph = TestGraph()
    let data = graph.input(.float32, [rows, Self.depth])
    let matrix = graph.constant(bytes: Self.packed, of: .int4, shape: [Self.units, Self.depth])
    graph.quantize(
      matrix,
      QuantizationParameters(
        scales: (0..<Self.units).map { 0.05 + Float($0) / 100 },
        zeroPoints: [Int32](repeating: 0, count: Self.units), axis: 0))
    let bias = graph.constant((0..<Self.units).map { Float($0) - 9 })
    graph.add(
      .fullyConnected, [data, matrix, bias], [graph.output(.float32, [rows, Self.units])],
      options: FullyConnectedOptions.with { [$0.asymmetricQuantizeInputs(true)] }, version: 9)
    let input = try Tensor((0..<rows * Self.depth).map(Self.value), shape: [rows, Self.depth])
    let options = RuntimeOptions(threads: threads, numerics: numerics)
    return try graph.session(options: options).run([input])[0].values()
  }

  @Test("are close to the products of dequantized weights", arguments: [1, 2, 3, 8, 9], Numerics.allCases)
  func multiplies(rows: Int, numerics: Numerics) throws {
    let result = try run(rows: rows, numerics)
    for row in 0..<rows {
      for unit in 0..<Self.units {
        let sum = (0..<Self.depth).reduce(0 as Float) {
          $0 + Self.value(row * Self.depth + $1) * Float(Self.weight(unit * Self.depth + $1))
        }
        let expected = sum * (0.05 + Float(unit) / 100) + Float(unit) - 9
        // Half a step of the input, 1/255, for every weight of up to 8.
        #expect(abs(result[row * Self.units + unit] - expected) < 0.2, "row \(row), unit \(unit)")
      }
    }
  }

  @Test(
    "don't depend on the form of the weights, the number of rows, or threads", arguments: [1, 3], Numerics.allCases)
  func areEqual(threads: Int, numerics: Numerics) throws {
    // Up to eight rows use weights in four bits; nine use bytes.
    let all = try run(rows: 9, numerics)
    for rows in [1, 2, 5, 8] {
      #expect(try run(rows: rows, numerics, threads: threads) == Array(all[..<(rows * Self.units)]), "\(rows) rows")
    }
  }

  @Test("keep weights in four bits for few rows or many weights")
  func choice() {
    func pays(rows: Int, units: Int, depth: Int) -> Bool {
      Int4Gemm.pays(GemmLayout(rows: rows, units: units, depth: depth))
    }
    #expect(pays(rows: 1, units: 4, depth: 4) && pays(rows: 8, units: 4, depth: 4))
    #expect(!pays(rows: 9, units: 4, depth: 4) && !pays(rows: 9, units: 1024, depth: 1023))
    #expect(pays(rows: 9, units: 1024, depth: 1024))
  }
}
