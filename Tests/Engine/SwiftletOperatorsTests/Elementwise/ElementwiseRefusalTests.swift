import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of elementwise operators")
struct ElementwiseRefusalTests {
  private static func binary(_ kind: BuiltinOperator, _ left: [Int], _ right: [Int]) -> Probe {
    Probe(kind, [.floats(left), .floats(right)], [kind == .less ? .of(.bool) : .floats()])
  }

  private static let shapes: [Refusal] = [
    Refusal(
      "dimensions, aligned at the last one, must be equal or 1", binary(.add, [2, 3], [2]),
      but: binary(.add, [2, 3], [3])),
    Refusal(
      "cannot broadcast inputs 't0' float32[2×3] and 't1' float32[3×3]", binary(.mul, [2, 3], [3, 3]),
      but: binary(.mul, [2, 3], [1, 3])),
    Refusal("must be equal or 1", binary(.less, [2], [0]), but: binary(.less, [1], [0])),
    Refusal(
      "input 2 't2' float32[2] must have the shape of input 0",
      Probe(.addN, [.floats([3]), .floats([3]), .floats([2])], [.floats()]),
      but: Probe(.addN, [.floats([3]), .floats([3]), .floats([3])], [.floats()])),
    Refusal("takes 2 to \(Int.max) inputs, but the model has 1", Probe(.addN, [.floats([3])], [.floats()])),
    Refusal(
      "alpha 't1' float32[2×3] does not broadcast to the shape of input", binary(.prelu, [3], [2, 3]),
      but: binary(.prelu, [2, 3], [3])),
    Refusal("does not broadcast", binary(.prelu, [1, 3], [2, 3]), but: binary(.prelu, [2, 3], [1, 1])),
    Refusal("takes two tensors of one shape", binary(.stablehloAdd, [2], [1]), but: binary(.stablehloAdd, [2], [2])),
    Refusal(
      "has fused activation signBit",
      Probe(.sub, [.floats(), .floats()], [.floats()], SubOptions.with { [$0.fusedActivation(.signBit)] })),
    Refusal(
      "has fused activation tanh",
      Probe(.div, [.floats(), .floats()], [.floats()], DivOptions.with { [$0.fusedActivation(.tanh)] })),
    Refusal(
      "has an activation, which is not supported for complex numbers",
      Probe(
        .mul, [.of(.complex64, [2]), .of(.complex64, [2])], [.of(.complex64)],
        MulOptions.with { [$0.fusedActivation(.relu)] }),
      but: Probe(.mul, [.of(.complex64, [2]), .of(.complex64, [2])], [.of(.complex64)], MulOptions.empty)),
    Refusal(
      "input 2 't2' float32[2] must have the shape of input 1", select([3], [3], [2]), but: select([3], [3], [3])),
    Refusal(
      "a scalar, a vector along axis 0, or of the shape of input 1", select([2], [3, 2], [3, 2]),
      but: select([3], [3, 2], [3, 2])),
    Refusal("a scalar, a vector along axis 0", select([1, 1], [3, 2], [3, 2]), but: select([1], [3, 2], [3, 2])),
    Refusal(
      "a scalar, a vector along axis 0", select([3, 1], [3, 2], [3, 2]), but: select([3, 2], [3, 2], [3, 2])),
    Refusal("a scalar, a vector along axis 0", select([2], [], []), but: select([], [], [])),
    Refusal(
      "cannot broadcast", Probe(.selectV2, [.of(.bool, [2]), .floats([3]), .floats([3])], [.floats()]),
      but: Probe(.selectV2, [.of(.bool, [3, 1]), .floats([1, 2]), .floats([3, 2])], [.floats()])),
  ]

  private static func select(_ condition: [Int], _ first: [Int], _ second: [Int]) -> Probe {
    Probe(.select, [.of(.bool, condition), .floats(first), .floats(second)], [.floats()])
  }

  /// Returns a function of quantized values with this output.
  private static func codes(
    _ kind: BuiltinOperator, _ type: ElementType, to output: ProbeTensor, _ options: WrittenOptions? = nil
  ) -> Probe {
    Probe(kind, [.of(type, [4], scale: 0.1)], [output], options)
  }

  private static func unit(_ steps: Float, _ zeroPoint: Int32 = 0, _ type: ElementType = .int8) -> ProbeTensor {
    .of(type, scale: 1 / steps, zeroPoint: zeroPoint)
  }

