import SwiftletTestSupport
import Testing

@testable import SwiftletTool

@Suite("Files of measurements")
struct MeasurementFileTests {
  private func file(_ text: String) throws -> MeasurementFile {
    let folder = try TemporaryFolder()
    return try MeasurementFile(folder.write(Array(text.utf8), to: "f.json"))
  }

  private func reason(_ text: String) -> String {
    let error: ToolError? = thrownError { try file(text) }
    return error?.reason ?? "read"
  }

  private static func result(median: String, low: String, high: String, runs: String = "1", more: String = "") -> String
  {
    #"{"results":[{"model":"m","threads":1,"median_ms":\#(median),"min_ms":\#(low),"p95_ms":\#(high),"runs":\#(runs)\#(more)}]}"#
  }

  @Test("every condition comes from its own key")
  func fields() throws {
    let bench = try file(
      #"{"version":"V","date":"D","machine":{"processor":"P","cores":7,"system":"S"},"results":[{"model":"m","threads":3,"#
        + #""median_ms":2,"min_ms":1,"p95_ms":4,"runs":9,"isa":"I","numerics":"N","precision":"R","checked":true}]}"#)
    #expect(
      bench.version == "V" && bench.date == "D" && bench.processor == "P" && bench.cores == 7 && bench.system == "S")
    let entry = try #require(bench.entries.first)
    #expect(entry.model == "m" && entry.threads == 3 && entry.runCount == 9 && entry.spread == .extremes)
    #expect(entry.median == 2 && entry.low == 1 && entry.high == 4)
    #expect(entry.instructionSet == "I" && entry.numerics == "N" && entry.precision == "R" && entry.isChecked == true)
    let suite = try file(
      #"{"isa":"I","numerics":"N","precision":"R","models":[{"model":"no","threads":1,"swiftlet":null},"#
        + #"{"model":"m","threads":3,"swiftlet":{"median_ms":2,"p10_ms":1.5,"p90_ms":3,"runs":9}}]}"#)
    #expect(
      suite.version == nil && suite.date == nil && suite.processor == nil && suite.cores == nil && suite.system == nil)
    #expect(suite.entries.count == 1)
    let other = try #require(suite.entries.first)
    #expect(other.model == "m" && other.threads == 3 && other.runCount == 9 && other.spread == .percentiles)
    #expect(other.median == 2 && other.low == 1.5 && other.high == 3)
    #expect(other.instructionSet == "I" && other.numerics == "N" && other.precision == "R" && other.isChecked == nil)
  }

