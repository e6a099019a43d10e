import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A convolution between SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.
private struct DividedConvolution: Sendable, CustomTestStringConvertible {
  var type = ElementType.float32
  var isDepthwise = false
  var batch = 1
  var height = 7
  var width = 9
  var channels = 3
  var filters = 4
  var window = (2, 3)
  var blocks = (2, 3)
  /// The rows and columns in front of the image, and those that are cropped from the results.
  var before = (1, 3)
  var crops = (0, 0)

  var testDescription: String {
    "\(type)\(isDepthwise ? " depthwise" : "") \(batch)×\(height)×\(width)×\(channels), window \(window), blocks \(blocks), before \(before), crops \(crops)"
  }

  /// The padding behind the image that completes the last block.
  private func after(_ size: Int, _ before: Int, _ block: Int) -> Int {
    (block - (size + before) % block) % block + block
  }

  private var results: Int { isDepthwise ? channels : filters }

  /// - Parameter keepsBlocks: Whether the results of the blocks are an output too, so that they have to be computed.
  func graph(keepsBlocks: Bool) -> TestGraph {
    var graph = TestGraph()
    var random = SplitMix64(state: 61)
    let isFloat = type == .float32
    let input = graph.input(type, [batch, height, width, channels])
    let after = (after(height, before.0, blocks.0), after(width, before.1, blocks.1))
    let divided = graph.tensor(type, [])
    let sizes = graph.constant([Int32(blocks.0), Int32(blocks.1)])
    let paddings = graph.constant([Int32(before.0), Int32(after.0), Int32(before.1), Int32(after.1)], shape: [2, 2])
    // As many results as pixels, before any are cropped in front.
    let rest = (
      after.0 - ((window.0 - 1) * blocks.0 - before.0), after.1 - ((window.1 - 1) * blocks.1 - before.1)
    )
    let crops = graph.constant(
      [Int32(crops.0), Int32(min(after.0, rest.0)), Int32(crops.1), Int32(min(after.1, rest.1))], shape: [2, 2])
    let shape =
      isDepthwise ? [1, window.0, window.1, channels] : [filters, window.0, window.1, channels]
    let count = shape.reduce(1, *)
    let filter =
      isFloat
      ? graph.constant(random.floats(count), shape: shape)
      : graph.constant(random.integers(count, in: -128...127).map { Int8($0) }, shape: shape)
    let bias =
      isFloat
      ? graph.constant(random.floats(results))
      : graph.constant(random.integers(results, in: -900...900).map { Int32($0) })
    let convolved = keepsBlocks ? graph.output(type, []) : graph.tensor(type, [])
    let output = graph.output(type, [])
    if !isFloat {
      for tensor in [input, divided] { graph.quantize(tensor, QuantizationParameters(scale: 0.05, zeroPoint: -7)) }
      for tensor in [convolved, output] { graph.quantize(tensor, QuantizationParameters(scale: 0.7, zeroPoint: 3)) }
      graph.quantize(filter, QuantizationParameters(scale: 0.02, zeroPoint: 0))
    }
    graph.add(.spaceToBatchND, [input, sizes, paddings], [divided])
    if isDepthwise {
      graph.add(
        .depthwiseConv2D, [divided, filter, bias], [convolved],
        options: DepthwiseConv2DOptions.with {
          [$0.padding(.valid), $0.strideWidth(1), $0.strideHeight(1), $0.depthMultiplier(1)]
        }, version: 3)
    } else {
      graph.add(
        .conv2D, [divided, filter, bias], [convolved],
        options: Conv2DOptions.with { [$0.padding(.valid), $0.strideWidth(1), $0.strideHeight(1)] }, version: 3)
    }
    graph.add(.batchToSpaceND, [convolved, sizes, crops], [output])
    return graph
  }

  func run(keepsBlocks: Bool, numerics: Numerics) throws -> Tensor {
    var random = SplitMix64(state: 62)
    let shape = Shape([batch, height, width, channels])
    let tensor =
      type == .float32
      ? try Tensor(random.floats(shape.elementCount), shape: shape)
      : try Tensor(random.integers(shape.elementCount, in: -128...127).map { Int8($0) }, shape: shape)
    let outputs = try graph(keepsBlocks: keepsBlocks).session(options: RuntimeOptions(numerics: numerics)).run([tensor])
    return outputs[outputs.count - 1]
  }

  func operators(numerics: Numerics = .fast) throws -> [String] {
    try CompiledModel(graph(keepsBlocks: false).model(), options: RuntimeOptions(numerics: numerics)).implementations
      .map { $0.location.operatorName ?? "" }
  }

  static let all: [DividedConvolution] = [ElementType.float32, .int8].flatMap { type in
    [
      DividedConvolution(type: type), DividedConvolution(type: type, batch: 3, crops: (1, 2)),
      DividedConvolution(type: type, isDepthwise: true, channels: 5, crops: (0, 3)),
      DividedConvolution(type: type, height: 1, width: 1, window: (3, 3), blocks: (6, 6), before: (6, 6)),
      DividedConvolution(type: type, window: (1, 2), blocks: (1, 4), before: (0, 0)),
      // Window and channels of the Winograd algorithm.
      DividedConvolution(
        type: type, height: 12, width: 12, channels: 12, filters: 12, window: (3, 3), blocks: (2, 2), before: (2, 2)),
    ]
  }
}

@Suite("Convolution of divided images")
struct DividedImageTests {
  @Test("gives the results of the blocks", arguments: DividedConvolution.all, Numerics.allCases)
  fileprivate func results(_ convolution: DividedConvolution, numerics: Numerics) throws {
    let expected = try convolution.run(keepsBlocks: true, numerics: numerics)
    let result = try convolution.run(keepsBlocks: false, numerics: numerics)
    #expect(result.shape == expected.shape)
    if convolution.type == .int8 || numerics == .bitExact {
      #expect(result.bytes == expected.bytes)
    } else {
      for (value, wanted) in zip(try result.values(as: Float.self), try expected.values(as: Float.self)) {
        #expect(abs(value - wanted) < 1e-5)
      }
    }
  }

  @Test("is one operator, unless minimal filtering of the blocks is faster")
  func operators() throws {
    #expect(try DividedConvolution().operators() == ["CONV_2D"])
    #expect(try DividedConvolution(type: .int8).operators() == ["CONV_2D"])
    #expect(try DividedConvolution(isDepthwise: true).operators() == ["DEPTHWISE_CONV_2D"])
    var large = DividedConvolution(channels: 12, filters: 12, window: (3, 3), blocks: (2, 2), before: (2, 2))
    #expect(try large.operators() == ["SPACE_TO_BATCH_ND", "CONV_2D", "BATCH_TO_SPACE_ND"])
    large.channels = 11
    #expect(try large.operators() == ["CONV_2D"])
  }
}