  private static let softmax = SoftmaxOptions.with { [$0.beta(1)] }

  private static func normalized(_ activation: FusedActivation) -> Probe {
    Probe(.l2Normalization, [.floats([2, 3])], [.floats()], L2NormOptions.with { [$0.fusedActivation(activation)] })
  }

  private static func response(_ shape: [Int], radius: Int) -> Probe {
    Probe(
      .localResponseNormalization, [.floats(shape)], [.floats()],
      LocalResponseNormalizationOptions.with { [$0.radius(radius), $0.bias(1), $0.alpha(1), $0.beta(1)] })
  }

  private static let rows: [Refusal] = [
    Refusal(
      "takes an input of rank 1 or more", Probe(.softmax, [.floats()], [.floats()], softmax),
      but: Probe(.softmax, [.floats([1])], [.floats()], softmax)),
    Refusal("takes an input of rank 1 or more", Probe(.logSoftmax, [.floats()], [.floats()])),
    Refusal("takes an input of rank 1 or more", Probe(.l2Normalization, [.floats()], [.floats()], L2NormOptions.empty)),
    Refusal("fused activation relu", normalized(.relu), but: normalized(.none)),
    Refusal("takes an input of rank 4", response([2, 3], radius: 1), but: response([1, 1, 2, 3], radius: 1)),
    Refusal("has a negative radius, -1", response([1, 1, 2, 3], radius: -1), but: response([1, 1, 2, 3], radius: 0)),
    Refusal(
      "gives results of scale 1/128 and zero point 0",
      codes(.l2Normalization, .int8, to: unit(127), L2NormOptions.empty),
      but: codes(.l2Normalization, .int8, to: unit(128), L2NormOptions.empty)),
    Refusal(
      "gives results of scale 1/128 and zero point 0",
      codes(.l2Normalization, .int8, to: unit(128, 1), L2NormOptions.empty)),
    Refusal(
      "zero point 128", codes(.l2Normalization, .uint8, to: unit(128, 127, .uint8), L2NormOptions.empty),
      but: codes(.l2Normalization, .uint8, to: unit(128, 128, .uint8), L2NormOptions.empty)),
    Refusal(
      "gives results of scale 1/16 and zero point 127", codes(.logSoftmax, .int8, to: unit(16, 126)),
      but: codes(.logSoftmax, .int8, to: unit(16, 127))),
    Refusal("gives results of scale 1/16 and zero point 127", codes(.logSoftmax, .int8, to: unit(15, 127))),
    Refusal(
      "zero point 255", codes(.logSoftmax, .uint8, to: unit(16, 254, .uint8)),
      but: codes(.logSoftmax, .uint8, to: unit(16, 255, .uint8))),
    Refusal(
      "gives results of scale 1/256 and zero point -128", codes(.softmax, .int8, to: unit(256, -127), softmax),
      but: codes(.softmax, .int8, to: unit(256, -128), softmax)),
    Refusal(
      "gives results of scale 1/256", codes(.softmax, .int8, to: unit(255.7, -128), softmax),
      but: codes(.softmax, .int8, to: unit(255.8, -128), softmax)),
    Refusal(
      "gives results of scale 1/256", codes(.softmax, .int8, to: unit(256.3, -128), softmax),
      but: codes(.softmax, .int8, to: unit(256.2, -128), softmax)),
    Refusal(
      "gives results of scale 1/32768 and zero point 0", codes(.softmax, .int16, to: unit(32700, 0, .int16), softmax),
      but: codes(.softmax, .int16, to: unit(32768, 0, .int16), softmax)),
    Refusal(
      "whose scale × beta is above 2^-26",
      Probe(.softmax, [.of(.int8, [4], scale: 0x1p-26)], [unit(256, -128)], softmax),
      but: Probe(.softmax, [.of(.int8, [4], scale: 0x1.1p-26)], [unit(256, -128)], softmax)),
    Refusal(
      "for int16 it must be 2⁻¹⁵", codes(.logistic, .int16, to: unit(32000, 0, .int16)),
      but: codes(.logistic, .int16, to: unit(32768, 0, .int16))),
    Refusal(
      "for int16 it must be 2⁻¹⁵", codes(.tanh, .int16, to: unit(16384, 0, .int16)),
      but: codes(.tanh, .int16, to: unit(32768, 0, .int16))),
    Refusal(
      "has a scale too small for input", codes(.hardSwish, .int8, to: unit(4096)),
      but: codes(.hardSwish, .int8, to: unit(512))),
    Refusal(
      "parameters", Probe(.relu, [.of(.int8, [4])], [unit(1)]),
      but: Probe(.relu, [.of(.int8, [4], scale: 1)], [unit(1)])),
    Refusal(
      "output 0 't1' int8[4] has no", Probe(.relu, [.of(.int8, [4], scale: 1)], [.of(.int8)])),
    Refusal(
      "the operator requires one scale",
      Probe(.relu6, [.of(.int8, [2]).scaled([1, 2], axis: 0)], [unit(1)])),
    Refusal(
      "it must be 0",
      Probe(.leakyRelu, [.of(.int16, [4], scale: 1, zeroPoint: 1)], [unit(1, 0, .int16)], LeakyReluOptions.empty)),
    Refusal(
      "has zero point 256, which its type cannot hold",
      Probe(.leakyRelu, [.of(.uint8, [4], scale: 1, zeroPoint: 256)], [unit(1, 0, .uint8)], LeakyReluOptions.empty),
      but: Probe(
        .leakyRelu, [.of(.uint8, [4], scale: 1, zeroPoint: 255)], [unit(1, 0, .uint8)], LeakyReluOptions.empty),
      isUnread: true
    ),
    Refusal(
      "has zero point -1, which its type cannot hold",
      Probe(.leakyRelu, [.of(.uint8, [4], scale: 1)], [unit(1, -1, .uint8)], LeakyReluOptions.empty),
      isUnread: true),
  ]

