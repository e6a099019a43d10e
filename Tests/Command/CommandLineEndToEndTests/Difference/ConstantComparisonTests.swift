import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletTool

@Suite("Comparison of constants")
struct ConstantComparisonTests {
  private static func bytes<Value>(_ values: [Value]) -> [UInt8] { values.withUnsafeBytes { [UInt8]($0) } }

  private func constant<Value>(
    _ type: ElementType, _ values: [Value], _ shape: [Int]? = nil, scales: [Float] = [], zeroPoints: [Int] = [],
    axis: Int = 0
  ) -> TensorDescription {
    TensorDescription(
      name: "c", type: type, shape: shape ?? [values.count], data: ByteRegion(Self.bytes(values)),
      quantization: scales.isEmpty ? nil : QuantizationDescription(scales: scales, zeroPoints: zeroPoints, axis: axis))
  }

  private func difference(_ first: TensorDescription, _ second: TensorDescription) -> ValueDifference? {
    var comparison = ConstantComparison(fileByteCounts: 1 << 20, 0)
    return comparison.difference(first, second)
  }

  @Test("counts different elements, with the largest difference and both values")
  func floats() throws {
    let found = try #require(
      difference(constant(.float32, [Float(1), 2, 3, 4]), constant(.float32, [Float(1), 2.5, 3, 1])))
    #expect(found.kind == .values && found.elementCount == 4 && found.differingCount == 2 && found.largest == 3)
    #expect(found.first == "1.0, 2.0, 3.0, 4.0" && found.second == "1.0, 2.5, 3.0, 1.0" && found.share == 0.5)
    #expect(difference(constant(.float32, [Float(0)]), constant(.float32, [-Float(0)])) == nil)
    #expect(difference(constant(.float32, [Float.nan]), constant(.float32, [-Float.nan])) == nil)
    let infinite = try #require(difference(constant(.float32, [Float(1), 2]), constant(.float32, [.infinity, 3])))
    #expect(infinite.differingCount == 2 && infinite.largest == nil)
    let unknown = try #require(difference(constant(.float32, [Float(1)]), constant(.float32, [Float.nan])))
    #expect(unknown.differingCount == 1 && unknown.largest == nil)
  }

  @Test(
    "finds a difference at either end of more elements than a chunk", arguments: [0, 65535, 65536, 70000])
  func steps(place: Int) throws {
    let values = [Float](repeating: 1, count: 70001)
    var others = values
    others[place] = 3
    let found = try #require(difference(constant(.float32, values), constant(.float32, others)))
    #expect(found.differingCount == 1 && found.largest == 2 && found.elementCount == 70001)
    // Equal values of different types are compared one by one.
    #expect(difference(constant(.float32, values), constant(.float64, values.map(Double.init))) == nil)
    #expect(
      difference(constant(.float32, others), constant(.float64, values.map(Double.init)))?.differingCount == 1)
  }

  @Test("quantized values represent real numbers by scale and zero point")
  func quantized() throws {
    let reals = constant(.float32, [Float(1), 2, -1.5])
    let codes = constant(.int8, [Int8(5), 7, 0], scales: [0.5], zeroPoints: [3])
    #expect(difference(reals, codes) == nil)
    let other = try #require(difference(codes, constant(.int8, [Int8(5), 7, 0], scales: [1], zeroPoints: [3])))
    #expect(other.differingCount == 3 && other.largest == 2)
    let shifted = try #require(difference(codes, constant(.int8, [Int8(5), 7, 0], scales: [0.5], zeroPoints: [5])))
    #expect(shifted.largest == 1)
    // Integers without scales represent themselves.
    #expect(difference(constant(.int16, [Int16(-3), 300]), constant(.float32, [Float(-3), 300])) == nil)
    #expect(
      difference(constant(.uint8, [UInt8(200)], scales: [2], zeroPoints: [100]), constant(.float32, [Float(200)]))
        == nil)
    #expect(
      difference(constant(.int32, [Int32(-7)], scales: [2], zeroPoints: [1]), constant(.float32, [Float(-16)])) == nil)
    // Only these types are quantized.
    #expect(
      difference(constant(.int64, [Int64(7)], scales: [2], zeroPoints: [1]), constant(.float32, [Float(7)])) == nil)
  }

  @Test(
    "per-channel scales apply along their axis",
    arguments: [(0, [Float(1), 2, 3, 40, 50, 60]), (1, [1, 20, 300, 4, 50, 600])])
  func perChannel(axis: Int, expected: [Float]) {
    let scales: [Float] = axis == 0 ? [1, 10] : [1, 10, 100]
    let codes = constant(
      .int8, [Int8(1), 2, 3, 4, 5, 6], [2, 3], scales: scales, zeroPoints: scales.map { _ in 0 }, axis: axis)
    #expect(difference(codes, constant(.float32, expected, [2, 3])) == nil)
    let shifted = constant(
      .int8, [Int8(2), 3, 4, 5, 6, 7], [2, 3], scales: scales, zeroPoints: scales.map { _ in 1 }, axis: axis)
    #expect(difference(shifted, constant(.float32, expected, [2, 3])) == nil)
  }

  @Test("a single scale applies to all elements, whatever its axis")
  func oneScale() {
    for axis in [0, 1, 7] {
      let codes = constant(.int8, [Int8(1), 2], [1, 2], scales: [4], zeroPoints: [0], axis: axis)
      #expect(difference(codes, constant(.float32, [Float(4), 8], [1, 2])) == nil, "axis \(axis)")
    }
  }

  @Test("too many scales, or a missing axis, cannot be compared with other types")
  func wrongScales() {
    let floats = constant(.float32, [Float(1), 2], [1, 2])
    for (count, axis) in [(2, 0), (3, 1), (2, 2), (2, -1)] {
      let codes = constant(
        .int8, [Int8(1), 2], [1, 2], scales: [Float](repeating: 1, count: count),
        zeroPoints: [Int](repeating: 0, count: count), axis: axis)
      #expect(difference(codes, floats)?.kind == .incomparable, "\(count) scales along \(axis)")
      #expect(difference(codes, codes) == nil)
    }
  }

  @Test("types without plain numbers are compared bytewise")
  func bytes() throws {
    func packed(_ type: ElementType, _ bytes: [UInt8], _ shape: [Int]) -> TensorDescription {
      TensorDescription(name: "c", type: type, shape: shape, data: ByteRegion(bytes))
    }
    let found = try #require(difference(packed(.int4, [1, 2, 3], [6]), packed(.int4, [1, 3, 4], [6])))
    #expect(found.kind == .bytes && found.elementCount == 3 && found.differingCount == 2 && found.largest == nil)
    let longer = try #require(difference(packed(.int4, [1, 2], [4]), packed(.int4, [1, 2, 3], [4])))
    #expect(longer.elementCount == 3 && longer.differingCount == 1)
    #expect(difference(packed(.int4, [1, 2], [4]), packed(.int4, [1, 2], [4])) == nil)
    let eight = [UInt8](repeating: 1, count: 8)
    #expect(
      difference(packed(.complex64, eight, [1]), packed(.complex64, [2] + eight.dropFirst(), [1]))?.kind == .bytes)
    #expect(
      difference(packed(.complex128, eight + eight, [1]), packed(.complex128, [2] + eight.dropFirst() + eight, [1]))?
        .kind
        == .bytes)
    #expect(difference(packed(.int4, [1], [2]), packed(.int8, [1, 2], [2]))?.kind == .incomparable)
  }

  @Test("sparse constants, and constants with scales in other tensors, are compared bytewise")
  func stored() {
    var first = constant(.int8, [Int8(1), 2])
    var second = constant(.int8, [Int8(1), 3])
    let sparsity = SparsityDescription(traversalOrder: [0], blockMap: [], dimensions: [.dense(size: 2)])
    first.sparsity = sparsity
    #expect(difference(first, second)?.kind == .incomparable)
    second.sparsity = sparsity
    #expect(difference(first, second)?.kind == .bytes)
    let blocks = BlockwiseQuantization(scalesTensor: 1, zeroPointsTensor: nil, blockSize: 2)
    let quantization = QuantizationDescription(scales: [0], zeroPoints: [0], axis: 0, blockwise: blocks)
    (first.sparsity, second.sparsity) = (nil, nil)
    (first.quantization, second.quantization) = (quantization, quantization)
    #expect(difference(first, second)?.kind == .bytes)
  }

  @Test("different shapes and computed tensors are not compared")
  func shapes() throws {
    let flat = constant(.float32, [Float(1), 2])
    let found = try #require(difference(flat, constant(.float32, [Float(1), 2], [2, 1])))
    #expect(found.kind == .incomparable && found.elementCount == 0 && found.share == nil && found.first == "1.0, 2.0")
    let computed = TensorDescription(name: "c", type: .float32, shape: [2])
    #expect(difference(flat, computed) == nil && difference(computed, flat) == nil)
    #expect(difference(constant(.float32, [Float](), [0]), constant(.float32, [Float](), [0])) == nil)
  }

  @Test("files may cause comparisons of four times their bytes plus a mebibyte")
  func limit() {
    let half = [UInt8](repeating: 1, count: 1 << 19)
    let big = constant(.uint8, half)
    var comparison = ConstantComparison(fileByteCounts: 1, 2)
    #expect(comparison.difference(big, big) == nil)
    // Twelve bytes of the limit are left.
    let six = constant(.uint8, [UInt8](repeating: 1, count: 6))
    #expect(comparison.difference(six, six) == nil)
    let one = constant(.uint8, [UInt8(1)])
    #expect(comparison.difference(one, one)?.kind == .omitted)
    var again = ConstantComparison(fileByteCounts: 2, 1)
    #expect(again.difference(big, big) == nil)
    #expect(again.difference(six, constant(.uint8, [UInt8](repeating: 1, count: 7), [6]))?.kind == .omitted)
  }
}
