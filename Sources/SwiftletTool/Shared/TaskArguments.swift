import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletVision

/// The options that all tasks on pictures have.
enum TaskArguments {
  static let declarations: [OptionDeclaration] =
    [
      .value("model", "FILE", "the model (required)"),
      .value("rotate", "0|90|180|270", "how far the picture has to be turned clockwise to stand upright (default: 0)"),
    ] + RuntimeArguments.declarations + [
      RuntimeArguments.json,
      .value("annotate", "FILE", "write the picture with the result drawn in, as .png or .jpg"),
      .flag("jsonl", "print one JSON object a line as each picture is done"),
      .flag("stdin-list", "read the pictures' paths from standard input, one a line"),
    ]

  static let operandNote = "An IMAGE is a PNG or JPEG file, or - for one on standard input."

  /// - Throws: `UsageError` without a model.
  static func baseOptions(_ arguments: Arguments) throws(UsageError) -> BaseOptions {
    guard let model = arguments.string("model"), !model.isEmpty else {
      throw UsageError("--model FILE is required: there is no built-in model for this task")
    }
    let options = try RuntimeArguments.options(arguments)
    return BaseOptions(
      modelAssetPath: model, threads: options.threads, numerics: options.numerics, precision: options.precision)
  }

  static func orientation(_ arguments: Arguments) throws(UsageError) -> ImageOrientation {
    switch arguments.string("rotate") ?? "0" {
    case "0": return .up
    case "90": return .right
    case "180": return .down
    case "270": return .left
    case let other: throw UsageError("--rotate takes one of 0, 90, 180, 270, got '\(other)'")
    }
  }
}
