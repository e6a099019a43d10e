import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Work of convolutions")
struct ConvolutionWorkTests {
  private func compiled(
    _ kind: BuiltinOperator, input: [Int], filter: [Int]? = nil, options: WrittenOptions,
    isComputed: Bool = false,
    run: RuntimeOptions = RuntimeOptions()
  ) throws -> CompiledModel {
    var graph = TestGraph()
    var inputs = [graph.input(.float32, input)]
    if let filter {
      let values = [Float](repeating: 1, count: filter.reduce(1, *))
      inputs.append(isComputed ? graph.input(.float32, filter) : graph.constant(values, shape: filter))
    }
    graph.add(kind, inputs, [graph.output(.float32, [])], options: options)
    return try CompiledModel(try graph.model(), options: run)
  }

  private func work(_ model: CompiledModel) -> Double {
    model.program.steps.reduce(0) { $0 + ($1.stage.work ?? 0) }
  }

  private static let convolution = Conv2DOptions.with {
    [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)]
  }
  private static let depthwise = DepthwiseConv2DOptions.with {
    [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)]
  }

  @Test("is reported by every stage, in proportion to its products", arguments: [Numerics.fast, .bitExact])
  func isSaid(numerics: Numerics) throws {
    let run = RuntimeOptions(numerics: numerics)
    let models = [
      try compiled(.conv2D, input: [1, 32, 32, 32], filter: [32, 3, 3, 32], options: Self.convolution, run: run),
      try compiled(.conv2D, input: [1, 32, 32, 32], filter: [32, 5, 5, 32], options: Self.convolution, run: run),
      try compiled(
        .conv2D, input: [1, 32, 32, 32], filter: [32, 3, 3, 32], options: Self.convolution, isComputed: true, run: run),
      try compiled(
        .depthwiseConv2D, input: [1, 64, 64, 64], filter: [1, 5, 5, 64], options: Self.depthwise, run: run),
    ]
    for model in models {
      let products = Double(model.program.nodes.reduce(0) { $0 + $1.multiplyAdds })
      #expect(model.program.steps.allSatisfy { $0.stage.work != nil })
      #expect(work(model) > products * 0.003 && work(model) < products * 1)
    }
  }

  @Test("grows with the part of a pooling window that is inside the image")
  func growsWithWindows() throws {
    func pool(_ size: Int32) throws -> Double {
      let options = Pool2DOptions.with {
        [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1), $0.filterWidth(size), $0.filterHeight(size)]
      }
      return work(try compiled(.l2Pool2D, input: [1, 64, 64, 4], options: options))
    }
    #expect(try pool(32) > 8 * pool(2))
    #expect(try pool(.max) <= 5 * pool(64))
  }

  @Test("indirection buffers that are far larger than the tensors are created in the run")
  func tablesStaySmall() throws {
    let model = try compiled(
      .conv2D, input: [1, 64, 64, 1], filter: [1, 64, 64, 1], options: Self.convolution,
      run: RuntimeOptions(numerics: .bitExact))
    // The scratch memory has room for at least one row of the table, which would take 64 MB in total.
    #expect(model.program.workerScratchByteCount >= 64 * 64 * 4)
    let ones = [Float](repeating: 1, count: 64 * 64)
    let values: [Float] = try Session(model).run([try Tensor(ones, shape: [1, 64, 64, 1])])[0].values()
    // The window of the first pixel covers 33 of 64 rows and columns.
    #expect(values[0] == 33 * 33)
  }

  @Test("windows that are too high for a depthwise kernel are rejected")
  func refusesHighWindows() {
    let error = #expect(throws: RuntimeError.self) {
      try compiled(.depthwiseConv2D, input: [1, 1, 1, 1], filter: [1, (1 << 20) + 1, 1, 1], options: Self.depthwise)
    }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "DEPTHWISE_CONV_2D")
  }
}
