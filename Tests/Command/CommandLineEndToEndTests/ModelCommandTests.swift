import Foundation
import SwiftletGolden
import SwiftletTestSupport
import Testing

@Suite("Model commands")
struct ModelCommandTests {
  /// Writes a model that computes x + y, with broadcasting.
  private func write(_ folder: TemporaryFolder) throws -> String {
    var graph = TestGraph()
    let x = graph.input(.float32, [2, 3])
    let y = graph.input(.float32, [3])
    let result = graph.output(.float32, [2, 3])
    graph.add(.add, [x, y], [result])
    return try folder.write(TestGraph.bytes([graph]), to: "add.tflite")
  }

  private func npy(_ values: [Float], _ shape: [Int]) throws -> [UInt8] {
    try NPYFile.encode(GoldenTensor(elementType: .float32, shape: shape, bytes: values.withUnsafeBytes { [UInt8]($0) }))
  }

  @Test("inspect describes a model as JSON and as text")
  func inspect() throws {
    let folder = try TemporaryFolder()
    let model = try write(folder)
    let json = try Tool.run("inspect", model, "--json").json()
    #expect(json["version"] as? Int == 3)
    #expect(json["supported"] as? Bool == true)
    #expect(json["metadata"] is NSNull)
    let graph = try #require((json["subgraphs"] as? [[String: Any]])?.first)
    #expect(graph["operator_count"] as? Int == 1 && graph["tensor_count"] as? Int == 3)
    let input = try #require((graph["inputs"] as? [[String: Any]])?.first)
    #expect(input["shape"] as? [Int] == [2, 3] && input["dtype"] as? String == "float32")
    let node = try #require((graph["operators"] as? [[String: Any]])?.first)
    #expect(node["op"] as? String == "ADD" && node["count"] as? Int == 1)
    let kernel = try #require((json["kernels"] as? [[String: Any]])?.first)
    #expect(kernel["op"] as? String == "ADD" && kernel["count"] as? Int == 1)
    let words = try #require(kernel["kernel"] as? String)
    #expect(words.hasPrefix("vector arithmetic float32, "))
    let text = try Tool.run("inspect", model).output
    #expect(text.contains("1 × ADD version 1") && text.contains("1 × ADD: \(words)"))
  }

  @Test("inspect lists missing operators")
  func inspectUnsupported() throws {
    let folder = try TemporaryFolder()
    var graph = TestGraph()
    let x = graph.input(.float32, [1])
    let y = graph.output(.float32, [1])
    graph.add(custom: "Unheard", [x], [y])
    let model = try folder.write(TestGraph.bytes([graph]), to: "m.tflite")
    let result = try Tool.run("inspect", model, "--json")
    #expect(result.status == 0)
    let json = try result.json()
    #expect(json["supported"] as? Bool == false)
    #expect((json["unsupported"] as? [[String: Any]])?.first?["op"] as? String == "Unheard")
    let bench = try Tool.run("bench", model)
    #expect(bench.status == 1 && bench.error.contains("Unheard"))
  }

  @Test("inspect describes a model whose metadata cannot be read, with a warning")
  func inspectBrokenMetadata() throws {
    let folder = try TemporaryFolder()
    var graph = TestGraph()
    let x = graph.input(.float32, [1])
    let y = graph.output(.float32, [1])
    graph.add(.add, [x, x], [y])
    let model = try folder.write(TestGraph.bytes([graph], metadata: [1, 2, 3]), to: "m.tflite")
    let result = try Tool.run("inspect", model, "--json")
    #expect(result.status == 0 && result.error.contains("warning: \(model)"))
    let json = try result.json()
    #expect(json["supported"] as? Bool == true && json["metadata"] is NSNull)
  }

