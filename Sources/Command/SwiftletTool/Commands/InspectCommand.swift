import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletBase
import SwiftletReports
import SwiftletSchema

/// `inspect`: the contents of a model, whether or not Swiftlet can run it.
enum InspectCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "inspect",
    summary: "show a model's graph, tensors, metadata, and support, or the differences between two models",
    operands: "MODEL [MODEL]", operandCount: 1...2, operandKinds: [ModelArgument.fileOrBundle],
    options: [
      .flag("diff", "show the differences between two models")
    ]
      + PageArgument.declarations(
        "also write an HTML page with the graph, tensors, and memory plan, or with the differences")
      + [RuntimeArguments.timeout, RuntimeArguments.json],
    notes: """
      For a .task bundle, inspect shows the members, including those of nested bundles, and each model as if it were a file.
      With --diff, the exit status is 0 even if the models differ. "identical" in --json is the result.
      """,
    examples: [.init("inspect --diff before.tflite after.tflite", "show the effect of a converter")])

  static func run(_ arguments: Arguments) throws -> Int32 {
    let page = try PageArgument.path(arguments)
    if arguments.flag("diff") { return try compare(arguments, page: page) }
    if arguments.operands.count > 1 {
      throw UsageError(
        "inspect takes one model, or two with --diff: unexpected argument '\(arguments.operands[1].excerpt)'")
    }
    let path = ModelArgument.path(arguments.operands[0])
    try ModelArgument.require(path)
    let options = RuntimeOptions(timeout: RuntimeArguments.duration(arguments))
    // If the file cannot be opened, `Model(contentsOf:)` below reports it.
    if let bytes = try? MappedFile.open(path), BundleReport.isBundle(bytes) {
      return try describe(bytes, path, options, arguments, page: page)
    }
    let report = ModelReport(path, try Model(contentsOf: path), options: options)
    if let page { try OutputFile.write(ModelPage.page(report.description).bytes, to: page) }
    StandardStreams.output(arguments.flag("json") ? report.json.text + "\n" : report.text)
    return 0
  }

  /// Describes a bundle.
  ///
  /// - Returns: The exit status: 1 if a member is damaged.
  private static func describe(
    _ bytes: ByteRegion, _ path: String, _ options: RuntimeOptions, _ arguments: Arguments, page: String?
  ) throws -> Int32 {
    let report: BundleReport
    do {
      report = try BundleReport(path, bytes, options: options)
    } catch let error as SchemaError {
      throw ToolError(file: path, reason: "\(error)")
    }
    if let page { try OutputFile.write(try report.page.bytes, to: page) }
    StandardStreams.output(arguments.flag("json") ? report.json.text + "\n" : report.text)
    return report.isWhole ? 0 : 1
  }

  /// Prints the differences between two models.
  private static func compare(_ arguments: Arguments, page: String?) throws -> Int32 {
    guard arguments.operands.count == 2 else {
      throw UsageError("--diff takes two models, got \(arguments.operands.count)")
    }
    let options = RuntimeOptions(timeout: RuntimeArguments.duration(arguments))
    let reports = try arguments.operands.map(ModelArgument.path).map { path in
      try ModelArgument.require(path)
      if let bytes = try? MappedFile.open(path), BundleReport.isBundle(bytes) {
        throw ToolError(file: path, reason: "is a bundle; --diff takes two models")
      }
      return ModelReport(path, try Model(contentsOf: path), options: options)
    }
    let difference = ModelDifference(reports[0], reports[1])
    if let page { try OutputFile.write(difference.page.bytes, to: page) }
    StandardStreams.output(arguments.flag("json") ? difference.json.text + "\n" : difference.text)
    return 0
  }
}
