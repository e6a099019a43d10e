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
