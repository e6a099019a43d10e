import Foundation
import SwiftletJSON
import SwiftletKernels
import SwiftletMeasurement

/// All results of a benchmark run.
struct BenchmarkReport {
  private let options: BenchmarkOptions
  private let date = Date()
  var peers: [String] = []
  var peaks: MachinePeaks?
  var kernels: [KernelResult] = []
  var shapes: [ShapeResult] = []
  /// The time of a run of the smallest model in milliseconds, as measured by `shapes`.
  var callTime: Double?
  var models: [ModelResult] = []
  var scaling: [ScalingResult] = []
  /// The time until another core notices a change, in nanoseconds, as measured by `scaling`.
  var handover: Double?
  var tasks: [TaskResult] = []
  var tracking: [TrackingResult] = []
  var streams: [SoakResult] = []
  var mixedSoak: MixedSoakResult?

  init(_ options: BenchmarkOptions) { self.options = options }

  var json: JSONValue {
    .object([
      "date": .string(date.ISO8601Format()),
      "machine": .object([
        "processor": .string(ProcessorName.current ?? "unknown"),
        "cores": .int(ProcessInfo.processInfo.activeProcessorCount),
        "system": .string(ProcessInfo.processInfo.operatingSystemVersionString),
      ]),
      "isa": .string(KernelTable.current.name),
      "numerics": .string(options.numerics.rawValue),
      "precision": .string(options.precision.rawValue),
      "peers": .strings(peers),
      "peaks": peaks.map(\.json) ?? .null,
      "kernels": .array(kernels.map(\.json)),
      "call_us": .optional(callTime.map { $0 * 1000 }),
      "shape_seed": .optional(shapes.isEmpty ? nil : options.seed),
      "shapes": .array(shapes.map(\.json)),
      "shape_groups": .array(ShapeGroup.groups(shapes).map(\.json)),
      "models": .array(models.map(\.json)),
      "model_classes": .array(RatioGroup.groups(models).map(\.json)),
      "handover_ns": .optional(handover),
      "scaling": .array(scaling.map(\.json)),
      "tasks": .array(tasks.map(\.json)),
      "tracking": .array(tracking.map(\.json)),
      "live_streams": .array(streams.map(\.json)),
      "mixed_soak": mixedSoak.map(\.json) ?? .null,
    ])
  }
}
