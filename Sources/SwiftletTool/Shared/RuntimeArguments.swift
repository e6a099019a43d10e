import Foundation
import Swiftlet
import SwiftletCommandLine

/// The options that every command which runs a model has.
enum RuntimeArguments {
  static let declarations: [OptionDeclaration] = [
    .value("threads", .integer(1...1024), "threads of a run (default: all cores)"),
    .value("numerics", .choice(of: Numerics.self), "how integer operators round (default: fast)"),
    .value("precision", .choice(of: Precision.self), "what floating-point models may trade for speed (default: full)"),
    .flag("checked", "confine every operator to its own tensors; one that touches anything else ends the program. Slow"),
  ]

  static let json = OptionDeclaration.flag("json", "print one JSON document")

  /// In checked mode a violation says from here on which operator it was.
  static func options(_ arguments: Arguments) -> RuntimeOptions {
    let isChecked = arguments.flag("checked")
    if isChecked { ViolationReport.install() }
    return RuntimeOptions(
      threads: arguments.int("threads") ?? ProcessInfo.processInfo.activeProcessorCount,
      numerics: arguments.choice("numerics", as: Numerics.self) ?? .fast,
      precision: arguments.choice("precision", as: Precision.self) ?? .full, isChecked: isChecked)
  }
}
