import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks that weights that are computed at run time give the same results as constant ones, whenever they are packed.
@Suite("Computed filters")
struct ComputedFilterTests {
  struct Types: Sendable, CustomTestStringConvertible {
    let data: ElementType
    let weights: ElementType

    var testDescription: String { "\(data.name) by \(weights.name)" }
  }

  private static let types = [
    Types(data: .float32, weights: .float32), Types(data: .int8, weights: .int8), Types(data: .uint8, weights: .uint8),
    Types(data: .int16, weights: .int8),
  ]

  private func tensor(_ type: ElementType, _ shape: [Int], seed: Int, isConstant: Bool) -> ProbeTensor {
    func made<Scalar: TensorScalar>(_ value: (Int) -> Scalar) -> ProbeTensor {
      let values = (0..<shape.reduce(1, *)).map { value(($0 * 7919 + seed * 104_729) % 251) }
      return isConstant ? .constant(values, shape) : .values(values, shape)
    }
    switch type {
    case .int8: return made { Int8($0 - 125) }.scaled(0.02)
    case .uint8: return made { UInt8($0) }.scaled(0.02, 117)
    case .int16: return made { Int16($0 * 17 - 2000) }.scaled(0.001)
    default: return made { Float($0 - 125) / 64 }
    }
  }

  private func check(
    _ kind: BuiltinOperator, _ types: Types, _ data: [Int], _ weights: [Int], _ options: WrittenOptions, version: Int
  ) throws {
    let output =
      types.data == .float32
      ? ProbeTensor.floats()
      : .of(types.data, scale: types.data == .int16 ? 0.002 : 0.4, zeroPoint: types.data == .uint8 ? 100 : 0)
    for numerics in [Numerics.fast, .bitExact] {
      func run(isConstant: Bool) throws -> [UInt8] {
        var probe = Probe(
          kind,
          [
            tensor(types.data, data, seed: 2, isConstant: false),
            tensor(types.weights, weights, seed: 5, isConstant: isConstant),
          ], [output], options, version: types.data == .float32 ? 1 : version)
        probe.runtime.numerics = numerics
        return try probe.run()[0].bytes
      }
      let computed = try run(isConstant: false), constant = try run(isConstant: true)
      #expect(computed == constant)
      #expect(Set(computed).count > 10)
    }
  }

  @Test("of convolutions", arguments: types)
  func convolutions(types: Types) throws {
    try check(
      .conv2D, types, [2, 7, 6, 3], [5, 3, 2, 3],
      Conv2DOptions.with { [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(2)] }, version: 3)
  }

  @Test("of depthwise convolutions, with single channels and pairs", arguments: types, [8, 16])
  func depthwise(types: Types, filters: Int) throws {
    try check(
      .depthwiseConv2D, types, [2, 7, 6, 8], [1, 3, 2, filters],
      DepthwiseConv2DOptions.with {
        [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(1), $0.depthMultiplier(filters / 8)]
      }, version: 3)
  }

  @Test("of fully connected layers", arguments: types)
  func layers(types: Types) throws {
    try check(.fullyConnected, types, [6, 19], [5, 19], FullyConnectedOptions.empty, version: 4)
  }
}
