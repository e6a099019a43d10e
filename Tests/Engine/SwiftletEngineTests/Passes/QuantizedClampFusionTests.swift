import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// An int8 convolution followed by a clamp of its quantized values.
private struct LimitedConvolution {
  var kind = BuiltinOperator.conv2D
  /// The clamp operators and their constant quantized values.
  var limits: [(BuiltinOperator, Int8)]
  /// The scale of the last result; the others have a scale of 0.25.
  var lastScale: Float = 0.25

  private static let shape = [1, 7, 9, 4]

  func run(exposingAll: Bool, numerics: Numerics) throws -> (codes: [Int8], names: [String]) {
    var graph = TestGraph()
    let data = graph.input(.int8, Self.shape, scale: 0.5, zeroPoint: 3)
    let isDepthwise = kind == .depthwiseConv2D
    let count = isDepthwise ? 36 : 4 * 36
    let filter = graph.constant(
      (0..<count).map { Int8(truncatingIfNeeded: $0 * 37 % 41 - 20) },
      shape: isDepthwise ? [1, 3, 3, 4] : [4, 3, 3, 4])
    graph.quantize(filter, QuantizationParameters(scales: [0.02], zeroPoints: [0], axis: 0))
    let bias = graph.constant([Int32(8), -8, 40, 0])
    var result = graph.tensor(.int8, Self.shape)
    graph.quantize(result, QuantizationParameters(scales: [0.25], zeroPoints: [-1], axis: 0))
    graph.add(
      kind, [data, filter, bias], [result],
      options: isDepthwise
        ? DepthwiseConv2DOptions.with {
          [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1), $0.depthMultiplier(1)]
        } : Conv2DOptions.with { [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)] },
      version: 3)
    for (index, (limit, code)) in limits.enumerated() {
      let constant = graph.constant([code], shape: [1])
      graph.quantize(constant, QuantizationParameters(scales: [0.25], zeroPoints: [-1], axis: 0))
      if exposingAll { graph.addOutput(result) }
      let limited = graph.tensor(.int8, Self.shape)
      let scale = index == limits.count - 1 ? lastScale : 0.25
      graph.quantize(limited, QuantizationParameters(scales: [scale], zeroPoints: [-1], axis: 0))
      graph.add(limit, [result, constant], [limited], version: 2)
      result = limited
    }
    graph.addOutput(result)
    let compiled = try CompiledModel(try graph.model(), options: RuntimeOptions(numerics: numerics))
    let codes = (0..<7 * 9 * 4).map { Int8(truncatingIfNeeded: $0 * 113) }
    let results = try Session(compiled).run([try Tensor(codes, shape: Shape(Self.shape))])
    return (try results[results.count - 1].values(), compiled.operatorNames)
  }
}

@Suite("Clamps of quantized values in convolutions")
struct QuantizedClampFusionTests {
  @Test("changes no quantized value", arguments: [BuiltinOperator.conv2D, .depthwiseConv2D], Numerics.allCases)
  func changesNothing(kind: BuiltinOperator, numerics: Numerics) throws {
    for limits in [[(.minimum, 40)], [(.maximum, -30), (.minimum, 17)], [(.minimum, -50), (.maximum, 20)]]
      as [[(BuiltinOperator, Int8)]]
    {
      let convolution = LimitedConvolution(kind: kind, limits: limits)
      let fused = try convolution.run(exposingAll: false, numerics: numerics)
      let apart = try convolution.run(exposingAll: true, numerics: numerics)
      #expect(fused.codes == apart.codes)
      #expect(fused.names.count == 1)
      #expect(apart.names.count == limits.count + 1)
      #expect(Set(fused.codes).count > (limits.last?.1 == 20 ? 0 : 5))
    }
  }

  @Test("requires the same quantization on both sides")
  func needsTheSameScale() throws {
    let convolution = LimitedConvolution(limits: [(.minimum, 40)], lastScale: 0.5)
    #expect(try convolution.run(exposingAll: false, numerics: .fast).names.count == 2)
  }
}
