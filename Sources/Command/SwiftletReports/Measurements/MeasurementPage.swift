import SwiftletJSON

/// The page about measurements: how long models take, and what takes the time.
package enum MeasurementPage {
  /// - Parameter measurements: one or more.
  package static func page(_ measurements: [MeasurementDescription]) -> HTMLPage {
    let names =
      measurements.prefix(3).map { ModelPage.clipped($0.name, 60) }.joined(separator: ", ")
      + (measurements.count > 3 ? ", …" : "")
    return HTMLPage(
      title: "\(names) – swiftlet bench", style: PageText.measurementStyle, body: PageText.documentBody,
      script: PageText.sharedScript + "\n" + PageText.measurementScript, data: json(measurements))
  }

  private static func json(_ measurements: [MeasurementDescription]) -> JSONValue {
    .object([
      "families": .strings(OperatorFamily.allCases.map(\.title)),
      "models": .array(measurements.map(json)),
    ])
  }

  private static func json(_ measurement: MeasurementDescription) -> JSONValue {
    .object([
      "name": .string(ModelPage.clipped(measurement.name, 300)),
      "threads": .int(measurement.threads),
      "isa": .string(measurement.instructionSet),
      "reduced": .bool(measurement.isReducedPrecision),
      "load": .double(measurement.loadMilliseconds),
      "first": .double(measurement.firstRunMilliseconds),
      "runs": .array(measurement.runMilliseconds.map { .double($0) }),
      "median": .double(measurement.medianMilliseconds),
      "min": .double(measurement.smallestMilliseconds),
      "p95": .double(measurement.slowMilliseconds),
      "arena": .int(measurement.arenaByteCount),
      "packed": .int(measurement.packedByteCount),
      "peak": .int(measurement.peakResidentByteCount),
      "operators": .array(
        measurement.operators.map { item in
          .object([
            "index": .int(item.index), "op": .string(ModelPage.clipped(item.name, 300)),
            "name": .string(ModelPage.clipped(item.output, 300)),
            "family": .int(OperatorFamily(operatorNamed: item.name, isCustom: item.isCustom).rawValue),
            "us": .double(item.microseconds), "gops": .double(item.gigaOperationsPerSecond),
            "kernel": .string(ModelPage.clipped(item.implementation, 100)),
          ])
        }),
    ])
  }
}

/// What was measured of one model, as plain values. Text may hold anything.
package struct MeasurementDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var threads: Int
  /// The instructions that the kernels use: `avx2`.
  package var instructionSet: String
  /// Whether products ran in reduced precision.
  package var isReducedPrecision: Bool
  package var loadMilliseconds: Double
  package var firstRunMilliseconds: Double
  /// The measured runs, in the order in which they ran.
  package var runMilliseconds: [Double]
  package var medianMilliseconds: Double
  package var smallestMilliseconds: Double
  /// What 95 of 100 runs do not exceed.
  package var slowMilliseconds: Double
  package var arenaByteCount: Int
  package var packedByteCount: Int
  package var peakResidentByteCount: Int
  /// In the order of execution.
  package var operators: [Operator] = []

  /// What one operator takes of a run, on average; the times of threads are added.
  package struct Operator: Sendable, Hashable {
    /// Its position in the model's graph.
    package var index: Int
    /// `CONV_2D`.
    package var name: String
    package var isCustom: Bool
    /// The name of the first tensor that it makes.
    package var output: String
    package var microseconds: Double
    /// Thousands of millions of arithmetic operations a second; 0 where that is not what it does.
    package var gigaOperationsPerSecond: Double
    /// How it is computed: `indirect GEMM int8 3×3, avx512`.
    package var implementation: String

    package init(
      index: Int, name: String, isCustom: Bool, output: String, microseconds: Double, gigaOperationsPerSecond: Double,
      implementation: String
    ) {
      self.index = index
      self.name = name
      self.isCustom = isCustom
      self.output = output
      self.microseconds = microseconds
      self.gigaOperationsPerSecond = gigaOperationsPerSecond
      self.implementation = implementation
    }
  }

  package init(
    name: String, threads: Int, instructionSet: String, isReducedPrecision: Bool, loadMilliseconds: Double,
    firstRunMilliseconds: Double,
    runMilliseconds: [Double], medianMilliseconds: Double, smallestMilliseconds: Double, slowMilliseconds: Double,
    arenaByteCount: Int,
    packedByteCount: Int, peakResidentByteCount: Int
  ) {
    self.name = name
    self.threads = threads
    self.instructionSet = instructionSet
    self.isReducedPrecision = isReducedPrecision
    self.loadMilliseconds = loadMilliseconds
    self.firstRunMilliseconds = firstRunMilliseconds
    self.runMilliseconds = runMilliseconds
    self.medianMilliseconds = medianMilliseconds
    self.smallestMilliseconds = smallestMilliseconds
    self.slowMilliseconds = slowMilliseconds
    self.arenaByteCount = arenaByteCount
    self.packedByteCount = packedByteCount
    self.peakResidentByteCount = peakResidentByteCount
  }
}
