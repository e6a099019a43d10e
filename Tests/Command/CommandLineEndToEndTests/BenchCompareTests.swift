import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

@Suite("bench --compare")
struct BenchCompareTests {
  /// Returns a result as `bench --json` writes it.
  private static func result(
    _ model: String, _ runs: [Double], threads: Int = 2, isa: String = "avx2", numerics: String = "fast"
  ) -> String {
    let sorted = runs.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return """
      {"model":"\(model)","threads":\(threads),"load_ms":1,"first_ms":2,"median_ms":\(median),"min_ms":\(sorted[0]),
       "p95_ms":\(sorted[sorted.count - 1]),"runs":\(runs.count),"isa":"\(isa)","precision":"full",
       "numerics":"\(numerics)","checked":false,"warmup":3,"runs_ms":\(runs)}
      """
  }

  private static func document(_ results: [String], version: String = "0.2.0") -> [UInt8] {
    Array(
      """
      {"version":"\(version)","date":"2026-11-23T10:00:00Z","machine":{"processor":"P","cores":2,"system":"S"},
       "results":[\(results.joined(separator: ","))]}
      """.utf8)
  }

  private static func steady(_ time: Double, count: Int = 20) -> [Double] {
    (0..<count).map { time + Double($0 % 2) / 100 }
  }

