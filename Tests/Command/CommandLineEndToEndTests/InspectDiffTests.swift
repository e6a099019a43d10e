import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

@Suite("inspect --diff")
struct InspectDiffTests {
  /// The model `relu(x × weights + bias)`, with optional changes.
  private struct Network {
    var type = ElementType.float32
    var weights: [Float] = [1, 2, 3, 4]
    var size = 4
    var names = ["x", "product", "sum", "y"]
    var isFused = false
    var hasBias = true
    var description: [UInt8]?

    func bytes() -> [UInt8] {
      var graph = TestGraph()
      let x = graph.input(.float32, [size])
      let weights = graph.constant(weights)
      let product = graph.tensor(.float32, [size])
      let y = graph.output(.float32, [size])
      var last = product
      graph.add(
        .mul, [x, weights], [product],
        options: isFused ? MulOptions.with { [$0.fusedActivation(.relu)] } : MulOptions.empty)
      if hasBias {
        let sum = graph.tensor(.float32, [size])
        graph.add(
          .add, [product, graph.constant([Float](repeating: 0.5, count: size))], [sum], options: AddOptions.empty)
        graph.name(sum, names[2])
        last = sum
      }
      graph.add(.relu, [last], [y])
      graph.name(x, names[0])
      graph.name(product, names[1])
      graph.name(y, names[3])
      graph.name(weights, "weights")
      graph.addSignature("run", inputs: [(name: "in", tensor: x)], outputs: [(name: "out", tensor: y)])
      return TestGraph.bytes([graph], metadata: description)
    }
  }

