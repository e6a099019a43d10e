import Swiftlet
import SwiftletCommandLine
import SwiftletJSON
import SwiftletGolden
import SwiftletBase

/// `verify`: compares outputs with golden manifests.
enum VerifyCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "verify", summary: "run the models of golden manifests and compare all outputs with the references",
    operands: "MANIFEST…", operandCount: 1...1000, operandKinds: [.file(".json")],
    options: [
      .value(
        "models", .folder,
        "the directory that model paths are relative to (default: 'models' next to the manifest's directory)"),
      .value("only", "NAME", "only run models whose path contains NAME"),
    ] + RuntimeArguments.declarations + [RuntimeArguments.json])

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = RuntimeArguments.options(arguments)
    if let folder = arguments.string("models") { try InputFile.requireFolder(folder) }
    let suites = try arguments.operands.map {
      try InputFile.require($0)
      return try GoldenSuite(manifestPath: $0, modelsFolder: arguments.string("models"))
    }
    let only = arguments.string("only")
    let work = suites.flatMap { suite in
      suite.manifest.models.filter { only.map($0.model.contains) ?? true }.map { (suite, $0) }
    }
    guard !work.isEmpty else {
      throw UsageError(
        only.map { "no model of the manifest contains '\($0.excerpt)'" } ?? "the manifest names no models")
    }
    var bar = ProgressBar("verify", total: work.count)
    var cases: [CaseReport] = []
    for (suite, model) in work {
      let reports = GoldenRunner(suite, options: options).run(model)
      cases += reports
      bar.hide()
      if !arguments.flag("json") {
        for report in reports { StandardStreams.output(text(report)) }
      }
      bar.advance()
    }
    bar.hide()
    let report = VerificationReport(cases: cases)
    if arguments.flag("json") {
      StandardStreams.output(json(report).text + "\n")
    } else {
      StandardStreams.output("\(report.passedCount) passed, \(report.failedCount) failed\n")
    }
    return report.failedCount == 0 ? 0 : 1
  }

  private static func text(_ report: CaseReport) -> String {
    var text = "\(report.isPassed ? "ok  " : "FAIL") \(report.model) \(report.name)"
    if let failure = report.failure { text += ": \(failure)" }
    text = text.sanitized + "\n"
    for output in report.outputs {
      text += "       \(output.isWithinTolerance ? "ok  " : "FAIL") \(output.summary.sanitized)\n"
    }
    return text
  }

  private static func json(_ report: VerificationReport) -> JSONValue {
    .object([
      "cases": .array(report.cases.map(json)),
      "passed": .int(report.passedCount),
      "failed": .int(report.failedCount),
    ])
  }

  private static func json(_ report: CaseReport) -> JSONValue {
    .object([
      "model": .string(report.model),
      "case": .string(report.name),
      "outputs": .array(
        report.outputs.map { output in
          .object([
            "name": .string(output.name),
            "max_abs_error": .optional(output.maxAbsError),
            "max_step_error": .optional(output.maxStepError),
            "mismatch_share": .optional(output.mismatchShare),
            "tolerance": .optional(output.tolerance),
            "ok": .bool(output.isWithinTolerance),
            "error": .optional(output.failure),
          ])
        }),
      "ok": .bool(report.isPassed),
      "error": .optional(report.failure),
    ])
  }
}