  @Test("run reads .npy and .bin, by name or in order, resizes, and writes .npy")
  func run() throws {
    let folder = try TemporaryFolder()
    let model = try write(folder)
    let x = try folder.write(npy((0..<8).map(Float.init), [2, 4]), to: "x.npy")
    let y = try folder.write(npy([10, 20, 30, 40], [4]), to: "y.npy")
    let out = folder.path("out")
    for inputs in [["--input", "t1=\(y)", "--input", "t0=\(x)"], [x, y], ["--input=\(x)", "t1=\(y)"]] {
      let json = try Tool.run(["run", model, "--output-dir", out, "--json"] + inputs).json()
      let output = try #require((json["outputs"] as? [[String: Any]])?.first)
      #expect(output["shape"] as? [Int] == [2, 4] && output["name"] as? String == "t2")
      let stored = try NPYFile.read(out + "/" + (try #require(output["file"] as? String)))
      #expect(stored.floatingPointValues == [10, 21, 32, 43, 14, 25, 36, 47])
    }
    let raw = try folder.write([UInt8](repeating: 0, count: 24), to: "x.bin")
    let bias = try folder.write([UInt8](repeating: 0, count: 12), to: "y.bin")
    #expect(try Tool.run("run", model, raw, bias, "--output-dir", out).status == 0)
    #expect(try Tool.run("run", model, raw, raw, "--output-dir", out).status == 1)
    #expect(try Tool.run("run", model, raw, "--output-dir", out).status == 2)
    #expect(try Tool.run("run", model, raw, bias, raw, "--output-dir", out).status == 2)
    #expect(try Tool.run("run", model, "nope=\(raw)", "--output-dir", out).status == 2)
    #expect(try Tool.run("run", model, x, raw, "--output-dir", out).status == 1)
  }

  @Test("bench reports times and memory, with a profile of every operator")
  func bench() throws {
    let folder = try TemporaryFolder()
    let model = try write(folder)
    let json = try Tool.run("bench", model, model, "--runs", "5", "--threads", "2", "--profile", "--json").json()
    let results = try #require(json["results"] as? [[String: Any]])
    #expect(results.count == 2)
    for key in [
      "load_ms", "first_ms", "median_ms", "min_ms", "p95_ms", "arena_bytes", "weights_bytes", "peak_rss_bytes",
    ] {
      #expect((results[0][key] as? Double).map { $0 >= 0 } == true, "\(key)")
    }
    #expect(results[0]["runs"] as? Int == 5 && results[0]["threads"] as? Int == 2)
    #expect((results[0]["runs_ms"] as? [Double])?.count == 5 && results[0]["numerics"] as? String == "fast")
    #expect(results[0]["checked"] as? Bool == false && results[0]["warmup"] as? Int == 3)
    let version = try Tool.run("--version").output.split(separator: " ").last.map { $0.dropLast() }
    #expect(json["version"] as? String == version.map(String.init))
    #expect(((json["machine"] as? [String: Any])?["cores"] as? Int ?? 0) > 0 && json["date"] is String)
    let operators = try #require(results[0]["operators"] as? [[String: Any]])
    #expect(operators.count == 1 && operators[0]["op"] as? String == "ADD")
    #expect((operators[0]["kernel"] as? String)?.hasPrefix("vector arithmetic float32, ") == true)
  }

  @Test("verify passes matching cases, fails others, and counts both")
  func verify() throws {
    let folder = try TemporaryFolder()
    _ = try write(folder)
    func values(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { [UInt8]($0) } }
    _ = try folder.write(values([1, 2, 3, 4, 5, 6]) + values([1, 1, 1]), to: "in.bin")
    _ = try folder.write(values([2, 3, 4, 5, 6, 7]), to: "right.bin")
    _ = try folder.write(values([2, 3, 4, 5, 6, 8]), to: "wrong.bin")
    func item(_ name: String) -> String {
      """
      {"name":"\(name)","image":null,"inputs":[
       {"index":0,"name":"t0","dtype":"float32","shape":[2,3],"storage":"raw","file":"in.bin","offset":0,"bytes":24},
       {"index":1,"name":"t1","dtype":"float32","shape":[3],"storage":"raw","file":"in.bin","offset":24,"bytes":12}],
       "outputs":[{"index":0,"name":"t2","dtype":"float32","shape":[2,3],"storage":"raw","file":"\(name).bin","offset":0,"bytes":24}]}
      """
    }
    let manifest = try folder.write(
      Array(
        "{\"format\":1,\"models\":[{\"model\":\"add.tflite\",\"cases\":[\(item("right")),\(item("wrong"))]}]}".utf8),
      to: "manifest.json")
    let result = try Tool.run("verify", manifest, "--models", folder.path("."), "--json")
    #expect(result.status == 1)
    let json = try result.json()
    #expect(json["passed"] as? Int == 1 && json["failed"] as? Int == 1)
    let cases = try #require(json["cases"] as? [[String: Any]])
    #expect(cases.map { $0["ok"] as? Bool } == [true, false])
    #expect(try Tool.run("verify", manifest, "--models", folder.path(".")).output.hasSuffix("1 passed, 1 failed\n"))
    #expect(try Tool.run("verify", manifest, "--only", "nothing").status == 2)
  }
}