  private func diff(_ first: [UInt8], _ second: [UInt8], _ options: String...) throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let files = [try folder.write(first, to: "a.tflite"), try folder.write(second, to: "b.tflite")]
    return try Tool.run(["inspect", "--diff"] + files + options)
  }

  /// Returns the difference of two models, computed in this process.
  private func difference(_ first: [UInt8], _ second: [UInt8]) throws -> ModelDifference {
    ModelDifference(
      ModelReport("a.tflite", try Model(bytes: first)), ModelReport("b.tflite", try Model(bytes: second)))
  }

  private func graph(_ first: [UInt8], _ second: [UInt8]) throws -> (all: [String: Any], graph: [String: Any]) {
    let text = try difference(first, second).json.text
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    return (json, try #require((json["subgraphs"] as? [[String: Any]])?.first))
  }

  private func changes(_ value: Any?) -> [String] {
    (value as? [[String: Any]] ?? []).map { change in
      func text(_ value: Any?) -> String { value.map { $0 is NSNull ? "null" : "\($0)" } ?? "" }
      return "\(change["what"] as? String ?? ""): \(text(change["a"])) → \(text(change["b"]))"
    }
  }

  @Test("a model differs neither from itself nor from a copy with another layout")
  func same() throws {
    let bytes = Network().bytes()
    let (json, same) = try graph(bytes, bytes)
    #expect(json["identical"] as? Bool == true && json["same_bytes"] as? Bool == true)
    #expect(same["same_operators"] as? Int == 3 && (same["operators"] as? [Any])?.count == 1)
    #expect(try diff(bytes, bytes).output.contains("the files are the same, byte for byte"))
    let padded = try diff(bytes, bytes + [0, 0, 0, 0])
    #expect(padded.status == 0 && padded.output.contains("nothing differs but how the files are laid out"))
  }

  @Test(
    "finds added and removed operators, and keeps later operators paired, for any tensor names")
  func operators() throws {
    for names in [["x", "product", "sum", "y"], ["i", "a", "b", "o"]] {
      let (json, graph) = try graph(Network().bytes(), Network(names: names, hasBias: false).bytes())
      #expect(json["identical"] as? Bool == false)
      let steps = try #require(graph["operators"] as? [[String: Any]])
      #expect(steps.map { $0["step"] as? String } == ["same", "removed", "changed"], "\(names)")
      #expect((steps[1]["operator"] as? [String: Any])?["op"] as? String == "ADD" && steps[1]["a"] as? Int == 1)
      #expect(steps[2]["a"] as? Int == 2 && steps[2]["b"] as? Int == 1)
      #expect(changes(steps[2]["changes"]).count == 1, "it reads another tensor")
      #expect(changes(graph["kinds"]) == ["ADD: 1 → null"])
      #expect(graph["only_a_tensors"] as? Int == 2 && graph["only_b_tensors"] as? Int == 0)
      #expect(graph["renamed_tensors"] as? Int == (names[0] == "x" ? 0 : 3))
    }
    let added = try graph(Network(hasBias: false).bytes(), Network().bytes()).graph
    #expect((added["operators"] as? [[String: Any]])?.map { $0["step"] as? String } == ["same", "added", "changed"])
  }

  @Test("options are listed by name")
  func options() throws {
    let graph = try graph(Network().bytes(), Network(isFused: true).bytes()).graph
    let steps = try #require(graph["operators"] as? [[String: Any]])
    #expect(changes(steps[0]["changes"]) == ["fused_activation_function: NONE → RELU"])
    let text = try difference(Network().bytes(), Network(isFused: true).bytes()).text
    #expect(text.contains("  ~ #0 → #0 MUL (RELU) 'product': fused_activation_function NONE → RELU\n"), "\(text)")
  }

  @Test("different constants are listed with the share of different elements and the largest difference")
  func constants() throws {
    let graph = try graph(Network().bytes(), Network(weights: [1, 2.5, 3, 1]).bytes()).graph
    #expect(graph["compared_constants"] as? Int == 2 && graph["differing_constants"] as? Int == 1)
    let constant = try #require((graph["constants"] as? [[String: Any]])?.first)
    #expect(constant["name"] as? String == "weights" && constant["compared"] as? String == "values")
    #expect(constant["differing"] as? Int == 2 && constant["share"] as? Double == 0.5)
    #expect(constant["max_abs"] as? Double == 3 && constant["values_b"] as? String == "1.0, 2.5, 3.0, 1.0")
    let infinite = try self.graph(Network().bytes(), Network(weights: [1, .infinity, .nan, 4]).bytes()).graph
    let other = try #require((infinite["constants"] as? [[String: Any]])?.first)
    #expect(other["differing"] as? Int == 2 && other["max_abs"] is NSNull)
    let same = try self.graph(Network(weights: [.nan, 0, 0, 0]).bytes(), Network(weights: [.nan, -0.0, 0, 0]).bytes())
    #expect(same.graph["differing_constants"] as? Int == 0, "not a number is not a number, and 0 is -0")
  }

  @Test("quantized constants are compared by their real values, per channel, also across types")
  func quantized() throws {
    func model(_ name: String = "weights", _ add: (inout TestGraph) -> Int) -> [UInt8] {
      var graph = TestGraph()
      let x = graph.input(.float32, [2, 2])
      let weights = add(&graph)
      graph.name(weights, name)
      graph.add(.mul, [x, weights], [graph.output(.float32, [2, 2])])
      return TestGraph.bytes([graph])
    }
    let float = model { graph in graph.constant([Float(1), 2, 30, 40], shape: [2, 2]) }
    let codes = model("codes") { graph in
      let index = graph.constant([Int8(10), 20, 3, 5], shape: [2, 2])
      graph.quantize(index, QuantizationParameters(scales: [0.125, 8], zeroPoints: [2, 0], axis: 0))
      return index
    }
    let (_, graph) = try graph(float, codes)
    let constant = try #require((graph["constants"] as? [[String: Any]])?.first)
    // The quantized values represent 1, 2.25, 24, and 40.
    #expect(constant["differing"] as? Int == 2 && constant["max_abs"] as? Double == 6)
    let tensor = try #require(
      (graph["tensors"] as? [[String: Any]])?.first { $0["name_b"] as? String == "codes" })
    #expect(tensor["name_a"] as? String == "weights")
    let told = changes(tensor["changes"])
    #expect(told.contains("type: float32 → int8") && told.contains("quantized_dimension: null → 0"), "\(told)")
    let text = model { $0.constant(bytes: [1, 2], of: .int4, shape: [2, 2]) }
    let other = model { $0.constant(bytes: [1, 3], of: .int4, shape: [2, 2]) }
    let packed = try #require((try self.graph(text, other).graph["constants"] as? [[String: Any]])?.first)
    #expect(packed["compared"] as? String == "bytes" && packed["share"] as? Double == 0.5)
    let shaped = model { $0.constant([Float(1), 2], shape: [1, 2]) }
    let reshaped = try #require((try self.graph(float, shaped).graph["constants"] as? [[String: Any]])?.first)
    #expect(reshaped["compared"] as? String == "incomparable" && reshaped["share"] is NSNull)
  }

  @Test("inputs, shapes, signatures, metadata, and sizes are listed")
  func whole() throws {
    let metadata = FlatValue.file(root: [0: .string("Net"), 2: .string("7")], identifier: "M001")
    let other = Network(weights: [1, 2, 3, 4, 5], size: 5, names: ["x", "product", "sum", "z"], description: metadata)
    let (json, graph) = try graph(Network().bytes(), other.bytes())
    let ports = changes(graph["inputs_outputs"])
    #expect(ports.contains("output 0 name: y → z") && ports.contains { $0.hasPrefix("input 0 shape: ") }, "\(ports)")
    #expect(changes(json["metadata"]).contains("metadata.name: null → Net"))
    #expect(changes(json["facts"]).contains("operators: 3 → 3"))
    #expect(changes(json["facts"]).contains { $0.hasPrefix("size_bytes: ") } && changes(json["signatures"]).isEmpty)
    var second = TestGraph.binary(.add)
    second.addSignature(
      "more", inputs: [(name: "p", tensor: 0), (name: "q", tensor: 1)], outputs: [(name: "r", tensor: 2)])
    let signatures = try self.graph(Network().bytes(), TestGraph.bytes([second])).all["signatures"]
    #expect(changes(signatures).count == 6 && changes(signatures).contains("signature.run.subgraph: 0 → null"))
    let pair = try difference(TestGraph.bytes([.binary(.add)]), TestGraph.bytes([.binary(.add), .binary(.sub)])).text
    #expect(pair.contains("subgraph 1 '': only in B, 1 operators"), "\(pair)")
  }

  @Test("models that cannot be run are compared too, and custom options by their bytes")
  func unsupported() throws {
    func model(_ options: [UInt8]) -> [UInt8] {
      var graph = TestGraph()
      let x = graph.input(.float32, [1])
      graph.add(custom: "Unheard", [x], [graph.output(.float32, [1])], options: options)
      return TestGraph.bytes([graph])
    }
    let (json, graph) = try graph(model([1, 2, 3]), model([1, 2, 4]))
    #expect(json["identical"] as? Bool == false && changes(json["facts"]).contains("supported: 0 → 0"))
    let steps = try #require(graph["operators"] as? [[String: Any]])
    #expect(changes(steps[0]["changes"]) == ["custom_options: 3 bytes → other bytes"])
  }

  @Test("models with 1000 operators are compared after removals and additions")
  func large() throws {
    func model(without: Set<Int>, named prefix: String) -> [UInt8] {
      var graph = TestGraph()
      var last = graph.input(.float32, [1])
      for index in 0..<1000 where !without.contains(index) {
        let next = graph.tensor(.float32, [1])
        graph.name(next, "\(prefix)\(index)")
        graph.add(index % 3 == 0 ? .abs : index % 3 == 1 ? .neg : .exp, [last], [next])
        last = next
      }
      graph.addOutput(last)
      return TestGraph.bytes([graph])
    }
    let first = model(without: [200, 201], named: "n")
    for prefix in ["n", "other"] {
      let graph = try graph(first, model(without: [450, 451, 750], named: prefix)).graph
      #expect(graph["operator_count_a"] as? Int == 998 && graph["operator_count_b"] as? Int == 997)
      let steps = try #require(graph["operators"] as? [[String: Any]])
      func count(_ step: String) -> Int { steps.count { $0["step"] as? String == step } }
      // Without names, only the order of operator kinds is left, which fewer steps than the actual ones can explain.
      #expect(count("removed") - count("added") == 1 && count("removed") <= 3, "\(prefix)")
      #expect(prefix == "other" || count("removed") == 3, "\(prefix)")
    }
  }

  @Test("an invalid pair of models is an error in one line, and no page is written")
  func refuses() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(Network().bytes(), to: "m.tflite"), page = folder.path("p.html")
    let broken = try folder.write(Array(Network().bytes().dropLast(200)), to: "broken.tflite")
    let empty = try folder.write([], to: "empty.tflite")
    for (words, status) in [
      ([model], 2), ([model, model, model], 2), ([model, broken], 1), ([empty, model], 1),
      ([model, folder.path("none.tflite")], 1), ([folder.path("."), model], 1),
    ] {
      let result = try Tool.run(["inspect", "--diff", "--html", page] + words)
      #expect(result.status == Int32(status) && result.output.isEmpty, "\(words)")
      #expect(result.error.hasPrefix("error: ") && result.error.filter { $0 == "\n" }.count == 1, "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: page))
    #expect(try Tool.run("inspect", model, model).status == 2)
  }

  @Test("names that control a terminal do not reach it, nor a page")
  func hostileNames() throws {
    let folder = try TemporaryFolder()
    let files = [
      try folder.write(HostileNameTests.model, to: "a.tflite"),
      try folder.write(HostileNameTests.unknown, to: "b.tflite"),
    ]
    let page = folder.path("p.html")
    let result = try Tool.run(["inspect", "--diff", "--report", page] + files)
    #expect(result.status == 0)
    for text in [result.output, try String(contentsOfFile: page, encoding: .utf8)] {
      #expect(text.contains("evil") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }
  }
}
