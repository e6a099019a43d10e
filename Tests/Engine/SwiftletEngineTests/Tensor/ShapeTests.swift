import SwiftletSchema
import Testing

@testable import SwiftletEngine

@Suite("Shapes")
struct ShapeTests {
  @Test(
    "count their elements, and the elements of the nonempty axes",
    arguments: [
      ([], 1, 1), ([5], 5, 5), ([2, 3, 4], 24, 24), ([2, 0, 4], 0, 8), ([0], 0, 1), ([.max], .max, .max),
      ([.max, 2], .max, .max), ([1 << 32, 1 << 31], .max, .max), ([1 << 31, 1 << 31], 1 << 62, 1 << 62),
      ([.max, 2, 0], 0, .max), ([1 << 40, 1 << 40, 3], .max, .max),
    ] as [([Int], Int, Int)])
  func elementCounts(dimensions: [Int], count: Int, extent: Int) {
    #expect(Shape(dimensions).elementCount == count)
    #expect(Shape(dimensions).extent == extent)
  }

  @Test("count the elements of some axes")
  func partialCounts() {
    let shape: Shape = [2, 3, 5, 7]
    #expect(shape.elementCount(1..<3) == 15 && shape.elementCount(1...3) == 105)
    #expect(shape.elementCount(0..<0) == 1 && shape.elementCount(2..<2) == 1 && shape.elementCount(3..<4) == 7)
    #expect(shape.rank == 4 && shape.innermost == 7 && Shape([]).innermost == 1 && Shape([]).rank == 0)
  }

  @Test("have strides, axes from both ends, and a description")
  func positions() {
    var shape: Shape = [2, 3, 5]
    #expect(shape.strides == [15, 5, 1] && Shape([]).strides.isEmpty && Shape([9]).strides == [1])
    #expect([-3, -1, 0, 2].map(shape.resolvedAxis) == [0, 2, 0, 2])
    #expect(shape.resolvedAxis(-4) == nil && shape.resolvedAxis(3) == nil && Shape([]).resolvedAxis(0) == nil)
    #expect("\(shape)" == "[2×3×5]" && "\(Shape([]))" == "scalar" && "\(Shape([7]))" == "[7]")
    shape[1] = 9
    #expect(shape == [2, 9, 5] && shape[1] == 9)
  }
}

