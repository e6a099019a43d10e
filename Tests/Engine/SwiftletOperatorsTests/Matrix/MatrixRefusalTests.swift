import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of matrix products")
struct MatrixRefusalTests {
  private static func batch(_ left: [Int], _ right: [Int], x: Bool = false, y: Bool = false) -> Probe {
    Probe(
      .batchMatMul, [.floats(left), .floats(right)], [.floats()],
      BatchMatMulOptions.with { [$0.adjointX(x), $0.adjointY(y)] })
  }

  private static func wide(_ zeroPoint: Int32, _ type: ElementType = .int8) -> Probe {
    Probe(
      .batchMatMul,
      [.of(.int16, [2, 3], scale: 1), .of(type, [3, 2], scale: 1, zeroPoint: zeroPoint)], [.of(.int16, scale: 1)],
      BatchMatMulOptions.empty)
  }

  private static let batches: [Refusal] = [
    Refusal("takes factors of rank 2 or more", batch([3], [3, 2]), but: batch([1, 3], [3, 2])),
    Refusal("takes factors of rank 2 or more", batch([2, 3], [3])),
    Refusal("rows have 3 elements, columns 2", batch([2, 3], [2, 3]), but: batch([2, 3], [2, 3], y: true)),
    Refusal("rows have 2 elements, columns 3", batch([2, 3], [3, 2], x: true), but: batch([3, 2], [3, 2], x: true)),
    Refusal("rows have 3 elements, columns 2", batch([2, 3], [3, 2], y: true)),
    Refusal(
      "cannot broadcast the leading dimensions", batch([2, 2, 3], [3, 3, 2]), but: batch([2, 2, 3], [1, 3, 2])),
    Refusal("cannot broadcast", batch([4, 1, 2, 3], [3, 5, 3, 2]), but: batch([4, 1, 2, 3], [5, 3, 2])),
    Refusal("takes a right factor with zero point 0, got 1", wide(1), but: wide(0)),
    Refusal("it must be 0", wide(1, .int16), but: wide(0, .int16)),
  ]

  private static func connected(
    _ input: [Int], _ weights: [Int], bias: [Int]? = nil, _ options: WrittenOptions = FullyConnectedOptions.empty
  ) -> Probe {
    Probe(
      .fullyConnected,
      [.floats(input), .zeros(.float32, weights), .optional(bias)], [.floats()], options)
  }

  private static let keeping = FullyConnectedOptions.with { [$0.keepDimensionCount(true)] }

  private static let connections: [Refusal] = [
    Refusal("takes weights of rank 2", connected([2, 3], [3])),
    Refusal(
      "takes a bias of 4 elements", connected([2, 3], [4, 3], bias: [3]), but: connected([2, 3], [4, 3], bias: [4])),
    Refusal("of 5 elements, as rows of 3", connected([5], [4, 3]), but: connected([6], [4, 3])),
    Refusal(
      "takes an input with 3 elements in the last dimension", connected([3, 2], [4, 3], keeping),
      but: connected([2, 3], [4, 3], keeping)),
    Refusal(
      "takes an input with 1 elements in the last dimension", connected([], [4, 1], keeping),
      but: connected([], [4, 1])),
    Refusal(
      "has weights format 2", connected([2, 3], [4, 3], FullyConnectedOptions.with { [$0.weightsFormat(code: 2)] })),
    Refusal(
      "takes 2 to 3 inputs, but the model has 4",
      Probe(
        .fullyConnected, [.floats([1]), .floats([1, 1]), .floats([1]), .floats([1])], [.floats()],
        FullyConnectedOptions.empty)),
    Refusal(
      "has 1 outputs, but the model has 2",
      Probe(.fullyConnected, [.floats([1]), .floats([1, 1])], [.floats(), .floats()], FullyConnectedOptions.empty)),
    Refusal(
      "fused activation tanh", connected([2, 3], [4, 3], FullyConnectedOptions.with { [$0.fusedActivation(.tanh)] })),
  ]

  /// Returns a product with shuffled weights; all tensors have the required zero points.
  private static func shuffled(
    input: ProbeTensor = .of(.uint8, [1, 16], scale: 0.5, zeroPoint: 128),
    weights: ProbeTensor = .zeros(.uint8, [4, 16]).scaled(0.5, 128), bias: ProbeTensor = .zeros(.int32, [4]),
    output: ProbeTensor = .of(.int16, scale: 1), second: ProbeTensor = .of(.uint8)
  ) -> Probe {
    Probe(
      .fullyConnected, [input, weights, bias], [output, second],
      FullyConnectedOptions.with { [$0.weightsFormat(.shuffled4x16Int8)] }, version: 2)
  }

