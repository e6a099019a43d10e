import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Blockwise quantized constants")
struct BlockwiseTests {
  /// A FULLY_CONNECTED of rows of four elements with two units, in blocks of two; the quantized weights are 1, 2, 3, 4
  /// and −1, −2, −3, −4.
  private struct Product {
    var scaleType = ElementType.float16
    /// 1 and 0.5 for the first unit, 2 and 0.25 for the second, in float16.
    var scales: [UInt16] = [0x3C00, 0x3800, 0x4000, 0x3400]
    var blockSize = 2
    var weights = ElementType.int4
    var activation: Int8 = 0
    var numerics = Numerics.bitExact

    func run(_ row: [Float]) throws -> [Float] {
      var graph = TestGraph()
      let data = graph.input(.float32, [1, 4])
      let bytes: [UInt8] = weights == .int4 ? [0x21, 0x43, 0xEF, 0xCD] : [1, 2, 3, 4, 255, 254, 253, 252]
      let matrix = graph.constant(
        try Tensor(elementType: .uint8, shape: [bytes.count], bytes: bytes), of: weights, shape: [2, 4])
      let values = try Tensor(
        elementType: .uint16, shape: [scales.count], bytes: scales.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
      graph.quantize(matrix, inBlocksOf: blockSize, scales: graph.constant(values, of: scaleType))
      let bias = graph.constant([Float(0.5), -0.5])
      graph.add(
        .fullyConnected, [data, matrix, bias], [graph.output(.float32, [])],
        options: FullyConnectedOptions.with { [$0.fusedActivation(code: activation)] },
        version: 13)
      return try graph.session(options: RuntimeOptions(numerics: numerics)).run([try Tensor(row, shape: [1, 4])])[0]
        .values()
    }
  }

  @Test("use a separate scale for every block", arguments: [Numerics.bitExact, .fast])
  func multiplies(numerics: Numerics) throws {
    // Exact except for the quantization of the input, with a step of about 1/64.
    let result = try Product(numerics: numerics).run([1, 2, 3, 4])
    let first: Float = 1 + 4
    let second: Float = 9 + 16
    let expected: [Float] = [first + 0.5 * second + 0.5, -2 * first - 0.25 * second - 0.5]
    for (value, exact) in zip(result, expected) { #expect(abs(value - exact) < 0.2) }
    #expect(try Product(activation: 1, numerics: numerics).run([1, 2, 3, 4])[1] == 0)
  }

  @Test("return the bias for rows of zeros")
  func zeros() throws { #expect(try Product().run([0, 0, 0, 0]) == [0.5, -0.5]) }

  @Test("are rejected if scales and blocks are inconsistent, with the operator and the tensor")
  func refuses() {
    let wrong = [
      Product(scaleType: .uint16), Product(scales: [0x3C00]), Product(scales: [0x3C00, 0, 0x3C00, 0x3C00]),
      Product(scales: [0x3C00, 0xBC00, 0x3C00, 0x3C00]), Product(scales: [0x3C00, 0x7C00, 0x3C00, 0x3C00]),
      Product(blockSize: 3),
      Product(weights: .int8),
    ]
    for product in wrong {
      let error = #expect(throws: RuntimeError.self) { try product.run([1, 2, 3, 4]) }
      #expect(error?.location?.operatorIndex == 0 && error?.location?.operatorName == "FULLY_CONNECTED")
      #expect(error?.message.contains("'t1'") ?? false)
    }
  }

  @Test("dequantize rows of a table")
  func looksUp() throws {
    var graph = TestGraph()
    let rows = graph.input(.int32, [2])
    let table = graph.constant(
      try Tensor(elementType: .uint8, shape: [4], bytes: [0x21, 0x43, 0xEF, 0xCD]), of: .int4, shape: [2, 4])
    let scales = try Tensor(elementType: .uint16, shape: [4], bytes: [0, 0x3C, 0, 0x38, 0, 0x40, 0, 0x34])
    graph.quantize(table, inBlocksOf: 2, scales: graph.constant(scales, of: .float16))
    graph.add(.embeddingLookup, [rows, table], [graph.output(.float32, [])], version: 5)
    let result = try graph.session().run([try Tensor([Int32(1), 0], shape: [2])])[0]
    #expect(try result.values() == [Float(-2), -4, -0.75, -1, 1, 2, 1.5, 2])
  }
}
