import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Quantization")
struct QuantizationTests {
  private func model(
    type: Int8 = 9, shape: [Int32] = [2, 3], _ quantization: [Int: FlatValue]
  ) -> RawModel {
    var model = RawModel.addition
    model.subgraphs[0].tensors[0] = .init("input", type: type, shape: shape, fields: [4: .table(quantization)])
    return model
  }

  private func parsed(
    type: Int8 = 9, shape: [Int32] = [2, 3], _ quantization: [Int: FlatValue]
  ) throws -> QuantizationDescription? {
    try model(type: type, shape: shape, quantization).parsed().subgraphs[0].tensors[0].quantization
  }

  @Test("per tensor and per channel")
  func reads() throws {
    #expect(
      try parsed([2: .floats([0.5]), 3: .longs([-3])])
        == QuantizationDescription(scales: [0.5], zeroPoints: [-3], axis: 0))
    #expect(
      try parsed([2: .floats([0.5, 1, 2]), 3: .longs([0, 0, 1]), 6: .int(1)])
        == QuantizationDescription(scales: [0.5, 1, 2], zeroPoints: [0, 0, 1], axis: 1))
    #expect(
      try parsed(shape: [], [2: .floats([0.5]), 3: .longs([1])])
        == QuantizationDescription(scales: [0.5], zeroPoints: [1], axis: 0))
  }

  @Test("a table without scales is ignored")
  func withoutScales() throws {
    #expect(try parsed([0: .floats([-1]), 1: .floats([1])]) == nil)
    #expect(try parsed([2: .floats([]), 3: .longs([4])]) == nil)
  }

  @Test("in blocks, by one dimension or several")
  func blockwise() throws {
    let blockwise = try parsed([4: .byte(2), 5: .table([0: .int(1), 1: .int(-1), 2: .int(32)]), 6: .int(1)])
    #expect(
      blockwise
        == QuantizationDescription(
          scales: [0], zeroPoints: [0], axis: 1,
          blockwise: BlockwiseQuantization(scalesTensor: 1, zeroPointsTensor: nil, blockSize: 32)))
    let severalAxes = try parsed([
      4: .byte(3), 5: .table([0: .int(1), 1: .int(2), 2: .int(0), 3: .ints([0, 1])]),
    ])
    #expect(
      severalAxes?.blockwise
        == BlockwiseQuantization(scalesTensor: 1, zeroPointsTensor: 2, blockSize: 0, axes: [0, 1]))
    // Custom details, and details of newer schemas, are ignored.
    #expect(try parsed([4: .byte(1), 5: .table([0: .bytes([1])]), 2: .floats([1]), 3: .longs([0])])?.blockwise == nil)
    #expect(try parsed([4: .byte(9), 5: .uint(77)]) == nil)
  }

  @Test("contradictory numbers are rejected")
  func rejects() {
    let cases: [(type: Int8, shape: [Int32], fields: [Int: FlatValue])] = [
      (9, [2, 3], [2: .floats([1, 1]), 3: .longs([0])]),
      (9, [2, 3], [2: .floats([1])]),
      (9, [2, 3], [2: .floats([1, 1]), 3: .longs([0, 0]), 6: .int(1)]),
      (9, [2, 3], [2: .floats([1]), 3: .longs([0]), 6: .int(2)]),
      (9, [2, 3], [2: .floats([1]), 3: .longs([0]), 6: .int(-1)]),
      (9, [], [2: .floats([1, 1]), 3: .longs([0, 0])]),
      (9, [2, 3], [2: .floats([.nan]), 3: .longs([0])]),
      (9, [2, 3], [2: .floats([.infinity]), 3: .longs([0])]),
      (9, [2, 3], [2: .floats([-1]), 3: .longs([0])]),
      (9, [2, 3], [2: .floats([1]), 3: .longs([128])]),
      (3, [2, 3], [2: .floats([1]), 3: .longs([-1])]),
      (7, [2, 3], [2: .floats([1]), 3: .longs([40_000])]),
      (17, [2, 3], [2: .floats([1]), 3: .longs([8])]),
      (2, [2, 3], [2: .floats([1]), 3: .longs([1 << 31])]),
      (9, [2, 3], [4: .byte(2), 5: .table([0: .int(3), 1: .int(-1), 2: .int(32)])]),
      (9, [2, 3], [4: .byte(2), 5: .table([0: .int(1), 1: .int(3), 2: .int(32)])]),
      (9, [2, 3], [4: .byte(2), 5: .table([0: .int(1), 1: .int(-1), 2: .int(0)])]),
      (9, [2, 3], [4: .byte(3), 5: .table([0: .int(1), 1: .int(-1), 2: .int(-1), 3: .ints([0])])]),
      (9, [2, 3], [4: .byte(3), 5: .table([0: .int(1), 1: .int(-1), 2: .int(4), 3: .ints([2])])]),
      (9, [2, 3], [4: .byte(3), 5: .table([0: .int(1), 1: .int(-1), 2: .int(4)])]),
    ]
    for (index, item) in cases.enumerated() {
      let error = model(type: item.type, shape: item.shape, item.fields).error()
      #expect(error?.code == .invalid, "case \(index)")
      #expect(error?.location.hasPrefix("subgraphs[0].tensors[0].quantization") == true, "case \(index)")
    }
  }
}
