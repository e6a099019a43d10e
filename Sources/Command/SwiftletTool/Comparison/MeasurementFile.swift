import Foundation
import SwiftletBase
import SwiftletGolden
import SwiftletMeasurement

/// The output of `bench --json` or `swiftlet-benchmarks --suite models --json`, validated and in a common form.
///
/// Everything but the measurements can be absent: files of older versions don't record all conditions.
struct MeasurementFile {
  /// The measurement of one model. Times are in milliseconds.
  struct Entry {
    /// The meaning of the range from `low` to `high`.
    enum Spread: String {
      /// The medians of consecutive tenths of the runs, which also reveal a machine that gets slower or faster.
      case tenths
      /// From p10 to p90.
      case percentiles = "p10_p90"
      /// From the minimum to p95.
      case extremes = "min_p95"
    }

    var model: String
    var threads: Int
    var runCount: Int
    var median: Double
    var low: Double
    var high: Double
    var spread: Spread
    var instructionSet: String?
    var numerics: String?
    var precision: String?
    var isChecked: Bool?
  }

  let path: String
  let version: String?
  let date: String?
  let processor: String?
  let cores: Int?
  let system: String?
  let entries: [Entry]

  /// The maximum file size. Only the maximum number of models with a million runs each exceeds it; the usual number of
  /// runs needs a thousandth of that.
  private static let byteLimit = 64 << 20

  /// Reads a file.
  ///
  /// - Throws: `ToolError` with the problem and its position if the file isn't a measurement.
  init(_ path: String) throws {
    try InputFile.require(path)
    let bytes: ByteRegion
    do {
      bytes = try MappedFile.read(path, maximumByteCount: Self.byteLimit)
    } catch {
      throw ToolError(file: path, reason: error.message)
    }
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes.array))
    } catch let error as DecodingError {
      throw ToolError(file: path, reason: "is not 'bench --json' output, or is truncated: \(error.placeAndReason)")
    }
    self.path = path
    version = document.version
    date = document.date
    processor = document.machine?.processor
    cores = document.machine?.cores
    system = document.machine?.system
    entries = try Self.entries(of: document, path)
  }

  private static func entries(of document: Document, _ path: String) throws(ToolError) -> [Entry] {
    guard document.results != nil || document.models != nil else {
      throw ToolError(
        file: path,
        reason: "has neither the \"results\" of 'bench --json' nor the \"models\" of 'swiftlet-benchmarks --json'")
    }
    var entries: [Entry] = []
    for (index, result) in (document.results ?? []).enumerated() {
      entries.append(try entry(result, Place(path: path, name: "results.[\(index)]")))
    }
    for (index, model) in (document.models ?? []).enumerated() {
      // The file also has a row for a model that Swiftlet cannot run.
      guard let result = model.swiftlet else { continue }
      entries.append(try entry(model, result, document, Place(path: path, name: "models.[\(index)].swiftlet")))
    }
    guard !entries.isEmpty else { throw ToolError(file: path, reason: "has no measurement of a model") }
    return entries
  }

  private static func entry(_ result: Document.Result, _ place: Place) throws(ToolError) -> Entry {
    var entry = Entry(
      model: result.model, threads: result.threads, runCount: result.runs, median: result.median_ms,
      low: result.min_ms, high: result.p95_ms, spread: .extremes)
    entry.instructionSet = result.isa
    entry.numerics = result.numerics
    entry.precision = result.precision
    entry.isChecked = result.checked
    if let times = result.runs_ms {
      guard times.count == result.runs, !times.isEmpty else {
        throw place.error("\"runs\" is \(result.runs), but there are \(times.count) times in \"runs_ms\"")
      }
      // The times and the median come from the same numbers. If they differ, one of them is wrong or in another unit.
      guard abs(Sample(times).median - result.median_ms) <= 1e-6 * abs(result.median_ms) else {
        throw place.error("\"median_ms\" is not the median of \"runs_ms\"")
      }
      let medians = Sample(tenths(times).map { Sample($0).median })
      entry.low = medians.smallest
      entry.high = medians.quantile(1)
      entry.spread = .tenths
    }
    try check(entry, place)
    return entry
  }

  private static func entry(
    _ model: Document.Model, _ result: Document.Engine, _ document: Document, _ place: Place
  ) throws(ToolError) -> Entry {
    var entry = Entry(
      model: model.model, threads: model.threads, runCount: result.runs, median: result.median_ms, low: result.p10_ms,
      high: result.p90_ms, spread: .percentiles)
    entry.instructionSet = document.isa
    entry.numerics = document.numerics
    entry.precision = document.precision
    try check(entry, place)
    return entry
  }

  /// Returns ten consecutive parts of the runs, or one part per run if there are fewer than ten.
  private static func tenths(_ times: [Double]) -> [[Double]] {
    let count = min(10, times.count)
    return (0..<count).map { Array(times[$0 * times.count / count..<($0 + 1) * times.count / count]) }
  }

  private static func check(_ entry: Entry, _ place: Place) throws(ToolError) {
    guard (1e-9...1e12).contains(entry.median) else {
      throw place.error("\"median_ms\" is \(entry.median), expected milliseconds above 0")
    }
    guard entry.low >= 0, entry.high.isFinite, entry.low <= entry.high else {
      throw place.error("the spread of the runs, \(entry.low) to \(entry.high) ms, is not a valid range")
    }
    guard entry.spread == .tenths || (entry.low...entry.high).contains(entry.median) else {
      throw place.error("the median, \(entry.median) ms, is not between \(entry.low) and \(entry.high) ms")
    }
  }

  private struct Place {
    var path: String
    var name: String

    func error(_ reason: String) -> ToolError { ToolError(file: path, reason: "\(name): \(reason)") }
  }
}

/// The keys of both programs' documents that a comparison needs.
private struct Document: Decodable {
  struct Machine: Decodable {
    var processor: String?
    var cores: Int?
    var system: String?
  }

  struct Result: Decodable {
    var model: String
    var threads: Int
    var median_ms: Double
    var min_ms: Double
    var p95_ms: Double
    var runs: Int
    var runs_ms: [Double]?
    var isa: String?
    var numerics: String?
    var precision: String?
    var checked: Bool?
  }

  struct Engine: Decodable {
    var median_ms: Double
    var p10_ms: Double
    var p90_ms: Double
    var runs: Int
  }

  struct Model: Decodable {
    var model: String
    var threads: Int
    var swiftlet: Engine?
  }

  var version: String?
  var date: String?
  var machine: Machine?
  var isa: String?
  var numerics: String?
  var precision: String?
  var results: [Result]?
  var models: [Model]?
}
