import Foundation
import Swiftlet
import SwiftletCommandLine

/// The options that every command which runs a model has.
enum RuntimeArguments {
  static let declarations: [OptionDeclaration] = [
    .value("threads", "N", "threads of a run (default: all cores)"),
    .value("numerics", "fast|bit-exact", "how integer operators round (default: fast)"),
    .value("precision", "full|reduced", "what floating-point models may trade for speed (default: full)"),
  ]

  static let json = OptionDeclaration.flag("json", "print one JSON document")

  static func options(_ arguments: Arguments) throws(UsageError) -> RuntimeOptions {
    RuntimeOptions(
      threads: try arguments.int("threads", in: 1...1024) ?? ProcessInfo.processInfo.activeProcessorCount,
      numerics: try arguments.choice("numerics", as: Numerics.self) ?? .fast,
      precision: try arguments.choice("precision", as: Precision.self) ?? .full)
  }
}
