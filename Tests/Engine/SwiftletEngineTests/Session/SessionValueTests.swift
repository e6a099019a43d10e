import Foundation
import SwiftletEngine
import SwiftletOperators
import SwiftletTestSupport
import Testing

@Suite("Session values")
struct SessionValueTests {
  /// Returns a graph that computes x − y and x · y.
  private func graph() -> TestGraph {
    var graph = TestGraph()
    let x = graph.input(.float32, [2]), y = graph.input(.float32, [2])
    graph.add(.sub, [x, y], [graph.output(.float32, [2])])
    graph.add(.mul, [x, y], [graph.output(.float32, [2])])
    return graph
  }

  private func refusal(_ body: () throws -> Void) -> RuntimeError? { thrownError(body) }

  @Test("are arrays in the model's order")
  func arrays() throws {
    let session = try Session(try CompiledModel(try graph().model()))
    let results: [[Float]] = try session.run([[Float(5), 7], [1, 2]])
    #expect(results == [[4, 5], [5, 14]])
    let late = refusal { let _: [[Float]] = try session.run([[Float(5), 7], [1, 2]], deadline: .now - .seconds(1)) }
    #expect(late?.code == .deadlineExceeded)
  }

  @Test("are arrays with the model's count, sizes, and types")
  func refusedArrays() throws {
    let session = try Session(try CompiledModel(try graph().model()))
    let few = refusal { let _: [[Float]] = try session.run([[Float(5), 7]]) }
    #expect(few?.code == .invalidArgument && few?.message == "the model takes 2 inputs, got 1")
    let short = refusal { let _: [[Float]] = try session.run([[Float(5), 7], [1]]) }
    #expect(short?.code == .invalidArgument)
    #expect(
      short?.message.hasPrefix("input 1 't1' float32[2] takes 2 values, got 1; resize it with resizeInput") == true)
    let typed = refusal { let _: [[Float]] = try session.run([[Int8(5), 7], [1, 2]]) }
    #expect(typed?.code == .typeMismatch && typed?.message == "input 't0' float32[2] holds float32, not int8")
    let results = refusal { let _: [[Int8]] = try session.run([[Float(5), 7], [1, 2]]) }
    #expect(results?.code == .typeMismatch && results?.message == "output 't2' float32[2] holds float32, not int8")
  }

  @Test("are arrays within the limit of results, of the outputs that are computed")
  func limits() throws {
    var options = RuntimeOptions()
    options.limits.resultBytes = 15
    let whole = try Session(try CompiledModel(try graph().model(), options: options))
    #expect(refusal { let _: [[Float]] = try whole.run([[Float(5), 7], [1, 2]]) }?.code == .limitExceeded)
    let part = try Session(try CompiledModel(try graph().model(), options: options, unusedOutputs: [0]))
    let results: [[Float]] = try part.run([[Float(5), 7], [1, 2]])
    #expect(results == [[5, 14]])
    let named: [String: [Float]] = try part.run(["t0": [Float(5), 7], "t1": [1, 2]])
    #expect(named == ["t3": [5, 14]])
  }

  @Test("have names, as arrays and as tensors")
  func names() throws {
    let session = try Session(try CompiledModel(try graph().model()))
    let results: [String: [Float]] = try session.run(["t1": [Float(1), 2], "t0": [Float(5), 7]])
    #expect(results == ["t2": [4, 5], "t3": [5, 14]])
    let x = try Tensor([Float(5), 7], shape: [2])
    #expect(try session.run(["t0": x, "t1": x])["t2"]?.values() == [Float(0), 0])
    let unknown = refusal { _ = try session.run(["t0": x, "t1": x, "z": x]) }
    #expect(unknown?.code == .invalidArgument && unknown?.message.contains("no input 'z'; it has 't0', 't1'") == true)
    let missing = refusal { _ = try session.run(["t1": x]) }
    #expect(missing?.code == .invalidArgument && missing?.message == "input 't0' is missing")
  }

  @Test("have names only if no two outputs share one")
  func sharedNames() throws {
    var graph = graph()
    graph.addOutput(2)
    let session = try Session(try CompiledModel(try graph.model()))
    let error = refusal { let _: [String: [Float]] = try session.run(["t0": [Float(5), 7], "t1": [1, 2]]) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "two outputs are named 't2'; run the model on an array instead")
    let results: [[Float]] = try session.run([[Float(5), 7], [1, 2]])
    #expect(results == [[4, 5], [5, 14], [4, 5]])
  }

  @Test("have the names of the signature that the session selects")
  func signatures() throws {
    var other = TestGraph()
    let a = other.input(.float32, [1]), b = other.output(.float32, [1])
    other.add(.neg, [a], [b])
    other.addSignature("negate", inputs: [("value", a)], outputs: [("negated", b)])
    let model = try graph().model([other])
    let session = try Session(try CompiledModel(model))
    let negated: [String: [Float]] = try session.signature("negate").run(["value": [Float(3)]])
    #expect(negated == ["negated": [-3]])
    let error = refusal { _ = try session.signature("none") }
    #expect(error?.code == .invalidArgument && error?.message.contains("it has 'negate'") == true)
  }

  @Test("share packed constants with sessions of other entry points")
  func sharedConstants() throws {
    var graph = TestGraph()
    let weights = graph.constant((0..<64 * 64).map { Float($0 % 7) }, shape: [64, 64])
    let x = graph.input(.float32, [1, 64]), y = graph.output(.float32, [1, 64])
    graph.add(.fullyConnected, [x, weights, nil], [y])
    graph.addSignature("named", inputs: [("x", x)], outputs: [("y", y)])
    let compiled = try CompiledModel(try graph.model())
    let byteCount = compiled.packedConstantsByteCount
    let named = try compiled.signature("named")
    #expect(byteCount > 0 && named.packedConstantsByteCount == byteCount)
    let ones = [Float](repeating: 1, count: 64)
    let expected: [[Float]] = try Session(compiled).run([ones])
    let result: [String: [Float]] = try Session(named).run(["x": ones])
    #expect(result["y"] == expected[0])
  }

  @Test("go to a model that is read from a file")
  func file() throws {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(TestGraph.bytes([graph()])).write(to: URL(fileURLWithPath: path))
    let session = try Session(contentsOfFile: path, options: RuntimeOptions(threads: 2))
    #expect(session.model.options.threads == 2)
    let results: [[Float]] = try session.run([[Float(5), 7], [1, 2]])
    #expect(results[1] == [5, 14])
    #expect(refusal { _ = try Session(contentsOfFile: path + ".none") }?.code == .unreadableFile)
    #expect(refusal { _ = try Session(contentsOfFile: path, signature: "none") }?.code == .invalidArgument)
  }
}
