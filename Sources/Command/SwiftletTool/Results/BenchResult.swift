import Foundation
import Swiftlet
import SwiftletBase
import SwiftletJSON
import SwiftletKernels
import SwiftletMeasurement
import SwiftletReports
import SwiftletSchema

/// The measurements of one model. Times are in milliseconds.
struct BenchResult {
  struct Operator {
    var index: Int
    var op: String
    var name: String
    var microseconds: Double
    var share: Double
    var gops: Double
    var implementation: String
  }

  var model: String
  var threads: Int
  var numerics: Numerics
  var isChecked: Bool
  var warmup: Int
  var load: Double
  var first: Double
  var times: Sample
  /// The times of the runs, in order.
  var runs: [Double]
  var arenaBytes: Int
  var weightsBytes: Int
  var peakResidentBytes: Int
  var isa: String
  /// The precision in use, which can differ from the requested precision.
  var precision: Precision
  var operators: [Operator]?

  /// Measures a model.
  ///
  /// - Parameters:
  ///   - path: The file of the model, or its name if `read` reads it.
  ///   - read: Reads the model; `nil` to read the file.
  static func measure(
    _ path: String, options: RuntimeOptions, warmup: Int, runs: Int, read: (() throws -> Model)? = nil
  ) throws -> BenchResult {
    let measured = try MeasuredModel(path, options: options, read: read)
    for _ in 0..<warmup { _ = try measured.run() }
    let before = measured.session.profile
    let times = try (0..<runs).map { _ in try measured.run() }
    return BenchResult(
      model: path, threads: options.threads, numerics: options.numerics, isChecked: options.isChecked, warmup: warmup,
      load: measured.load, first: measured.first, times: Sample(times),
      runs: times,
      arenaBytes: measured.session.arenaByteCount, weightsBytes: measured.compiled.packedConstantsByteCount,
      peakResidentBytes: ProcessMemory.peakResidentBytes(), isa: KernelTable.current.name,
      precision: measured.compiled.precision,
      operators: options.isProfiling ? operators(before: before, after: measured.session.profile, runs: runs) : nil)
  }

  private static func operators(
    before: [Session.OperatorTime], after: [Session.OperatorTime], runs: Int
  ) -> [Operator] {
    let spent = zip(before, after).map { ($1.duration - $0.duration) / .microseconds(1) / Double(runs) }
    let total = max(spent.reduce(0, +), 1e-9)
    return zip(after, spent).map { (item: Session.OperatorTime, microseconds: Double) in
      let gops: Double = microseconds > 0 ? 2 * Double(item.multiplyAdds) / microseconds / 1000 : 0
      return Operator(
        index: item.index, op: item.name, name: item.output, microseconds: microseconds, share: microseconds / total,
        gops: gops, implementation: item.implementation)
    }
  }

  private static let builtinNames = Set(BuiltinOperator.allCases.map(\.schemaName))

  /// The content for the page about measurements.
  var description: MeasurementDescription {
    var description = MeasurementDescription(
      name: URL(fileURLWithPath: model).lastPathComponent, threads: threads, instructionSet: isa,
      isReducedPrecision: precision == .reduced,
      loadMilliseconds: load, firstRunMilliseconds: first, runMilliseconds: runs, medianMilliseconds: times.median,
      smallestMilliseconds: times.smallest, slowMilliseconds: times.quantile(0.95), arenaByteCount: arenaBytes,
      packedByteCount: weightsBytes,
      peakResidentByteCount: peakResidentBytes)
    description.operators = (operators ?? []).map {
      MeasurementDescription.Operator(
        index: $0.index, name: $0.op, isCustom: !Self.builtinNames.contains($0.op), output: $0.name,
        microseconds: $0.microseconds,
        gigaOperationsPerSecond: $0.gops, implementation: $0.implementation)
    }
    return description
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    add("model", .string(model))
    add("threads", .int(threads))
    add("load_ms", .double(load))
    add("first_ms", .double(first))
    add("median_ms", .double(times.median))
    add("min_ms", .double(times.smallest))
    add("p95_ms", .double(times.quantile(0.95)))
    add("runs", .int(times.count))
    add("arena_bytes", .int(arenaBytes))
    add("weights_bytes", .int(weightsBytes))
    add("peak_rss_bytes", .int(peakResidentBytes))
    add("isa", .string(isa))
    add("precision", .string(precision.rawValue))
    add("numerics", .string(numerics.rawValue))
    add("checked", .bool(isChecked))
    add("warmup", .int(warmup))
    add("runs_ms", .array(runs.map(JSONValue.double)))
    if let operators {
      add(
        "operators",
        .array(
          operators.map {
            .object([
              "index": .int($0.index), "op": .string($0.op), "name": .string($0.name),
              "median_us": .double($0.microseconds),
              "share": .double($0.share), "gops": .double($0.gops), "kernel": .string($0.implementation),
            ])
          }))
    }
    return .object(members)
  }

  var text: String {
    func ms(_ value: Double) -> String { String(format: "%.3f ms", value) }
    var text = """
      \(model.sanitized): \(threads) threads, \(isa)\(precision == .reduced ? ", reduced precision" : "")
        median \(ms(times.median)), min \(ms(times.smallest)), p95 \(ms(times.quantile(0.95))) of \(times.count) runs
        load \(ms(load)), first run \(ms(first)), arena \(arenaBytes) bytes, packed constants \(weightsBytes) bytes, peak resident \(peakResidentBytes) bytes

      """
    for item in (operators ?? []).sorted(by: { $0.microseconds > $1.microseconds }) {
      text +=
        String(
          format: "  %9.1f µs %5.1f %% %7.1f Gop/s  ", item.microseconds, item.share * 100, item.gops)
        + "\(item.op) \(item.name) [\(item.implementation)]".sanitized + "\n"
    }
    return text
  }
}
