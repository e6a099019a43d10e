import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// A convolution followed by an activation.
private let activationPattern: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(), between = graph.value(), result = graph.value()
  graph.add("conv", StubConvolution(), [input], [between])
  graph.add("relu", StubActivation(.relu6), [between], [result])
  graph.kept = [2]
  return graph
}()

/// A convolution followed by a clamp of quantized values, whose second input is the clamped one.
private let clampPattern: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(.int8), limit = graph.value(.int8)
  let between = graph.value(.int8, scale: 0.5), result = graph.value(.int8, scale: 0.5)
  graph.add("conv", StubConvolution(), [input], [between])
  graph.add("minimum", StubClamp(input: 1), [limit, between], [result])
  graph.kept = [3]
  return graph
}()

/// A padding followed by a convolution.
private let paddingPattern: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(), amounts = graph.value(.int32), padded = graph.value(), result = graph.value()
  graph.add(
    "pad", StubPadding(amount: ExplicitPadding(top: 1, bottom: 2, left: 3, right: 4)), [input, amounts], [padded])
  graph.add("conv", StubConvolution(), [padded, nil], [result])
  graph.kept = [3]
  return graph
}()

/// A multiplication of a value by itself, followed by a sum of the products.
private let squarePattern: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(), squares = graph.value(), axes = graph.value(.int32), result = graph.value()
  graph.add("mul", StubStep.multiply, [input, input], [squares])
  graph.add("sum", StubReduction(), [squares, axes], [result])
  graph.kept = [3]
  return graph
}()

@Suite("Fusion of two nodes")
struct NodeFusionTests {
  // MARK: Activations

  @Test("the activation after a convolution is fused into it")
  func activation() throws {
    let nodes = activationPattern.after(ActivationFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["conv"])
    #expect(nodes[0].inputs == [0] && nodes[0].outputs == [2])
    #expect((nodes[0].operation as? StubConvolution)?.activations == [.relu6])
  }

  @Test("a second activation is fused into the same node if it is supported")
  func activationChain() throws {
    var graph = activationPattern
    let last = graph.value()
    graph.add("second", StubActivation(.relu), [2], [last])
    graph.kept = [3]
    #expect(graph.names(after: ActivationFusion.run) == ["conv", "second"])
    graph.nodes[0].operation = StubConvolution(maximumActivations: 2)
    let nodes = graph.after(ActivationFusion.run)
    #expect(nodes.count == 1 && nodes[0].outputs == [3])
    #expect((nodes[0].operation as? StubConvolution)?.activations == [.relu6, .relu])
  }

