import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletVision

/// The options that every command which runs a model has.
enum RuntimeArguments {
  static let declarations: [OptionDeclaration] = [
    .value("threads", .integer(1...1024), "threads of a run (default: all cores)"),
    .value("numerics", .choice(of: Numerics.self), "how integer operators round (default: fast)"),
    .value("precision", .choice(of: Precision.self), "what floating-point models may trade for speed (default: full)"),
    timeout,
    .flag(
      "checked", "confine every operator to its own tensors; one that touches anything else ends the program. Slow"),
  ]

  static let timeout = OptionDeclaration.value(
    "timeout", .number(0.001...1_000_000),
    "end with an error when loading models, or the work on one image, text, audio file or run, takes longer than so many seconds (default: no end)"
  )

  /// The most that a result may take: a document of it takes some times as much.
  private static let resultBytes = 1 << 28

  static let json = OptionDeclaration.flag("json", "print one JSON document")

  /// In checked mode a violation says from here on which operator it was.
  static func options(_ arguments: Arguments) -> RuntimeOptions {
    let isChecked = arguments.flag("checked")
    if isChecked { ViolationReport.install() }
    return RuntimeOptions(
      threads: arguments.int("threads") ?? ProcessInfo.processInfo.activeProcessorCount,
      numerics: arguments.choice("numerics", as: Numerics.self) ?? .fast,
      precision: arguments.choice("precision", as: Precision.self) ?? .full, timeout: duration(arguments),
      isChecked: isChecked)
  }

  /// How a task's model is run by so many jobs at once, each on one thread where there are several.
  static func baseOptions(_ model: ModelSource, _ arguments: Arguments, jobs: Int) -> BaseOptions {
    var options = BaseOptions(model: model, options(arguments))
    options.maxConcurrentCalls = jobs
    if jobs > 1, arguments.int("threads") == nil { options.threads = 1 }
    options.limits.resultBytes = resultBytes
    return options
  }

  /// The options of a task whose results are masks, which go to files of their own.
  static func withRoomForMasks(_ options: BaseOptions) -> BaseOptions {
    var options = options
    options.limits.resultBytes = RuntimeOptions.Limits().resultBytes
    return options
  }

  /// The time of `--timeout`.
  static func duration(_ arguments: Arguments) -> Duration? { arguments.float("timeout").map { .seconds(Double($0)) } }
}
