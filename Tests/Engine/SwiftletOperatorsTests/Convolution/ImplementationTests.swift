import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Reported operator implementation")
struct ImplementationTests {
  private func implementations(
    _ numerics: Numerics = .fast, _ build: (inout TestGraph) -> Void
  ) throws -> [String] {
    var graph = TestGraph()
    build(&graph)
    return try CompiledModel(try graph.model(), options: RuntimeOptions(numerics: numerics)).implementations.map(
      \.implementation)
  }

  /// Returns the implementations of a convolution of a float32 image of 32×32 pixels.
  private func convolution(_ numerics: Numerics = .fast, channels: Int, window: Int) throws -> [String] {
    try implementations(numerics) { graph in
      let input = graph.input(.float32, [1, 32, 32, channels])
      let values = [Float](repeating: 1, count: 32 * window * window * channels)
      graph.add(
        .conv2D, [input, graph.constant(values, shape: [32, window, window, channels])],
        [graph.output(.float32, [])],
        options: Conv2DOptions.with { [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)] })
    }
  }

  private static let isa = KernelTable.current.name

  @Test("names the algorithm, the window, and the kernel set of a convolution")
  func convolutions() throws {
    #expect(try convolution(channels: 32, window: 3) == ["Winograd 4×4 float32 3×3, \(Self.isa)"])
    #expect(try convolution(channels: 3, window: 3) == ["indirect GEMM float32 3×3, \(Self.isa)"])
    #expect(try convolution(channels: 32, window: 1) == ["GEMM float32 1×1, \(Self.isa)"])
    #expect(try convolution(.bitExact, channels: 32, window: 3) == ["indirect GEMM float32 3×3, portable"])
  }

  // Pixels of 13 channels neither form groups of four bytes nor fill a vector of any instruction set.
  @Test(
    "names the kernel for the geometry of an int8 depthwise convolution",
    arguments: [(4, "interleaved"), (13, "by row pairs")])
  func depthwise(channels: Int, kernel: String) throws {
    let words = try implementations { graph in
      let input = graph.input(.int8, [1, 32, 32, channels])
      let filter = graph.constant([Int8](repeating: 1, count: 9 * channels), shape: [1, 3, 3, channels])
      let output = graph.output(.int8, [])
      graph.quantize(input, QuantizationParameters(scale: 0.1, zeroPoint: 0))
      graph.quantize(
        filter,
        QuantizationParameters(
          scales: [Float](repeating: 0.1, count: channels), zeroPoints: [Int32](repeating: 0, count: channels), axis: 3)
      )
      graph.quantize(output, QuantizationParameters(scale: 1, zeroPoint: 0))
      graph.add(
        .depthwiseConv2D, [input, filter], [output],
        options: DepthwiseConv2DOptions.with { [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)] })
    }
    #expect(words == ["depthwise int8 \(kernel) 3×3, \(Self.isa)"])
  }

  @Test("belongs to its own node, and is a loop by default")
  func others() throws {
    let words = try implementations { graph in
      let input = graph.input(.float32, [1, 16])
      let sum = graph.tensor(.float32, [1, 16]), root = graph.tensor(.float32, [1, 16])
      graph.add(.add, [input, input], [sum])
      graph.add(.cumsum, [sum, graph.constant([Int32(1)], shape: [])], [root])
      graph.add(.abs, [root], [graph.output(.float32, [1, 16])])
    }
    #expect(
      words == ["vector arithmetic float32, \(Self.isa)", "loop", "vector function float32, \(Self.isa)"])
  }

  @Test("is in the profile of a session")
  func profile() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [4])
    graph.add(.add, [input, input], [graph.output(.float32, [4])])
    let session = try Session(CompiledModel(try graph.model(), options: RuntimeOptions(isProfiling: true)))
    _ = try session.run([try Tensor([Float](repeating: 1, count: 4), shape: [4])])
    #expect(session.profile.map(\.implementation) == ["vector arithmetic float32, \(Self.isa)"])
  }
}