@Suite("Tensor specs")
struct TensorSpecTests {
  @Test("store sub-byte elements in a byte each, and keep the model's type")
  func narrowTypes() {
    for (type, stored, range) in [
      (.int2, .int8, -2...1), (.int4, .int8, -8...7), (.uint4, .uint8, 0...15),
    ] as [(ElementType, ElementType, ClosedRange<Int32>)] {
      var spec = TensorSpec(name: "w", elementType: .float32, shape: [3])
      spec.setType(type)
      #expect(spec.elementType == stored && spec.modelType == type && spec.expandedFrom == type)
      #expect(spec.byteCount == 3 && SubByteIntegers(type)?.range == range)
      #expect(
        SubByteIntegers(type)?.isSigned == (type != .uint4) && SubByteIntegers(type)?.bits == (type == .int2 ? 2 : 4))
      spec.setType(.int16)
      #expect(spec.elementType == .int16 && spec.modelType == .int16 && spec.expandedFrom == nil)
    }
    for type in ElementType.allCases where ![.int2, .int4, .uint4].contains(type) {
      #expect(SubByteIntegers(type) == nil)
    }
  }

  @Test("describe themselves and keep their values")
  func parts() {
    let quantization = QuantizationParameters(scales: [1, 2], zeroPoints: [3, 4], axis: 5)
    let spec = TensorSpec(
      name: "x", elementType: .int8, shape: [1, 2], shapeSignature: [-1, 2], quantization: quantization)
    #expect("\(spec)" == "'x' int8[1×2]" && spec.hasUnknownDimensions && spec.quantization == quantization)
    #expect(!TensorSpec(name: "", elementType: .bool, shape: [], shapeSignature: [0, 1]).hasUnknownDimensions)
    #expect(!TensorSpec(name: "", elementType: .bool, shape: []).hasUnknownDimensions)
    #expect(!spec.isSpread && quantization.axis == 5 && quantization.isPerChannel)
    let plain = QuantizationParameters(scale: 0.5, zeroPoint: -1)
    #expect(plain.scales == [0.5] && plain.zeroPoints == [-1] && plain.axis == 0 && !plain.isPerChannel)
  }

  @Test("strings take eight bytes in a run, and other types the same as in a file")
  func storedBytes() {
    #expect(ElementType.string.storedWidth == 8 && ElementType.int16.storedWidth == 2)
    #expect(ElementType.int4.storedWidth == nil && ElementType.variant.storedWidth == nil)
    #expect(TensorSpec(name: "", elementType: .string, shape: [3]).storedByteCount == 24)
    #expect(TensorSpec(name: "", elementType: .string, shape: [3]).byteCount == nil)
    #expect(TensorSpec(name: "", elementType: .float64, shape: [3]).storedByteCount == 24)
    #expect(TensorSpec(name: "", elementType: .float32, shape: [.max]).storedByteCount == nil)
    #expect(TensorSpec(name: "", elementType: .string, shape: [1 << 61]).storedByteCount == nil)
  }

  // MARK: Limits

  private let place = RuntimeError.Location(operatorIndex: 2, operatorName: "TILE")

  private func error(_ type: ElementType, _ shape: Shape, _ change: (inout RuntimeOptions.Limits) -> Void = { _ in })
    -> RuntimeError?
  {
    var limits = RuntimeOptions.Limits()
    change(&limits)
    return thrown { () throws(RuntimeError) in
      try limits.check(TensorSpec(name: "x", elementType: type, shape: shape), "output", at: place)
    }
  }

  private func thrown(_ body: () throws(RuntimeError) -> Void) -> RuntimeError? {
    do throws(RuntimeError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a tensor of exactly the byte limit is accepted, and one element more is rejected")
  func tensorBytes() {
    #expect(error(.float32, [25]) { $0.tensorBytes = 100 } == nil)
    let large = error(.float32, [26]) { $0.tensorBytes = 100 }
    #expect(large?.code == .limitExceeded && large?.location == place)
    #expect(large?.message == "output 'x' float32[26] is larger than the limit of 100 bytes a tensor")
    #expect(error(.float32, [25]) { $0.tensorBytes = 99 } != nil)
    #expect(error(.string, [4]) { $0.tensorBytes = 32 } == nil)
    #expect(error(.string, [4]) { $0.tensorBytes = 31 } != nil)
    #expect(error(.int8, [.max, .max]) != nil)
    // The tensor has no bytes, but axes to iterate.
    #expect(error(.float32, [0, 100]) { $0.tensorBytes = 100 } == nil)
    #expect(error(.float32, [0, 101]) { $0.tensorBytes = 100 } != nil)
    // Types without a fixed size aren't limited here; their owner determines the size.
    #expect(error(.variant, [1000]) { $0.tensorBytes = 1 } == nil)
  }

  @Test("a tensor has at most eight axes of nonnegative size")
  func rank() {
    let ones = { Shape([Int](repeating: 1, count: $0)) }
    #expect(error(.int8, ones(8)) == nil)
    let deep = error(.int8, ones(9))
    #expect(deep?.code == .limitExceeded && deep?.location == place)
    #expect(deep?.message == "output 'x' int8[1×1×1×1×1×1×1×1×1] has a shape outside the limits (rank 8)")
    #expect(error(.int8, ones(9)) { $0.rank = 20 } != nil)
    #expect(error(.int8, ones(3)) { $0.rank = 3 } == nil)
    #expect(error(.int8, ones(4)) { $0.rank = 3 }?.message.hasSuffix("(rank 3)") == true)
    #expect(error(.int8, [-1]) != nil && error(.int8, [0]) == nil)
  }
}