  private func compare(_ first: [UInt8], _ second: [UInt8], _ options: String...) throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let files = [try folder.write(first, to: "a.json"), try folder.write(second, to: "b.json")]
    return try Tool.run(["bench", "--compare"] + files + options)
  }

  /// Returns the comparison of two files, computed in this process.
  private func comparison(_ first: [UInt8], _ second: [UInt8], threshold: Double? = nil) throws -> MeasurementComparison
  {
    let folder = try TemporaryFolder()
    return MeasurementComparison(
      try MeasurementFile(folder.write(first, to: "a.json")), try MeasurementFile(folder.write(second, to: "b.json")),
      threshold: threshold)
  }

  private func json(_ comparison: MeasurementComparison) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(comparison.json.text.utf8)) as? [String: Any])
  }

  @Test("prints ratios, noise, the geometric mean, and the models in only one file")
  func compares() throws {
    let first = Self.document([
      Self.result("m/slower.tflite", Self.steady(10)), Self.result("m/faster.tflite", Self.steady(8)),
      // Slow at first, fast at the end: the true median is uncertain.
      Self.result("m/noisy.tflite", (0..<20).map { $0 < 8 ? 3 : 1 }), Self.result("m/old.tflite", [1]),
    ])
    let second = Self.document(
      [
        Self.result("n/faster.tflite", Self.steady(4)), Self.result("n/noisy.tflite", Self.steady(2)),
        Self.result("n/slower.tflite", Self.steady(20)), Self.result("n/new.tflite", [1]),
      ], version: "0.3.0")
    let json = try json(comparison(first, second))
    let models = try #require(json["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["slower.tflite", "faster.tflite", "noisy.tflite"])
    #expect(models.map { $0["verdict"] as? String } == ["slower", "faster", "within_noise"])
    let ratios = models.compactMap { $0["ratio"] as? Double }
    let expected = [20.005 / 10.005, 4.005 / 8.005, 2.005 / 1]
    #expect(zip(ratios, expected).allSatisfy { abs($0 - $1) < 1e-9 } && ratios.count == 3)
    let mean = try #require(json["geometric_mean"] as? Double)
    #expect(abs(mean - pow(expected[0] * expected[1] * expected[2], 1.0 / 3)) < 1e-9)
    #expect(json["only_a"] as? [String] == ["m/old.tflite"] && json["only_b"] as? [String] == ["n/new.tflite"])
    let conditions = try #require(json["conditions"] as? [[String: Any]])
    #expect(conditions.filter { $0["differs"] as? Bool == true }.map { $0["name"] as? String } == ["version"])
    let text = try comparison(first, second).text
    #expect(text.contains("differs: version 0.2.0 → 0.3.0\n") && text.contains("only in A: m/old.tflite\n"))
    #expect(text.contains("  n/slower.tflite  10.005  20.005  2.000"), "\(text)")
  }

  @Test("prints the differences between two machines")
  func conditions() throws {
    let first = Self.document([Self.result("m.tflite", [2, 2], threads: 1)])
    let second = Self.document([Self.result("m.tflite", [2, 2], threads: 4, isa: "neon", numerics: "bit-exact")])
    let text = try comparison(first, second).text
    for line in ["differs: threads 1 → 4\n", "differs: isa avx2 → neon\n", "differs: numerics fast → bit-exact\n"] {
      #expect(text.contains(line), "\(text)")
    }
    // A condition that a file doesn't record cannot be reported as equal.
    let old = Array(
      #"{"results":[{"model":"m.tflite","threads":1,"median_ms":2,"min_ms":1,"p95_ms":3,"runs":9}]}"#.utf8)
    #expect(try comparison(old, first).text.contains("not stated by both: version; processor; cores; system; isa;"))
  }

  @Test("the status is 1 if a model is slower by more than the threshold and the noise")
  func threshold() throws {
    let first = Self.document([Self.result("a.tflite", Self.steady(10)), Self.result("b.tflite", Self.steady(10))])
    let second = Self.document([Self.result("a.tflite", Self.steady(11)), Self.result("b.tflite", Self.steady(9))])
    let failed = try compare(first, second, "--threshold", "5")
    #expect(failed.status == 1 && failed.output.contains("geometric mean"))
    #expect(failed.error.hasPrefix("error: ") && failed.error.hasSuffix("by more than 5.0 %: a.tflite by 10.0 %\n"))
    #expect(try compare(first, second, "--threshold=12").status == 0)
    #expect(try compare(first, second).status == 0)
    #expect(try compare(second, first, "--threshold", "10.5").status == 1, "b is slower by a ninth")
    let noisy = Self.document([Self.result("a.tflite", (0..<20).map { $0 < 8 ? 8 : 11 })])
    let doubtful = try compare(first, noisy, "--threshold", "5")
    #expect(doubtful.status == 0 && doubtful.output.contains("a.tflite: slower by 9.9 %, but within the noise"))
    let json = try compare(first, second, "--threshold", "0", "--json")
    let slower = try json.json()["slower"] as? [String]
    #expect(json.status == 1 && slower == ["a.tflite"])
  }

  @Test("pairs models by path, then by name, and by threads if possible")
  func pairs() throws {
    func entry(_ model: String, _ threads: Int) -> String { Self.result(model, [1], threads: threads) }
    let first = Self.document([
      entry("x/a/m.tflite", 1), entry("x/a/m.tflite", 2), entry("x/b/m.tflite", 1), entry("x/one.tflite", 1),
      entry("x/one.tflite", 1), entry("p/same.tflite", 1), entry("q/same.tflite", 1),
    ])
    let second = Self.document([
      entry("y/b/m.tflite", 1), entry("y/a/m.tflite", 2), entry("y/a/m.tflite", 1), entry("z/one.tflite", 3),
      entry("r/same.tflite", 1),
    ])
    let json = try json(comparison(first, second))
    let models = try #require(json["models"] as? [[String: Any]])
    let paired = models.map { row in
      ["a", "b"].map { side in
        let entry = row[side] as? [String: Any]
        return "\(entry?["model"] as? String ?? "") \(entry?["threads"] as? Int ?? 0)"
      }
    }
    #expect(
      paired == [
        ["x/a/m.tflite 1", "y/a/m.tflite 1"], ["x/a/m.tflite 2", "y/a/m.tflite 2"],
        ["x/b/m.tflite 1", "y/b/m.tflite 1"],
        ["x/one.tflite 1", "z/one.tflite 3"],
      ])
    // Two models with the same name in different directories are ambiguous.
    #expect(json["only_a"] as? [String] == ["x/one.tflite", "p/same.tflite", "q/same.tflite"])
    #expect(json["only_b"] as? [String] == ["r/same.tflite"])
  }

  @Test("reads the output of bench and of the models suite")
  func realFiles() throws {
    let folder = try TemporaryFolder()
    var graph = TestGraph()
    let x = graph.input(.float32, [64])
    graph.add(.exp, [x], [graph.output(.float32, [64])])
    let model = try folder.write(TestGraph.bytes([graph]), to: "exp.tflite")
    let bench = try Tool.run("bench", model, "--runs", "12", "--threads", "1", "--json")
    let one = try folder.write(Array(bench.output.utf8), to: "bench.json")
    let suite = folder.path("suite.json")
    let measured = try Tool.run(
      ["--suite", "models", "--models", model, "--threads", "1", "--seconds", "0.01", "--json", suite],
      program: "swiftlet-benchmarks")
    #expect(measured.status == 0, "\(measured.error)")
    let page = folder.path("page.html")
    let result = try Tool.run("bench", "--compare", one, suite, "--json", "--report", page)
    #expect(result.status == 0, "\(result.error)")
    let row = try #require((try result.json()["models"] as? [[String: Any]])?.first)
    #expect((row["a"] as? [String: Any])?["spread"] as? String == "tenths")
    #expect((row["b"] as? [String: Any])?["spread"] as? String == "p10_p90")
    #expect((try PageData.read(page)["models"] as? [[String: Any]])?.count == 1)
    let same = try Tool.run("bench", "--compare", one, one, "--threshold", "0")
    #expect(same.status == 0 && same.output.contains("within noise"))
  }

  private static let good = result("m.tflite", [1, 2, 3])

  @Test(
    "an invalid measurement file is an error in one line",
    arguments: [
      ("", "is empty"), ("{", "is truncated"), ("[]", "not"), ("{}", #"neither the "results""#),
      (#"{"results":[]}"#, "no measurement"),
      (#"{"models":[{"model":"m","threads":1,"swiftlet":null}]}"#, "no measurement"), ("null", "is truncated"),
      ("\u{0}\u{1}\u{2}", "is truncated"),
      (String(String(decoding: document([good]), as: UTF8.self).dropLast(9)), "is truncated"),
      (#"{"results":[{"model":"m","threads":1,"median_us":9}]}"#, #"lacks "median_ms""#),
      (#"{"results":[\#(good.replacing(#""median_ms":2.0"#, with: #""median_ms":2000.0"#))]}"#, "not the median"),
      (#"{"results":[\#(good.replacing(#""runs":3"#, with: #""runs":4"#))]}"#, "there are 3 times"),
      (#"{"results":[\#(good.replacing("2.0", with: "NaN"))]}"#, "is truncated"),
      (#"{"results":[\#(good.replacing("2.0", with: "1e999"))]}"#, "is truncated"),
      (#"{"results":[\#(good.replacing("2.0", with: "\"2\""))]}"#, "results.[0].median_ms is not Double"),
      (#"{"results":[{"model":"m","threads":1,"median_ms":0,"min_ms":0,"p95_ms":0,"runs":1}]}"#, "above 0"),
      (#"{"results":[{"model":"m","threads":1,"median_ms":-1,"min_ms":-1,"p95_ms":-1,"runs":1}]}"#, "above 0"),
      (#"{"results":[{"model":"m","threads":1,"median_ms":5,"min_ms":1,"p95_ms":2,"runs":1}]}"#, "not between"),
      (
        #"{"results":[{"model":"m","threads":1,"median_ms":1.5,"min_ms":2,"p95_ms":1,"runs":1}]}"#,
        "is not a valid range"
      ),
    ])
  func refuses(text: String, reason: String) throws {
    let error = #expect(throws: ToolError.self) { try comparison(Self.document([Self.good]), Array(text.utf8)) }
    #expect(error?.file.hasSuffix("b.json") == true && error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test("rejects lists nested a hundred thousand deep")
  func refusesDeepLists() throws {
    try refuses(text: String(repeating: "[", count: 100_000), reason: "is truncated")
  }

  @Test("reports errors in one line with the arguments, and leaves no page")
  func usage() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.document([Self.good]), to: "a.json"), page = folder.path("p.html")
    for words in [
      ["--compare", file], ["--compare", file, file, file], ["--compare", file, file, "--runs", "3"],
      ["--compare", file, file, "--profile"], ["--threshold", "5", file],
      ["--compare", file, file, "--threshold", "-1"], ["--compare", file, file, "--html", page, "--report", page],
    ] {
      let result = try Tool.run(["bench"] + words)
      #expect(result.status == 2 && result.error.hasPrefix("error: usage: "), "\(words): \(result.error)")
    }
    for (words, part) in [
      (["--compare", file, folder.path("none.json")], "there is no such file"),
      (["--compare", file, folder.path(".")], "expected a file"),
    ] {
      let result = try Tool.run(["bench", "--html", page] + words)
      #expect(result.status == 1 && result.error.contains(part), "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  @Test("names that control a terminal do not reach it")
  func hostileNames() throws {
    let hostile = #"evil\u001b[2J\u202e\n.tflite"#
    let folder = try TemporaryFolder()
    let page = folder.path("p.html")
    let first = Self.document([Self.result(hostile, [1])], version: hostile)
    let result = try compare(
      first, Self.document([Self.result(hostile, [9])], version: "2"), "--threshold", "1", "--html", page)
    #expect(result.status == 1)
    for text in [result.output, result.error, try String(contentsOfFile: page, encoding: .utf8)] {
      #expect(text.contains("evil") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }
    #expect(result.error.filter { $0 == "\n" }.count == 1)
  }
}
