import SwiftletJSON

/// The page about measurements: how long models take, and what takes the time.
package enum MeasurementPage {
  /// - Parameter measurements: one or more.
  package static func page(_ measurements: [MeasurementDescription]) -> HTMLPage {
    let names =
      measurements.prefix(3).map { ModelPage.clipped($0.name, 60) }.joined(separator: ", ")
      + (measurements.count > 3 ? ", …" : "")
    return HTMLPage(
      title: "\(names) – swiftlet bench", style: MeasurementPageStyle.text, body: body,
      script: [PageScript.text, TableScript.text, MeasurementChartScript.text, MeasurementPageScript.text].joined(
        separator: "\n"), data: json(measurements))
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

  private static let body = #"""
    <svg width="0" height="0" aria-hidden="true" class="visually-hidden"></svg>
    <header class="top">
      <h1 id="title"></h1>
      <p id="subtitle" class="muted"></p>
    </header>
    <main id="main"></main>
    <div id="tip" role="tooltip" hidden></div>
    """#
}
