import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Doubles its input, in a tensor of the length that `length` specifies.
private struct Doubling: CustomOperator {
  var length: Int?

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] { [try length.map { [$0] } ?? node.input(0).shape] }

  func run(_ call: CustomOperatorCall) throws {
    let (source, target) = (try call.input(0, as: Float.self), try call.output(0, as: Float.self))
    for index in target.indices { target[index] = 2 * (index < source.count ? source[index] : 1) }
  }
}

@Suite("Tensors that are input and output of a custom operator")
struct PassedThroughTensorTests {
  private func model(length: Int? = nil) throws -> Model {
    var graph = TestGraph()
    let data = graph.input(.float32, [4])
    graph.add(.neg, [data], [graph.output(.float32, [4])])
    graph.add(custom: "Double", [data], [data])
    graph.add(custom: "Double", [data], [data])
    graph.add(.neg, [data], [graph.output(.float32, [4])])
    graph.addOutput(data)
    var model = try graph.model()
    model.addOperator(named: "Double") { _ in Doubling(length: length) }
    return model
  }

  @Test("have their old values before the operator, and the new ones after it", arguments: [1, 2])
  func values(threads: Int) throws {
    let session = try Session(try CompiledModel(try model(), options: RuntimeOptions(threads: threads)))
    for _ in 0..<3 {
      let results = try session.run([Tensor([Float(1), 2, 3, 4], shape: [4])])
      #expect(try results.map { try $0.values() } == [[Float(-1), -2, -3, -4], [-4, -8, -12, -16], [4, 8, 12, 16]])
    }
  }

  @Test("must keep their shape", arguments: [0, 3, 5, 1 << 20])
  func shape(length: Int) throws {
    let model = try model(length: length)
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("keep the type and shape") == true)
    #expect(error?.location?.operatorIndex == 1)
  }
}