  private static let shuffledProducts: [Refusal] = [
    Refusal(
      "a multiple of 4 times a multiple of 16",
      shuffled(weights: .zeros(.uint8, [3, 16]).scaled(0.5, 128), bias: .zeros(.int32, [3])), but: shuffled()),
    Refusal(
      "a multiple of 4 times a multiple of 16",
      shuffled(
        input: .of(.uint8, [1, 8], scale: 0.5, zeroPoint: 128), weights: .zeros(.uint8, [4, 8]).scaled(0.5, 128))),
    Refusal("takes a bias with shuffled weights", shuffled(bias: .missing)),
    Refusal("got 127, 128 and 0", shuffled(input: .of(.uint8, [1, 16], scale: 0.5, zeroPoint: 127))),
    Refusal("got 128, 129 and 0", shuffled(weights: .zeros(.uint8, [4, 16]).scaled(0.5, 129))),
    Refusal("it must be 0", shuffled(output: .of(.int16, scale: 1, zeroPoint: 1))),
    Refusal("only for uint8 inputs and an int16 output", shuffled(output: .of(.uint8, scale: 1))),
    Refusal(
      "has 2 outputs, but the model has 1",
      Probe(
        .fullyConnected,
        [
          .of(.uint8, [1, 16], scale: 0.5, zeroPoint: 128), .zeros(.uint8, [4, 16]).scaled(0.5, 128),
          .zeros(.int32, [4]),
        ],
        [.of(.int16, scale: 1)], FullyConnectedOptions.with { [$0.weightsFormat(.shuffled4x16Int8)] }, version: 2)),
  ]

  @Test("inconsistent factors", arguments: batches)
  func refusesBatches(refusal: Refusal) { refusal.check() }

  @Test("inconsistent layers", arguments: connections)
  func refusesConnections(refusal: Refusal) { refusal.check() }

  @Test("shuffled weights with unsupported sizes and zero points", arguments: shuffledProducts)
  func refusesShuffled(refusal: Refusal) { refusal.check() }

  /// Three units of int16 weights with scales per tensor or per unit, and the real values they represent.
  @Test("int16 weights give the sum of the real values", arguments: [[0.5], [0.5, 0.25, 2]] as [[Float]])
  func wideWeights(scales: [Float]) throws {
    let rows: [Int16] = [100, -200, 300, 7, 0, -32768]
    let weights: [Int16] = [1, 2, 3, -1000, 32767, 5, 0, -7, 11]
    let bias: [Int64] = [40, -50, 60]
    let options = FullyConnectedOptions.with { [$0.fusedActivation(.relu)] }
    let probe = Probe(
      .fullyConnected,
      [
        .values(rows, [2, 3]).scaled(0.25), ProbeTensor.constant(weights, [3, 3]).scaled(scales, axis: 0),
        .constant(bias),
      ], [.of(.int16, scale: 8)], options, version: 7)
    let result: [Int16] = try probe.run()[0].values()
    var expected: [Int16] = []
    for row in 0..<2 {
      for unit in 0..<3 {
        var sum = bias[unit]
        for place in 0..<3 { sum += Int64(rows[3 * row + place]) * Int64(weights[3 * unit + place]) }
        let scale = Double(scales.count == 1 ? scales[0] : scales[unit])
        let steps: Double = (Double(sum) * 0.25 * scale / 8).rounded(.toNearestOrAwayFromZero)
        expected.append(Int16(min(max(steps, 0), 32767)))
      }
    }
    #expect(result == expected)
  }

  @Test("a product without terms is zero, whatever the bias")
  func noTerms() throws {
    let probe = Probe(
      .fullyConnected, [.floats([2, 0]), .zeros(.float32, [3, 0]), .constant([Float(1), 2, 3])], [.floats()],
      FullyConnectedOptions.empty)
    let result = try probe.run()[0]
    #expect(result.shape == [2, 3])
    #expect(try result.values() == [Float](repeating: 0, count: 6))
    let batch = try Self.batch([2, 3, 0], [0, 4]).run()[0]
    #expect(batch.shape == [2, 3, 4])
    #expect(try batch.values() == [Float](repeating: 0, count: 24))
  }

  @Test(
    "leading dimensions broadcast, and either factor may be stored transposed", arguments: [false, true], [false, true])
  func broadcastProducts(x: Bool, y: Bool) throws {
    // 2 × 1 products of 2 × 3 matrices with three of 3 × 4.
    let left = (0..<12).map { Float($0 * $0 % 7) - 3 }, right = (0..<36).map { Float($0 * 5 % 11) - 5 }
    func leftAt(_ matrix: Int, _ row: Int, _ depth: Int) -> Float {
      left[6 * matrix + (x ? 2 * depth + row : 3 * row + depth)]
    }
    func rightAt(_ matrix: Int, _ depth: Int, _ column: Int) -> Float {
      right[12 * matrix + (y ? 3 * column + depth : 4 * depth + column)]
    }
    let probe = Probe(
      .batchMatMul, [.values(left, x ? [2, 1, 3, 2] : [2, 1, 2, 3]), .values(right, y ? [3, 4, 3] : [3, 3, 4])],
      [.floats()], BatchMatMulOptions.with { [$0.adjointX(x), $0.adjointY(y)] })
    let result = try probe.run()[0]
    #expect(result.shape == [2, 3, 2, 4])
    var expected: [Float] = []
    for first in 0..<2 {
      for second in 0..<3 {
        for row in 0..<2 {
          for column in 0..<4 {
            var sum: Float = 0
            for place in 0..<3 { sum += leftAt(first, row, place) * rightAt(second, place, column) }
            expected.append(sum)
          }
        }
      }
    }
    #expect(try result.values() == expected)
  }
}