  private static func fake(_ lower: Float, _ upper: Float, bits: Int) -> Probe {
    Probe(
      .fakeQuant, [.floats([2])], [.floats()],
      FakeQuantOptions.with { [$0.minimum(lower), $0.maximum(upper), $0.bitCount(bits)] })
  }

  private static func channels(_ type: ElementType, _ scales: [Float], _ zeroPoints: [Int32], axis: Int) -> Probe {
    Probe(.dequantize, [.of(type, [2, 3]).scaled(scales, zeroPoints, axis: axis)], [.floats()], version: 5)
  }

  private static let converted: [Refusal] = [
    Refusal("the bits be 2 to 16", fake(0, 1, bits: 1), but: fake(0, 1, bits: 2)),
    Refusal("the bits be 2 to 16", fake(0, 1, bits: 17), but: fake(0, 1, bits: 16)),
    Refusal("the range must not be empty", fake(1, 1, bits: 8), but: fake(1, 2, bits: 8)),
    Refusal("the range must not be empty", fake(2, 1, bits: 8)),
    Refusal("rounds -inf to 1.0 to 8 bits", fake(-.infinity, 1, bits: 8)),
    Refusal("rounds 0.0 to inf to 8 bits", fake(0, .infinity, bits: 8)),
    Refusal(
      "has 3 scales along axis 0, which is not that long", channels(.int8, [1, 2, 3], [0, 0, 0], axis: 0),
      but: channels(.int8, [1, 2, 3], [0, 0, 0], axis: 1), isUnread: true),
    Refusal(
      "has 2 scales along axis 2", channels(.int8, [1, 2], [0, 0], axis: 2),
      but: channels(.int8, [1, 2], [0, 0], axis: 0), isUnread: true),
    Refusal("has a scale that is not a positive number", channels(.int8, [1, 0], [0, 0], axis: 0)),
    Refusal(
      "has a scale that is not a positive number", channels(.int8, [1, .infinity], [0, 0], axis: 0), isUnread: true),
    Refusal(
      "has zero points that do not fit its type", channels(.int8, [1, 2], [0, 128], axis: 0),
      but: channels(.int8, [1, 2], [-128, 127], axis: 0), isUnread: true),
    Refusal(
      "has zero points that do not fit its type", channels(.uint8, [1, 2], [-1, 0], axis: 0),
      but: channels(.uint8, [1, 2], [0, 255], axis: 0), isUnread: true),
    Refusal(
      "has zero point 8, which its type cannot hold",
      Probe(.quantize, [.floats([2])], [.of(.int4, scale: 1, zeroPoint: 8)], version: 4),
      but: Probe(.quantize, [.floats([2])], [.of(.int4, scale: 1, zeroPoint: 7)], version: 4), isUnread: true),
    Refusal(
      "has zero point 1; it must be 0",
      Probe(.quantize, [.of(.int16, [2], scale: 1)], [.of(.int16, scale: 1, zeroPoint: 1)], version: 2),
      but: Probe(.quantize, [.of(.int16, [2], scale: 1)], [.of(.int8, scale: 1, zeroPoint: 1)], version: 2)),
  ]

