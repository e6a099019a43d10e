import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// A product of an image followed by elementwise nodes. It's large enough for several tiles of several blocks.
private struct Chain {
  var graph = TestGraph()
  /// The tensors between the nodes, in order.
  var between: [Int] = []
  let input: Int

  init() { input = graph.input(.float32, [2, 47, 45, 8]) }

  static func values(_ count: Int, seed: Int) -> [Float] {
    (0..<count).map { Float(($0 &* 7919 &+ seed &* 104_729) % 2003) / 1001 - 1 }
  }

  mutating func tensor(_ channels: Int) -> Int {
    let tensor = graph.tensor(.float32, [2, 47, 45, channels])
    between.append(tensor)
    return tensor
  }

  mutating func convolution(_ source: Int, filters: Int, seed: Int = 1, hasBias: Bool = true) -> Int {
    let weights = graph.constant(Self.values(filters * 8, seed: seed), shape: [filters, 1, 1, 8])
    let bias = hasBias ? graph.constant(Self.values(filters, seed: seed + 1)) : nil
    let result = tensor(filters)
    graph.add(
      .conv2D, [source, weights, bias], [result],
      options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] })
    return result
  }

  mutating func depthwise(_ source: Int) -> Int {
    let weights = graph.constant(Self.values(72, seed: 3), shape: [1, 3, 3, 8])
    let bias = graph.constant(Self.values(8, seed: 4))
    let result = tensor(8)
    graph.add(
      .depthwiseConv2D, [source, weights, bias], [result],
      options: DepthwiseConv2DOptions.with {
        [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1), $0.depthMultiplier(1)]
      }
    )
    return result
  }

  mutating func apply(_ kind: BuiltinOperator, _ inputs: [Int], channels: Int) -> Int {
    let result = tensor(channels)
    graph.add(kind, inputs, [result])
    return result
  }

  /// Returns the last tensor, and the names of the operators that ran. `exposingAll` makes all tensors in between
  /// outputs, which prevents fusion.
  func run(exposingAll: Bool) throws -> (values: [Float], names: [String]) {
    var graph = graph
    guard let last = between.last else { return ([], []) }
    graph.addOutput(last)
    if exposingAll { for tensor in between.dropLast() { graph.addOutput(tensor) } }
    let compiled = try CompiledModel(try graph.model())
    let data = try Tensor(Self.values(2 * 47 * 45 * 8, seed: 9).map { $0 * 4 }, shape: [2, 47, 45, 8])
    return (try Session(compiled).run([data])[0].values(as: Float.self), compiled.operatorNames)
  }

  func expectFusion(to names: [String]) throws {
    let fused = try run(exposingAll: false), apart = try run(exposingAll: true)
    #expect(fused.names == names)
    #expect(apart.names.count == between.count)
    #expect(fused.values == apart.values)
  }
}

@Suite("Fusion of elementwise nodes into GEMMs")
struct EpilogueFusionTests {
  @Test("a slope per channel is fused into a convolution", arguments: [8, 20, 37])
  func parametricRelu(filters: Int) throws {
    var chain = Chain()
    let product = chain.convolution(chain.input, filters: filters)
    let slopes = chain.graph.constant(Chain.values(filters, seed: 5), shape: [1, 1, filters])
    _ = chain.apply(.prelu, [product, slopes], channels: filters)
    try chain.expectFusion(to: ["CONV_2D"])
  }

  @Test("a residual addition and the activation after it are fused into the later product")
  func residualAddition() throws {
    var chain = Chain()
    let first = chain.convolution(chain.input, filters: 20, seed: 1, hasBias: false)
    let second = chain.convolution(chain.input, filters: 20, seed: 6)
    let sum = chain.apply(.add, [first, second], channels: 20)
    _ = chain.apply(.hardSwish, [sum], channels: 20)
    try chain.expectFusion(to: ["CONV_2D", "CONV_2D"])
  }

  @Test("a product waits for a term that is computed after it")
  func lateTerm() throws {
    var chain = Chain()
    let product = chain.depthwise(chain.input)
    let other = chain.apply(.exp, [chain.input], channels: 8)
    _ = chain.apply(.mul, [other, product], channels: 8)
    try chain.expectFusion(to: ["EXP", "DEPTHWISE_CONV_2D"])
  }

  @Test("a value times its logistic function is fused", arguments: [false, true])
  func swish(isSwapped: Bool) throws {
    var chain = Chain()
    let product = chain.depthwise(chain.input)
    let gate = chain.apply(.logistic, [product], channels: 8)
    let swish = chain.apply(.mul, isSwapped ? [gate, product] : [product, gate], channels: 8)
    let next = chain.convolution(swish, filters: 33)
    _ = chain.apply(.logistic, [next], channels: 33)
    try chain.expectFusion(to: ["DEPTHWISE_CONV_2D", "CONV_2D"])
  }

  @Test("nodes that broadcast, or whose input has another reader, stay separate")
  func staysApart() throws {
    var chain = Chain()
    let product = chain.convolution(chain.input, filters: 8)
    let gate = chain.apply(.logistic, [product], channels: 8)
    let sum = chain.apply(.add, [gate, product], channels: 8)
    let factor = chain.graph.constant(Chain.values(47 * 45, seed: 7), shape: [1, 47, 45, 1])
    _ = chain.apply(.mul, [sum, factor], channels: 8)
    #expect(try chain.run(exposingAll: false).names == ["CONV_2D", "LOGISTIC", "ADD", "MUL"])
  }

  @Test("a few nodes are fused into a product, but not a long chain")
  func longChain() throws {
    var chain = Chain()
    var last = chain.convolution(chain.input, filters: 8)
    for _ in 0..<20 { last = chain.apply(.logistic, [last], channels: 8) }
    try chain.expectFusion(to: ["CONV_2D"] + [String](repeating: "LOGISTIC", count: 12))
  }
}
