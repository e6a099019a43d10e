import SwiftletJSON

/// The page about measurements: run times of models, and the operators that take the time.
package enum MeasurementPage {
  /// - Parameter measurements: The measurements, at least one.
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

/// The measurements of one model, as plain values. Texts can contain any characters.
package struct MeasurementDescription: Sendable {
  /// The name of the file, without its directory.
  package var name: String
  package var threads: Int
  /// The instruction set of the kernels: `avx2`.
  package var instructionSet: String
  /// Whether matrix products ran in reduced precision.
  package var isReducedPrecision: Bool
  package var loadMilliseconds: Double
  package var firstRunMilliseconds: Double
  /// The times of the measured runs, in execution order.
  package var runMilliseconds: [Double]
  package var medianMilliseconds: Double
  package var smallestMilliseconds: Double
  /// The p95 latency.
  package var slowMilliseconds: Double
  package var arenaByteCount: Int
  package var packedByteCount: Int
  package var peakResidentByteCount: Int
  /// The operators in execution order.
  package var operators: [Operator] = []

  /// The average time of one operator in a run; the times of threads are added.
  package struct Operator: Sendable, Hashable {
    /// The index in the model's graph.
    package var index: Int
    /// The operator's name: `CONV_2D`.
    package var name: String
    package var isCustom: Bool
    /// The name of the first output tensor.
    package var output: String
    package var microseconds: Double
    /// The throughput in billions of arithmetic operations per second; 0 if it isn't meaningful for the operator.
    package var gigaOperationsPerSecond: Double
    /// The implementation: `indirect GEMM int8 3×3, avx512`.
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