  @Test("types without a cast")
  func refusesCast() {
    let error: RuntimeError? = thrownError { try Probe(.cast, [.floats([2])], [.of(.string)]).compile() }
    #expect(error?.code == .unsupportedOperators)
    #expect(error?.message.contains("types float32 → string are not supported") == true)
  }

  @Test("incompatible shapes", arguments: shapes)
  func refusesShapes(refusal: Refusal) { refusal.check() }

  @Test("unsupported output scales", arguments: rows)
  func refusesRows(refusal: Refusal) { refusal.check() }

  @Test("impossible ranges and scales", arguments: converted)
  func refusesConverted(refusal: Refusal) { refusal.check() }

  /// Divisors and exponents that are known only at run time; the last element decides.
  @Test("integers without a quotient, power, or root")
  func refusesValues() {
    func divided<Scalar: TensorScalar & BinaryInteger>(
      _ kind: BuiltinOperator, _ value: Scalar, scale: Float? = nil, _ zeroPoint: Int32 = 0
    ) -> Probe {
      func tensor(_ values: [Scalar]) -> ProbeTensor {
        scale.map { ProbeTensor.values(values).scaled($0, zeroPoint) } ?? .values(values)
      }
      let output = ProbeTensor.of(Scalar.elementType)
      return Probe(
        kind, [tensor([7, 7]), tensor([5, value])], [scale.map { output.scaled($0, zeroPoint) } ?? output],
        version: kind == .pow ? 1 : 2)
    }
    func refused(_ words: String, _ refused: Probe, _ accepted: Probe) {
      Refusal(words, refused, but: accepted, code: .invalidInput).check()
    }
    refused(
      "input 1 holds 0: the divisor must not be zero", divided(.floorDiv, Int32(0)), divided(.floorDiv, Int32(-1)))
    refused("the divisor must not be zero", divided(.floorDiv, Int8(0)), divided(.floorDiv, Int8(1)))
    refused("the divisor must not be zero", divided(.floorDiv, Int16(0)), divided(.floorDiv, Int16(1)))
    refused("the divisor must not be zero", divided(.floorMod, Int8(0)), divided(.floorMod, Int8(1)))
    refused("the divisor must not be zero", divided(.floorMod, Int16(0)), divided(.floorMod, Int16(1)))
    refused("the divisor must not be zero", divided(.floorMod, Int32(0)), divided(.floorMod, Int32(1)))
    refused("the divisor must not be zero", divided(.floorMod, Int64(0)), divided(.floorMod, Int64(1)))
    refused("the divisor stands for zero", divided(.div, Int32(0)), divided(.div, Int32(1)))
    refused("the divisor stands for zero", divided(.div, Int8(3), scale: 1, 3), divided(.div, Int8(0), scale: 1, 3))
    refused("the divisor stands for zero", divided(.div, UInt8(3), scale: 1, 3), divided(.div, UInt8(4), scale: 1, 3))
    refused("the divisor stands for zero", divided(.div, Int16(0), scale: 1), divided(.div, Int16(1), scale: 1))
    refused("integers take no negative exponent", divided(.pow, Int32(-1)), divided(.pow, Int32(0)))
    func floored(_ value: Float) -> Probe {
      Probe(.floorDiv, [.values([Float(7), 7]), .values([5, value])], [.floats()], version: 2)
    }
    refused("the divisor must not be zero", floored(-0.0), floored(.leastNonzeroMagnitude))
    func root<Scalar: TensorScalar & BinaryInteger>(_ kind: BuiltinOperator, _ value: Scalar, _ zeroPoint: Int32)
      -> Probe
    {
      Probe(
        kind, [.values([9, value]).scaled(1, zeroPoint)], [ProbeTensor.of(Scalar.elementType).scaled(1, 0)], version: 2)
    }
    for kind in [BuiltinOperator.rsqrt, .sqrt] {
      refused("value 1, which represents a negative number", root(kind, Int8(1), 2), root(kind, Int8(2), 2))
      refused("value -1, which represents a negative number", root(kind, Int16(-1), 0), root(kind, Int16(0), 0))
    }
  }
}
