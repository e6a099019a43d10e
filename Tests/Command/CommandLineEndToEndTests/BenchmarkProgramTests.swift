import Foundation
import SwiftletTestSupport
import Testing

@Suite("Benchmark program")
struct BenchmarkProgramTests {
  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, program: "swiftlet-benchmarks")
  }

  /// Writes a model that computes x + x.
  private func model(in folder: TemporaryFolder) throws -> String {
    var graph = TestGraph()
    let x = graph.input(.float32, [2, 3])
    let result = graph.output(.float32, [2, 3])
    graph.add(.add, [x, x], [result])
    return try folder.write(TestGraph.bytes([graph]), to: "add.tflite")
  }

  /// Writes a program that responds like the Python processes of peers: a run takes 1000 ms in LiteRT and MediaPipe,
  /// 500 ms in OpenVINO, and MNN rejects all models. Engines in `missing` can't start, and those in `dying` end in a
  /// run.
  private func peer(in folder: TemporaryFolder, missing: String = "none", dying: String = "none") throws -> String {
    let script = """
      #!/bin/sh
      case $2 in
        \(missing)) echo '{"error":"no module"}'; exit ;;
      esac
      echo '{"version":"'$2' 1"}'
      while read -r request; do
        case $2,$request in
          mnn,*) echo '{"error":"no such operator"}' ;;
          *'"load"'*) echo '{"load_ms":1,"first_ms":1,"memory_bytes":1000}' ;;
          \(dying),*) exit 7 ;;
          openvino,*) echo '{"times_ms":[500,500,500]}' ;;
          *) echo '{"times_ms":[1000,1000,1000]}' ;;
        esac
      done
      """
    let path = try folder.write(Array(script.utf8), to: "peer")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func report(_ path: String) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
  }

  @Test("measures a model alternating with all peers, and writes table, JSON, and chart")
  func comparesModels() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json"), chart = folder.path("c.svg")
    let result = try run(
      "--suite", "models", "--models", try model(in: folder), "--threads", "1,2", "--seconds", "0.01", "--peers",
      try peer(in: folder),
      "--json", json, "--chart", chart)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("add") && result.error.contains("[2/2] add.tflite, 2 threads"))
    let report = try report(json)
    #expect(report["peers"] as? [String] == ["litert 1", "openvino 1", "mnn 1"])
    let models = try #require(report["models"] as? [[String: Any]])
    #expect(models.map { $0["threads"] as? Int } == [1, 2])
    for model in models {
      let ours = try #require(model["swiftlet"] as? [String: Any])
      let median = try #require(ours["median_ms"] as? Double)
      #expect((ours["memory_bytes"] as? Int ?? 0) > 0 && (ours["first_ms"] as? Double ?? 0) > 0)
      let peers = try #require(model["peers"] as? [String: [String: Any]])
      for (name, time) in [("litert", 1000.0), ("openvino", 500)] {
        let result = try #require(peers[name]?["result"] as? [String: Any])
        let ratio = try #require(peers[name]?["ratio"] as? Double)
        #expect(result["median_ms"] as? Double == time && abs(ratio * median - time) < 1e-6)
      }
      // The cold start is that of the first peer.
      #expect(peers["litert"]?["start_ratio"] is Double && peers["openvino"]?["start_ratio"] is NSNull)
      #expect(peers["mnn"]?["error"] as? String == "no such operator" && peers["mnn"]?["ratio"] is NSNull)
      #expect(model["faster_peer"] as? String == "openvino")
      #expect(model["ratio"] as? Double == peers["openvino"]?["ratio"] as? Double)
    }
    let groups = try #require(report["model_classes"] as? [[String: Any]])
    let means = try #require(groups.first?["peers"] as? [String: [String: Any]])
    #expect(means["openvino"]?["ratio"] as? Double == groups.first?["ratio"] as? Double)
    #expect(means["openvino"]?["models"] as? Int == 1 && means["mnn"]?["models"] as? Int == 0)
    let document = try XMLText(path: chart)
    #expect(document.isWellFormed && document.text.contains("add"))
  }

  @Test("measures models that no peer can run, and reports the reason")
  func reportsRefusal() throws {
    let folder = try TemporaryFolder()
    let result = try run(
      "--suite", "models", "--models", try model(in: folder), "--threads", "1", "--seconds", "0.01",
      "--peers", try peer(in: folder), "--engines", "mnn")
    #expect(result.status == 0 && result.output.contains("MNN: no such operator"))
    #expect(result.output.contains("not supported") && !result.output.contains("LiteRT"))
  }

  @Test("measures the other peers if one of them crashes in a run")
  func reportsCrash() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run(
      "--suite", "models", "--models", try model(in: folder), "--threads", "1", "--seconds", "0.01",
      "--peers", try peer(in: folder, dying: "openvino"), "--engines", "openvino,litert", "--json", json)
    #expect(result.status == 0, "\(result.error)")
    let model = try #require((try report(json)["models"] as? [[String: Any]])?.first)
    let peers = try #require(model["peers"] as? [String: [String: Any]])
    #expect(peers["openvino"]?["error"] as? String == "the peer's process ended with status 7")
    #expect(model["faster_peer"] as? String == "litert" && peers.count == 2)
  }

  @Test("skips peers that the Python environment lacks, unless they are named")
  func reportsMissingPeer() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let peer = try peer(in: folder, missing: "openvino")
    let words = ["--suite", "models", "--models", try model(in: folder), "--threads", "1", "--seconds", "0.01"]
    let result = try Tool.run(words + ["--peers", peer, "--json", json], program: "swiftlet-benchmarks")
    #expect(result.status == 0 && result.error.contains("OpenVINO isn't measured: no module"))
    #expect(try report(json)["peers"] as? [String] == ["litert 1", "mnn 1"])
    let named = try Tool.run(words + ["--peers", peer, "--engines", "openvino"], program: "swiftlet-benchmarks")
    #expect(named.status != 0 && named.error.contains("no module"))
  }

  @Test("fails after measuring the others if a model cannot be run")
  func reportsBrokenModel() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.write([1, 2, 3], to: "broken.tflite")
    let result = try run(
      "--suite", "models", "--models", broken, "--models", try model(in: folder), "--threads", "1", "--seconds", "0.01")
    #expect(result.status == 1)
    #expect(result.error.contains("error: \(broken): ") && result.output.contains("add"))
  }

  @Test("measures operators relative to the machine's peaks")
  func measuresKernels() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run("--suite", "kernels", "--filter", "matrix 64×64×64", "--seconds", "0.01", "--json", json)
    #expect(result.status == 0, "\(result.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    let kernels = try #require(report["kernels"] as? [[String: Any]])
    #expect(kernels.map { $0["operator"] as? String } == ["float32", "int8", "uint8"].map { "matrix 64×64×64 \($0)" })
    #expect(
      kernels.allSatisfy { ($0["share_of_peak"] as? Double ?? 0) > 0 && $0["multiply_adds"] as? Int == 64 * 64 * 64 })
    let peaks = try #require(report["peaks"] as? [String: Any])
    #expect((peaks["float32_gflops"] as? Double ?? 0) > 0 && (peaks["bytes_gops"] as? Double ?? 0) > 0)
  }

  @Test("measures random shapes, summarizes their shares of the peak, and lists the lowest")
  func measuresShapes() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run(
      "--suite", "shapes", "--filter", "product int8", "--count", "3", "--seed", "7", "--seconds", "0.01", "--json",
      json)
    #expect(result.status == 0, "\(result.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    let shapes = try #require(report["shapes"] as? [[String: Any]])
    #expect(shapes.count == 3 && shapes.allSatisfy { $0["type"] as? String == "int8" && $0["threads"] as? Int == 1 })
    for shape in shapes {
      let name = try #require(shape["shape"] as? String)
      #expect((shape["share"] as? Double ?? 0) > 0 && (shape["implementation"] as? String)?.isEmpty == false)
      // Once when it is measured, once in the list.
      #expect(result.output.components(separatedBy: "\n\(name)").count == 3)
    }
    let groups = try #require(report["shape_groups"] as? [[String: Any]])
    #expect(groups.first?["draws"] as? Int == 3 && (report["call_us"] as? Double ?? 0) > 0)
  }

  @Test(
    "measures every task from image to result, and summarizes the ratios to a peer",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func measuresTasks() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run(
      "--suite", "tasks", "--filter", "burger.jpg", "--threads", "1", "--seconds", "0.01", "--peers",
      try peer(in: folder), "--json", json)
    #expect(result.status == 0, "\(result.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    let tasks = try #require(report["tasks"] as? [[String: Any]])
    #expect(Set(tasks.compactMap { $0["task"] as? String }) == ["embedding", "classification"])
    #expect(tasks.allSatisfy { ($0["ratio"] as? Double ?? 0) > 0 && ($0["median_ms"] as? Double ?? 0) > 0 })
    #expect(result.output.contains("\nembedding ") && result.output.contains("lowest"))
  }

  @Test(
    "sends frames through live streams and counts results and memory",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func soaks() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run(
      "--suite", "soak", "--filter", "mobilenet_v1_0.25", "--threads", "1", "--frames", "40", "--json", json)
    #expect(result.status == 0, "\(result.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    let streams = try #require(report["live_streams"] as? [[String: Any]])
    #expect(streams.count == 1 && streams[0]["frames"] as? Int == 40)
    let results = try #require(streams[0]["results"] as? Int), dropped = try #require(streams[0]["dropped"] as? Int)
    #expect(results + dropped == 40 && results >= 28)
    #expect(streams[0]["memory_growth_bytes"] is Int)
  }

  @Test("simulates more threads than the machine has")
  func scales() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run(
      "--suite", "scaling", "--models", try model(in: folder), "--threads", "1,16,128", "--seconds", "0.01", "--json",
      json)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("128 threads: ") && !result.output.contains("\n1 threads: "))
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    #expect((report["handover_ns"] as? Double ?? -1) >= 0)
    let scaling = try #require(report["scaling"] as? [[String: Any]])
    let teams = try #require(scaling.first?["teams"] as? [[String: Any]])
    #expect(teams.map { $0["threads"] as? Int } == [16, 128])
    // A model of six elements is one tile.
    #expect(teams.allSatisfy { ($0["simulated"] as? Double ?? 0) > 0 })
  }

  @Test("runs every kind of work of the mixed soak with right results, and gives no verdict within seconds")
  func soaksMixed() throws {
    let folder = try TemporaryFolder()
    let json = folder.path("r.json")
    let result = try run("--suite", "mixed-soak", "--minutes", "0.03", "--threads", "6", "--json", json)
    #expect(result.status == 0, "\(result.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json))) as? [String: Any])
    let soak = try #require(report["mixed_soak"] as? [String: Any])
    let work = try #require(soak["work"] as? [[String: Any]])
    #expect(work.count == (TestData.isAvailable ? 14 : 13) && work.allSatisfy { ($0["count"] as? Int ?? 0) > 0 })
    #expect(soak["is_judged"] as? Bool == false && soak["threads"] as? Int == 6)
    #expect(result.output.contains("not judged") && result.output.contains("resident memory, MB"))
    let empty = try run("--suite", "mixed-soak", "--minutes", "0.01", "--filter", "no such work")
    #expect(empty.status == 2, "\(empty.status): \(empty.error)")
  }

  @Test(
    "reports errors in one line with the arguments",
    arguments: [
      ["--suite", "model"], ["--threads", "0"], ["--threads", "1,,2"], ["--seconds", "0"], ["--peers", "/none"],
      ["--engines", "litert"], ["--engines", "litert,none", "--peers", "/bin/sh"],
      ["--models", "/none"],
      ["--isa", "none"], ["--numerics", "exact"], ["--frames", "0"], ["--count", "0"], ["--seed", "-1"],
      ["--minutes", "0"],
      ["--suite", "mixed-soak", "--threads", "1,2"], ["--unknown"], ["operand"], ["--filter", "nothing has this name"],
    ])
  func refuses(arguments: [String]) throws {
    let result = try Tool.run(arguments, program: "swiftlet-benchmarks")
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.hasPrefix("error: usage: ") && result.error.filter { $0 == "\n" }.count == 1)
  }

  @Test("explains itself")
  func help() throws {
    let result = try run("--help")
    #expect(result.status == 0 && result.output.hasPrefix("usage: swiftlet-benchmarks [OPTION…]\n"))
  }
}

/// An XML document, for checking that it is well-formed.
private struct XMLText {
  let text: String
  let isWellFormed: Bool

  init(path: String) throws {
    text = try String(contentsOfFile: path, encoding: .utf8)
    // Every tag is closed in order.
    var open: [Substring] = []
    var isBalanced = true
    for match in text.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if !match.1.isEmpty {
        isBalanced = isBalanced && open.popLast() == match.2
      } else if match.3.isEmpty {
        open.append(match.2)
      }
    }
    isWellFormed = isBalanced && open.isEmpty && text.hasPrefix("<svg ")
  }
}
