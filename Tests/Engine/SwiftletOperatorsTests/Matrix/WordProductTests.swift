import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Products of int16 rows and int16 weights. The expected sums are those of 64-bit arithmetic.
@Suite("Products of 16-bit factors")
struct WordProductTests {
  /// The scale of the output determines how factors are applied: in double precision for sums of any size, or up to
  /// results that exceed 32 bits, or in 64-bit arithmetic.
  static let outputScales: [Float] = [0.3, 1, 9_000, 300_000, 4_000_000, 4_194_304, 9_000_000, 2_000_000_000]

  struct Sizes: Sendable {
    var rows: Int
    var depth: Int
    var columns: Int
  }

  /// Up to and above the depth for which sums are pairs of 32 bits, and sizes that take loops.
  static let sizes: [Sizes] = [
    Sizes(rows: 4, depth: 1, columns: 1), Sizes(rows: 5, depth: 3, columns: 2), Sizes(rows: 1, depth: 64, columns: 65),
    Sizes(rows: 1, depth: 1365, columns: 3), Sizes(rows: 1366, depth: 1, columns: 3),
    Sizes(rows: 13, depth: 31, columns: 16), Sizes(rows: 12, depth: 63, columns: 17),
    Sizes(rows: 14, depth: 255, columns: 33), Sizes(rows: 12, depth: 256, columns: 40),
    Sizes(rows: 13, depth: 257, columns: 18), Sizes(rows: 17, depth: 700, columns: 65),
  ]

  /// Returns values of all magnitudes. The first rows consist of the least and the greatest value, which give the greatest
  /// sums.
  private static func values(_ count: Int, length: Int, _ random: inout SplitMix64) -> [Int16] {
    (0..<count).map { index in
      switch index / length {
      case 0: .min
      case 1: .max
      default: Int16.random(in: .min ... .max, using: &random) &>> Int16.random(in: 0...12, using: &random)
      }
    }
  }

  private static func transposed(_ values: [Int16], rows: Int, columns: Int) -> [Int16] {
    (0..<columns * rows).map { values[$0 % rows * columns + $0 / rows] }
  }

  private static func expected(_ sum: Int64, scale: Double, lower: Int32 = -32768) -> Int16 {
    Int16(min(max(QuantizedMultiplier(scale).apply(sum), lower), 32767))
  }

  @Test("BATCH_MATMUL gives the rescaled sums", arguments: sizes, [false, true])
  func matrices(_ sizes: Sizes, isConstant: Bool) throws {
    var random = SplitMix64(state: UInt64(sizes.depth))
    let (rows, depth, columns) = (sizes.rows, sizes.depth, sizes.columns)
    for (index, scale) in Self.outputScales.enumerated() {
      let isTransposed = (index % 2 == 0, index % 3 == 0), matrices = index % 4 == 1 ? 2 : 1
      // Rows of the left factor, and columns of the right one.
      let left = Self.values(matrices * rows * depth, length: depth, &random)
      let right = Self.values(matrices * columns * depth, length: depth, &random)
      var stored: (left: [Int16], right: [Int16]) = ([], [])
      for matrix in 0..<matrices {
        let leftPart = Array(left[matrix * rows * depth..<(matrix + 1) * rows * depth])
        let rightPart = Array(right[matrix * columns * depth..<(matrix + 1) * columns * depth])
        stored.left += isTransposed.0 ? Self.transposed(leftPart, rows: rows, columns: depth) : leftPart
        stored.right += isTransposed.1 ? rightPart : Self.transposed(rightPart, rows: columns, columns: depth)
      }
      let leftShape = [matrices] + (isTransposed.0 ? [depth, rows] : [rows, depth])
      let rightShape = [matrices] + (isTransposed.1 ? [columns, depth] : [depth, columns])
      let probe = Probe(
        .batchMatMul,
        [
          .values(stored.left, leftShape).scaled(1),
          (isConstant ? ProbeTensor.constant(stored.right, rightShape) : .values(stored.right, rightShape)).scaled(1),
        ], [.of(.int16, scale: scale)],
        BatchMatMulOptions.with { [$0.adjointX(isTransposed.0), $0.adjointY(isTransposed.1)] }, version: 3)
      let result: [Int16] = try probe.run()[0].values()
      var expected: [Int16] = []
      for matrix in 0..<matrices {
        for row in 0..<rows {
          for column in 0..<columns {
            var sum: Int64 = 0
            for place in 0..<depth {
              sum +=
                Int64(left[(matrix * rows + row) * depth + place])
                * Int64(right[(matrix * columns + column) * depth + place])
            }
            expected.append(Self.expected(sum, scale: 1 / Double(scale)))
          }
        }
      }
      #expect(result == expected, "output scale \(scale)")
    }
  }

  @Test("FULLY_CONNECTED adds the bias, of any size", arguments: sizes, [0, 16, 45])
  func layers(_ sizes: Sizes, biasBits: Int64) throws {
    var random = SplitMix64(state: UInt64(sizes.depth) + 1)
    let (rows, depth, units) = (sizes.rows, sizes.depth, sizes.columns)
    for scale in Self.outputScales {
      let data = Self.values(rows * depth, length: depth, &random)
      let weights = Self.values(units * depth, length: depth, &random)
      let bias = (0..<units).map { _ in Int64.random(in: -(1 << biasBits)...1 << biasBits, using: &random) }
      let probe = Probe(
        .fullyConnected,
        [
          .values(data, [rows, depth]).scaled(1), .constant(weights, [units, depth]).scaled(1), .constant(bias),
        ], [.of(.int16, scale: scale)], FullyConnectedOptions.with { [$0.fusedActivation(.relu)] }, version: 7)
      let result: [Int16] = try probe.run()[0].values()
      var expected: [Int16] = []
      for row in 0..<rows {
        for unit in 0..<units {
          var sum = bias[unit]
          for place in 0..<depth { sum += Int64(data[row * depth + place]) * Int64(weights[unit * depth + place]) }
          expected.append(Self.expected(sum, scale: 1 / Double(scale), lower: 0))
        }
      }
      #expect(result == expected, "output scale \(scale)")
    }
  }

  @Test("both factors are split above a number of products, columns, and rows with computed weights")
  func implementation() throws {
    func splits(_ sizes: Sizes, isConstant: Bool) throws -> Bool {
      var graph = TestGraph()
      let left = graph.input(.int16, [sizes.rows, sizes.depth], scale: 1)
      let shape = [sizes.depth, sizes.columns], count = sizes.depth * sizes.columns
      let right =
        isConstant
        ? graph.constant([Int16](repeating: 1, count: count), shape: shape, scale: 1)
        : graph.input(.int16, shape, scale: 1)
      let result = graph.output(.int16, [], scale: 1)
      graph.add(.batchMatMul, [left, right], [result], options: BatchMatMulOptions.empty, version: 3)
      let name = try graph.session().model.implementations[0].implementation
      return name.hasPrefix("GEMM int16, both factors as two int8 planes")
    }
    let few = Sizes(rows: 11, depth: 64, columns: 8), some = Sizes(rows: 12, depth: 64, columns: 8)
    #expect(try splits(few, isConstant: true) && !splits(few, isConstant: false))
    #expect(try splits(some, isConstant: true) && splits(some, isConstant: false))
    for isConstant in [false, true] {
      #expect(try !splits(Sizes(rows: 455, depth: 3, columns: 3), isConstant: isConstant))
      #expect(try splits(Sizes(rows: 456, depth: 3, columns: 3), isConstant: isConstant))
      #expect(try !splits(Sizes(rows: 64, depth: 64, columns: 2), isConstant: isConstant))
    }
  }
}