  static let activationMisses = [
    NearMiss("no activation") { $0.nodes[1].operation = StubActivation(nil) },
    NearMiss("another operator") { $0.nodes[1].operation = StubPlain() },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [nil] },
    NearMiss("no inputs") { $0.nodes[1].inputs = [] },
    NearMiss("another type between") { $0.values.specs[1].elementType = .float16 },
    NearMiss("another type of the result") { $0.values.specs[2].elementType = .int8 },
    NearMiss("another reader") { $0.add("other", StubPlain(), [1], [$0.value()]) },
    NearMiss("a kept value between") { $0.kept = [1, 2] },
    NearMiss("no producer") { $0.nodes[0].outputs = [0] },
    NearMiss("a producer of two values") { $0.nodes[0].outputs = [1, $0.value()] },
    NearMiss("a producer that takes no activation") { $0.nodes[0].operation = StubPlain() },
    NearMiss("a producer that has one") { $0.nodes[0].operation = StubConvolution(activations: [.relu]) },
  ]

  @Test("an activation isn't fused for", arguments: activationMisses)
  func activationStays(_ miss: NearMiss) {
    let graph = miss.changing(activationPattern)
    #expect(graph.names(after: ActivationFusion.run) == graph.nodes.map { $0.location.operatorName })
  }

  // MARK: Clamps of quantized values

  @Test("a clamp of quantized values is fused into a convolution")
  func clamp() throws {
    let nodes = try clampPattern.after(QuantizedClampFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["conv"])
    #expect(nodes[0].inputs == [0] && nodes[0].outputs == [3])
    #expect((nodes[0].operation as? StubConvolution)?.clamps == [3...9])
  }

  @Test("a second clamp is fused into the same node")
  func clampChain() throws {
    var graph = clampPattern
    let last = graph.value(.int8, scale: 0.5)
    graph.add("maximum", StubClamp(input: 0, quantized: 4...5), [3, 1], [last])
    graph.kept = [4]
    let nodes = try graph.after(QuantizedClampFusion.run)
    #expect(nodes.count == 1 && nodes[0].outputs == [4])
    #expect((nodes[0].operation as? StubConvolution)?.clamps == [3...9, 4...5])
  }

  static let clampMisses = [
    NearMiss("another operator") { $0.nodes[1].operation = StubPlain() },
    NearMiss("no constant limit") { $0.nodes[1].operation = StubClamp(input: nil) },
    NearMiss("two results") { $0.nodes[1].outputs = [3, $0.value(.int8, scale: 0.5)] },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [0, nil] },
    NearMiss("the limit in the place of the input") { $0.nodes[1].operation = StubClamp(input: 0) },
    NearMiss("another reader") { $0.add("other", StubPlain(), [2], [$0.value()]) },
    NearMiss("a kept value between") { $0.kept = [2, 3] },
    NearMiss("another scale behind") { $0.values.specs[3].quantization?.scales = [0.25] },
    NearMiss("another zero point behind") { $0.values.specs[3].quantization?.zeroPoints = [2] },
    NearMiss("no scale behind") { $0.values.specs[3].quantization = nil },
    NearMiss("no producer") { $0.nodes[0].outputs = [0] },
    NearMiss("a producer that is no convolution") { $0.nodes[0].operation = StubHost() },
    NearMiss("a producer of two values") { $0.nodes[0].outputs = [2, $0.value()] },
  ]

  @Test("a clamp of quantized values isn't fused for", arguments: clampMisses)
  func clampStays(_ miss: NearMiss) throws {
    let graph = miss.changing(clampPattern)
    #expect(try graph.names(after: QuantizedClampFusion.run) == graph.nodes.map { $0.location.operatorName })
  }

  // MARK: Padding

  @Test("padding is fused into a convolution, whose other inputs are unchanged")
  func padding() throws {
    let nodes = try paddingPattern.after(PadFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["conv"])
    #expect(nodes[0].inputs == [0, nil] && nodes[0].outputs == [3])
    #expect(
      (nodes[0].operation as? StubConvolution)?.paddings == [ExplicitPadding(top: 1, bottom: 2, left: 3, right: 4)])
  }

  static let paddingMisses = [
    NearMiss("another reader") { $0.add("other", StubPlain(), [2], [$0.value()]) },
    NearMiss("the convolution as its second reader") { $0.nodes[1].inputs = [2, 2] },
    NearMiss("a kept padded value") { $0.kept = [2, 3] },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [nil, 2] },
    NearMiss("no inputs") { $0.nodes[1].inputs = [] },
    NearMiss("no producer") { $0.nodes[0].outputs = [0] },
    NearMiss("a producer that is no padding") { $0.nodes[0].operation = StubPlain() },
    NearMiss("a padding that cannot be folded") { $0.nodes[0].operation = StubPadding(amount: nil) },
    NearMiss("a convolution that cannot fold it") { $0.nodes[1].operation = StubConvolution(canFold: false) },
    NearMiss("a reader that is no convolution") { $0.nodes[1].operation = StubHost() },
    NearMiss("a variable that is padded") { $0.makeVariable(0) },
    NearMiss("amounts in a variable") { $0.makeVariable(1) },
  ]

  @Test("padding isn't fused for", arguments: paddingMisses)
  func paddingStays(_ miss: NearMiss) throws {
    let graph = miss.changing(paddingPattern)
    #expect(try graph.names(after: PadFusion.run) == graph.nodes.map { $0.location.operatorName })
  }

  // MARK: Squares

  @Test("a square is fused into a sum, whose axes are unchanged")
  func squares() throws {
    let nodes = try squarePattern.after(SquareFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["sum"])
    #expect(nodes[0].inputs == [0, 2] && nodes[0].outputs == [3])
    #expect((nodes[0].operation as? StubReduction)?.squares == true)
  }

  static let squareMisses = [
    NearMiss("products of two values") { $0.nodes[0].inputs = [0, $0.value()] },
    NearMiss("a first factor that is left out") { $0.nodes[0].inputs = [nil, 0] },
    NearMiss("one factor") { $0.nodes[0].inputs = [0] },
    NearMiss("three factors") { $0.nodes[0].inputs = [0, 0, 0] },
    NearMiss("another operation") { $0.nodes[0].operation = StubStep.binary(.add) },
    NearMiss("a clamp of the products") { $0.nodes[0].operation = StubStep.binary(.multiply, clamp: .relu) },
    NearMiss("products by a vector") { $0.nodes[0].operation = StubStep.binary(.multiply, isVector: true) },
    NearMiss("no elementwise step") { $0.nodes[0].operation = StubStep(nil, nil) },
    NearMiss("another operator in front") { $0.nodes[0].operation = StubPlain() },
    NearMiss("another reader of the products") { $0.add("other", StubPlain(), [1], [$0.value()]) },
    NearMiss("kept products") { $0.kept = [1, 3] },
    NearMiss("no producer") { $0.nodes[0].outputs = [0] },
    NearMiss("a variable that is squared") { $0.makeVariable(0) },
    NearMiss("another type") { $0.values.specs[0].elementType = .float64 },
    NearMiss("a reduction that cannot square") { $0.nodes[1].operation = StubReduction(canSquare: false) },
    NearMiss("another operator behind") { $0.nodes[1].operation = StubPlain() },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [nil, 1] },
  ]

  @Test("a multiplication isn't fused for", arguments: squareMisses)
  func squaresStay(_ miss: NearMiss) throws {
    let graph = miss.changing(squarePattern)
    #expect(try graph.names(after: SquareFusion.run) == graph.nodes.map { $0.location.operatorName })
  }
}