  @Test("the spread of ordered runs is the spread of the medians of tenths")
  func tenths() throws {
    func entry(_ times: [Double], median: Double) throws -> MeasurementFile.Entry {
      let text = Self.result(
        median: "\(median)", low: "0", high: "0", runs: "\(times.count)", more: #","runs_ms":\#(times)"#)
      return try #require(try file(text).entries.first)
    }
    // Twenty runs make tenths of two: 1, 3 | 5, 5 | … | 7, 11.
    let twenty = try entry([1, 3] + [Double](repeating: 5, count: 16) + [7, 11], median: 5)
    #expect(twenty.low == 2 && twenty.high == 9 && twenty.spread == .tenths)
    // Fewer than ten runs: a part for each. Eleven runs: the last part has two.
    let three = try entry([4, 9, 6], median: 6)
    #expect(three.low == 4 && three.high == 9)
    let eleven = try entry([2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 7], median: 2)
    #expect(eleven.low == 2 && eleven.high == 5)
    let one = try entry([4], median: 4)
    #expect(one.low == 4 && one.high == 4)
  }

  @Test("the stated median may differ from the runs' median by a millionth")
  func statedMedian() {
    let runs = #","runs_ms":[1000000,1000000]"#
    func reason(_ median: String) -> String {
      self.reason(Self.result(median: median, low: "0", high: "0", runs: "2", more: runs))
    }
    #expect(reason("1000000.9") == "read" && reason("999999.1") == "read")
    #expect(reason("1000001.1") == #"results.[0]: "median_ms" is not the median of "runs_ms""#)
    #expect(reason("999998.9") == #"results.[0]: "median_ms" is not the median of "runs_ms""#)
    #expect(
      self.reason(Self.result(median: "1", low: "0", high: "0", runs: "0", more: #","runs_ms":[]"#))
        == #"results.[0]: "runs" is 0, but there are 0 times in "runs_ms""#)
  }

  @Test("medians are from a millionth of a nanosecond to thirty years")
  func medianLimits() {
    func reason(_ time: String) -> String { self.reason(Self.result(median: time, low: "0", high: "1e300")) }
    #expect(reason("1e-9") == "read" && reason("1e12") == "read")
    #expect(reason("9e-10") == #"results.[0]: "median_ms" is 9e-10, expected milliseconds above 0"#)
    #expect(reason("1.1e12") == #"results.[0]: "median_ms" is 1100000000000.0, expected milliseconds above 0"#)
  }

  @Test("a spread is a range of times from 0, with the median in it")
  func spreadLimits() {
    func reason(_ low: String, _ median: String, _ high: String) -> String {
      self.reason(Self.result(median: median, low: low, high: high))
    }
    #expect(reason("2", "2", "2") == "read" && reason("0", "2", "3") == "read")
    #expect(reason("-1", "2", "3") == "results.[0]: the spread of the runs, -1.0 to 3.0 ms, is not a valid range")
    #expect(reason("3", "2", "1") == "results.[0]: the spread of the runs, 3.0 to 1.0 ms, is not a valid range")
    #expect(reason("2.1", "2", "3") == "results.[0]: the median, 2.0 ms, is not between 2.1 and 3.0 ms")
    #expect(reason("1", "2", "1.9") == "results.[0]: the median, 2.0 ms, is not between 1.0 and 1.9 ms")
    let suite = #"{"models":[{"model":"m","threads":1,"swiftlet":{"median_ms":4,"p10_ms":1,"p90_ms":3,"runs":9}}]}"#
    #expect(self.reason(suite) == "models.[0].swiftlet: the median, 4.0 ms, is not between 1.0 and 3.0 ms")
  }

  // MARK: Comparisons

  private static func measured(_ model: String, _ low: Double, _ median: Double, _ high: Double) -> String {
    #"{"model":"\#(model)","threads":1,"median_ms":\#(median),"min_ms":\#(low),"p95_ms":\#(high),"runs":9}"#
  }

  private func compare(_ first: [String], _ second: [String], threshold: Double? = nil) throws -> MeasurementComparison
  {
    func document(_ results: [String]) -> String { #"{"results":[\#(results.joined(separator: ","))]}"# }
    return MeasurementComparison(try file(document(first)), try file(document(second)), threshold: threshold)
  }

  @Test("a difference only counts if the spreads are disjoint")
  func verdicts() throws {
    let first = Self.measured("m", 10, 12, 14)
    func verdict(_ low: Double, _ median: Double, _ high: Double) throws -> MeasurementComparison.Row.Verdict? {
      try compare([first], [Self.measured("m", low, median, high)]).rows.first?.verdict
    }
    #expect(try verdict(5, 6, 9.9) == .faster && verdict(5, 6, 10) == .withinNoise)
    #expect(try verdict(14.1, 15, 16) == .slower && verdict(14, 15, 16) == .withinNoise)
  }

  @Test("a slowdown of the threshold passes, and more fails")
  func threshold() throws {
    let first = [Self.measured("m", 10, 10, 10)], second = [Self.measured("m", 15, 15, 15)]
    #expect(try compare(first, second, threshold: 50).tooSlow.isEmpty)
    #expect(try compare(first, second, threshold: 49.9).tooSlow.count == 1)
    #expect(try compare(first, second).tooSlow.isEmpty && compare(first, second).failure == nil)
    #expect(try compare(first, second, threshold: 50).failure == nil)
    let noisy = [Self.measured("m", 5, 15, 20)]
    let doubtful = try compare(first, noisy, threshold: 49)
    #expect(doubtful.tooSlow.isEmpty && doubtful.doubtful.count == 1 && doubtful.failure == nil)
  }

  @Test("lists up to five models that are too slow, and counts the others", arguments: [5, 6, 8])
  func failure(count: Int) throws {
    let names = (0..<count).map { "m\($0)" }
    let comparison = try compare(
      names.map { Self.measured($0, 10, 10, 10) }, names.map { Self.measured($0, 20, 20, 20) }, threshold: 1)
    let failure = try #require(comparison.failure)
    #expect(failure.contains(": slower than ") && failure.contains(" by more than 1.0 %: m0 by 100.0 %, m1 by 100.0 %"))
    #expect(failure.hasSuffix(count == 5 ? "m4 by 100.0 %" : "m4 by 100.0 %, and \(count - 5) more"))
  }

  @Test("prints ratio, spreads, and the models in only one file")
  func text() throws {
    let comparison = try compare(
      [Self.measured("d/a", 8, 10, 12), Self.measured("d/old", 1, 1, 1), Self.measured("d/older", 1, 1, 1)],
      [Self.measured("e/a", 14, 20, 25), Self.measured("e/new", 1, 1, 1)])
    let lines = comparison.text.split(separator: "\n").dropFirst(2)
    #expect(
      Array(lines) == [
        "not stated by both: version; processor; cores; system; isa; numerics; precision; checked", "same: threads 1",
        "  model    A ms    B ms  B ÷ A  spread A  spread B  ",
        "  e/a    10.000  20.000  2.000    40.0 %    55.0 %  slower",
        "geometric mean of B ÷ A: 2.000 of 1 models; below 1 B is faster. "
          + "A difference counts where the spreads do not overlap.",
        "only in A: d/old, d/older", "only in B: e/new",
      ])
    let none = try compare([Self.measured("a", 1, 1, 1)], [Self.measured("b", 1, 1, 1)])
    #expect(none.geometricMean == nil && none.text.contains("no model is in both files\n"))
    #expect(!none.text.contains("geometric mean"))
  }

  @Test("JSON has both measurements, and names without the common directories")
  func json() throws {
    let comparison = try compare(
      [Self.measured("x/y/a", 8, 10, 12), Self.measured("x/z/b", 1, 2, 3)],
      [Self.measured("x/y/a", 14, 20, 25), Self.measured("x/z/b", 1, 2, 3)], threshold: 7)
    let text = comparison.json.text
    #expect(
      text.contains(
        #"{"model":"x/y/a","name":"y/a","a":{"model":"x/y/a","threads":1,"runs":9,"median_ms":10.0,"low_ms":8.0,"#
          + #""high_ms":12.0,"spread":"min_p95"},"b":{"model":"x/y/a","threads":1,"runs":9,"median_ms":20.0,"#
          + #""low_ms":14.0,"high_ms":25.0,"spread":"min_p95"},"ratio":2.0,"verdict":"slower"}"#))
    #expect(text.contains(#""name":"z/b""#) && text.contains(#""verdict":"within_noise""#))
    #expect(text.contains(#""only_a":[],"only_b":[],"threshold_percent":7.0,"slower":["x/y/a"]}"#))
    #expect(text.contains(#""conditions":[{"name":"version","a":null,"b":null,"differs":null}"#))
    #expect(text.contains(#"{"name":"threads","a":"1","b":"1","differs":false}"#))
  }
}
