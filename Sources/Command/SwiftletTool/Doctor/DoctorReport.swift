import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletDiagnosis
import SwiftletJSON
import SwiftletReports
import SwiftletSchema

/// The `doctor` report of a model.
struct DoctorReport {
  let path: String
  let reference: String?
  let model: Model
  let diagnosis: ModelDiagnosis
  let inputs: DoctorInputs
  /// The costs of a run; `nil` for a model that cannot run.
  let costs: DoctorCosts?

  /// Examines a model.
  ///
  /// - Parameters:
  ///   - path: The name of the model in messages.
  ///   - reference: The name and the model to compare with; `nil` for none.
  ///   - files: The files and directories of the inputs; empty to generate inputs.
  /// - Throws: `ToolError` if the model and the inputs don't suit each other, and the end of the timeout of the options.
  static func examined(
    _ path: String, _ model: Model, reference: (name: String, model: Model)? = nil, inputs files: [String] = [],
    options: RuntimeOptions, progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> DoctorReport {
    try CallContext.within(options.timeout) {
      let inputs = try DoctorInputs(files, for: model, reference: reference?.model)
      let diagnosis: ModelDiagnosis
      do {
        diagnosis = try ModelDiagnosis(
          of: model, reference: reference?.model, inputs: inputs.sets, areTypical: inputs.areFiles, options: options,
          progress: progress)
      } catch {
        throw ToolError(file: path, reason: "\(error)")
      }
      let isRunnable = !diagnosis.findings.contains { $0.kind.rawValue == "unsupported" }
      return DoctorReport(
        path: path, reference: reference?.name, model: model, diagnosis: diagnosis, inputs: inputs,
        costs: isRunnable ? try DoctorCosts(model, options: options) : nil)
    }
  }

  /// Returns the page about the model with the diagnosis.
  func page(_ options: RuntimeOptions) -> HTMLPage {
    ModelPage.page(ModelReport(path, model, options: options).description, diagnosis: json)
  }

  private var graph: Subgraph { model.file.subgraphs[0] }

  /// The findings with those about slow operators, which are notes.
  private var findings: [Finding] {
    diagnosis.findings.map(Finding.init)
      + (costs?.slow ?? []).prefix(5).map { operation, cost in
        let speed =
          cost.rooflineShare.map {
            "it reaches \(percent($0)) of what the machine allows"
          } ?? "it has no vector kernel"
        return Finding(
          severity: "note", kind: "slow-operator", operation: operation,
          op: graph.operators.indices.contains(operation) ? graph.operators[operation].code.kind.name : "",
          tensor: nil, tensorIndex: nil,
          message: "This operator takes \(percent(cost.share)) of the time with the kernel '\(cost.kernel)'; \(speed).",
          advice: "See docs/internals/kernels.md for shapes and types with faster kernels.")
      }
  }

  fileprivate struct Finding {
    var severity: String
    var kind: String
    var operation: Int?
    var op: String?
    var tensor: String?
    var tensorIndex: Int?
    var message: String
    var advice: String

    var text: String {
      let place = operation.map { "\(op ?? "") \($0): " } ?? ""
      return "\(severity): \(place)\(message)" + (advice.isEmpty ? "" : " \(advice)")
    }

    var json: JSONValue {
      .object([
        "severity": .string(severity), "kind": .string(kind), "subgraph": .int(0), "operator": .optional(operation),
        "op": .optional(op), "tensor": .optional(tensor), "tensor_index": .optional(tensorIndex),
        "message": .string(message), "advice": .string(advice),
      ])
    }
  }

  private func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  // MARK: Text

  var text: String {
    var lines: [String] = []
    for (index, culprit) in diagnosis.culprits.enumerated() {
      let layer = culprit.operatorIndex.map { "\(culprit.operatorName ?? "") \($0)" } ?? "input"
      lines.append(
        "culprit \(index + 1): \(layer) '\(culprit.tensorName)', \(culprit.cause): \(culprit.message) \(culprit.advice)"
      )
    }
    let problems = findings
    lines += problems.map(\.text)
    if reference != nil, diagnosis.culprits.isEmpty {
      lines.append("No layer adds more error than quantization explains.")
    }
    if problems.isEmpty { lines.append("No findings.") }
    lines.append("")
    lines += summary
    lines += table
    return lines.map { $0.sanitized + "\n" }.joined()
  }

  private var summary: [String] {
    let source =
      inputs.areFiles ? "" : inputs.sets.isEmpty ? "" : ", generated: give --inputs for findings about ranges"
    var lines = ["\(path): \(graph.operators.count) operators, \(diagnosis.inputCount) inputs\(source)"]
    if let reference {
      let compared = diagnosis.layers.filter { $0.added != nil }.count
      lines.append("reference \(reference): \(compared) of \(graph.operators.count) layers compared")
    }
    if let costs {
      lines.append(
        String(
          format: "time %.3f ms on one thread, memory %d bytes%@", costs.totalMilliseconds, costs.arenaBytes,
          costs.peakOperator.map { ", the most during operator \($0)" } ?? ""))
    }
    return lines
  }

  /// The layers that add the most.
  private var table: [String] {
    let layers = diagnosis.layers.filter { $0.added != nil }
      .sorted { ($0.added?.signalToNoise ?? .infinity) < ($1.added?.signalToNoise ?? .infinity) }.prefix(10)
    guard !layers.isEmpty else { return [] }
    let rows = layers.map { layer in
      [
        "\(layer.operatorIndex)", layer.operatorName, decibels(layer.added?.signalToNoise),
        decibels(layer.expectedSignalToNoise), decibels(layer.inherited?.signalToNoise),
        decibels(layer.total?.signalToNoise), decibels(layer.outputSignalToNoise), layer.tensorName ?? "",
      ]
    }
    let header = ["operator", "", "adds", "expected", "inherits", "total", "output", "tensor"]
    let table = TextTable([.right, .left, .right, .right, .right, .right, .right])
    return [
      "",
      "The layers that add the most error, as signal-to-noise ratios in dB; output is that of the model if only this layer were quantized:",
    ] + table.lines([header] + rows).map { String($0.dropLast()) }
  }

  private func decibels(_ value: Double?) -> String {
    guard let value else { return "–" }
    return value.isFinite ? String(format: "%.1f", value) : value > 0 ? "∞" : "−∞"
  }

  // MARK: JSON

  var json: JSONValue {
    .object([
      "model": .string(path),
      "reference": .optional(reference),
      "inputs": .object([
        "count": .int(diagnosis.inputCount), "source": .string(inputs.areFiles ? "files" : "synthetic"),
      ]),
      "findings": .array(findings.map(\.json)),
      "culprits": .array(diagnosis.culprits.enumerated().map { culprit($0.element, rank: $0.offset + 1) }),
      "layers": .array(diagnosis.layers.map(layer)),
      "tensors": .array(diagnosis.tensors.map(tensor)),
      "memory": .object([
        "arena_bytes": .optional(costs?.arenaBytes), "peak_operator": .optional(costs?.peakOperator),
      ]),
      "time": .object([
        "total_ms": .optional(costs?.totalMilliseconds),
        "peak_gops": .optional(costs.map { $0.peak.float32 / 1e9 }),
        "peak_int8_gops": .optional(costs.map { $0.peak.int8 / 1e9 }),
        "bandwidth_gbs": .optional(costs.map { $0.peak.bandwidth / 1e9 }),
      ]),
    ])
  }

  private func culprit(_ culprit: ModelDiagnosis.Culprit, rank: Int) -> JSONValue {
    .object([
      "rank": .int(rank), "operator": .optional(culprit.operatorIndex), "op": .optional(culprit.operatorName),
      "tensor": .string(culprit.tensorName), "tensor_index": .int(culprit.tensorIndex),
      "constant": .optional(culprit.constantName), "cause": .string(culprit.cause.rawValue),
      "message": .string(culprit.message), "advice": .string(culprit.advice),
      "added_snr_db": .optional(culprit.addedSignalToNoise),
      "expected_snr_db": .optional(culprit.expectedSignalToNoise),
      "output_snr_db": .optional(culprit.outputSignalToNoise),
    ])
  }

  private func layer(_ layer: ModelDiagnosis.Layer) -> JSONValue {
    let cost = costs?.operators[layer.operatorIndex]
    let excess = layer.added.flatMap { added in layer.expectedSignalToNoise.map { $0 - added.signalToNoise } }
    return .object([
      "operator": .int(layer.operatorIndex), "op": .string(layer.operatorName), "tensor": .optional(layer.tensorName),
      "tensor_index": .optional(layer.tensorIndex), "reference_tensor": .optional(layer.referenceName),
      "total": layer.total.map(figures) ?? .null, "inherited": layer.inherited.map(figures) ?? .null,
      "added": layer.added.map(figures) ?? .null, "expected_snr_db": .optional(layer.expectedSignalToNoise),
      "excess_db": .optional(excess), "output_snr_db": .optional(layer.outputSignalToNoise),
      "kernel": .optional(cost?.kernel), "time_ms": .optional(cost?.milliseconds), "time_share": .optional(cost?.share),
      "multiply_adds": .optional(cost?.multiplyAdds), "roofline_share": .optional(cost?.rooflineShare),
    ])
  }

  private func figures(_ figures: ErrorFigures) -> JSONValue {
    .object([
      "snr_db": .double(figures.signalToNoise), "cosine": .double(figures.cosine),
      "largest_error": .double(figures.largestError), "mean_shift": .double(figures.meanShift),
      "mean_ratio": .double(figures.meanRatio), "scale": .double(figures.scale),
      "not_finite": .int(figures.notFiniteCount), "elements": .int(figures.elementCount),
    ])
  }

  private func tensor(_ tensor: ModelDiagnosis.ObservedTensor) -> JSONValue {
    let description = graph.tensors[tensor.index]
    return .object([
      "index": .int(tensor.index), "name": .string(tensor.name), "type": .string(description.type.name),
      "shape": .ints(description.shape),
      "minimum": tensor.range.map { .float($0.lowerBound) } ?? .null,
      "maximum": tensor.range.map { .float($0.upperBound) } ?? .null,
      "representable": tensor.representable.map { .floats([$0.lowerBound, $0.upperBound]) } ?? .null,
      "levels_used": .optional(tensor.levelCount), "at_lowest": .double(tensor.lowestShare),
      "at_highest": .double(tensor.highestShare), "constant_channels": .int(tensor.constantChannelCount),
      "not_finite": .int(tensor.notFiniteCount), "histogram": histogram(tensor.histogram),
      "reference_histogram": tensor.referenceHistogram.map(histogram) ?? .null,
      "error": tensor.error.map(figures) ?? .null,
    ])
  }

  private func histogram(_ histogram: Histogram) -> JSONValue {
    .object([
      "minimum": .float(histogram.minimum), "maximum": .float(histogram.maximum), "counts": .ints(histogram.counts),
    ])
  }
}

extension DoctorReport.Finding {
  init(_ finding: DiagnosisFinding) {
    self.init(
      severity: finding.severity.rawValue, kind: finding.kind.rawValue, operation: finding.operatorIndex,
      op: finding.operatorName, tensor: finding.tensorName, tensorIndex: finding.tensorIndex, message: finding.message,
      advice: finding.advice)
  }
}
