import SwiftletCommandLine
import SwiftletModelStore
import SwiftletVision

/// What the commands have in common that find points of hands, faces and bodies.
enum LandmarkArguments {
  /// A command over pictures or the frames of a video, with a bundle that has to be named.
  ///
  /// - Parameter options: the command's own.
  static func command(
    _ task: PublishedModel.Task, summary: String, options: [OptionDeclaration], notes: String = "",
    example: String
  ) -> CommandDeclaration {
    CommandDeclaration(
      name: task.rawValue, summary: summary, operands: "IMAGE…", operandCount: TaskArguments.operandCount,
      operandKinds: [.picture],
      options: options + [FrameRunner.video] + FrameRunner.options + TaskArguments.bundleDeclarations(for: task),
      notes: TaskArguments.operandNote
        + " With --video the operands are frames in order, and the task follows what it finds.\n" + notes,
      examples: [
        Example("swiftlet \(task.rawValue) --model \(example) photo.jpg", "finds them in a picture"),
        Example("swiftlet \(task.rawValue) --model \(example) --video frames --jsonl", "follows them in a video"),
      ])
  }

  /// How many there may be, and the three confidences.
  ///
  /// - Parameters:
  ///   - option: such as `num-hands`.
  ///   - things: what is looked for, in the plural.
  static func limits(_ option: String, _ things: String) -> [OptionDeclaration] {
    [
      .value(option, .integer(1...1000), "the most \(things) (default: 1)"),
      confidence("detection", "search with this score at least"),
      confidence("presence", "keep what the second model is surer of than this"),
      confidence("tracking", "with --video: what overlaps by more is the same"),
    ]
  }

  /// An option of a confidence or an overlap.
  static func confidence(_ name: String, _ help: String, default value: String = "0.5") -> OptionDeclaration {
    .value("min-\(name)-confidence", .number(0...1), "\(help), 0 to 1 (default: \(value))")
  }

  /// The value of such an option.
  static func confidence(_ name: String, _ arguments: Arguments) -> Float {
    arguments.float("min-\(name)-confidence") ?? 0.5
  }

  /// How the bundle of `--model` is run.
  ///
  /// - Throws: `UsageError` where none is named: the package has none of its own.
  static func baseOptions(_ arguments: Arguments, for task: PublishedModel.Task) throws(UsageError) -> BaseOptions {
    guard let named = arguments.string("model"), !named.isEmpty else {
      let published = ModelArgument.names(for: task).first.map { ", such as '\($0)'" } ?? ""
      throw UsageError(
        "\(task.rawValue) needs --model: a .task file, or the name of a published bundle\(published) that was fetched; the package has none of its own"
      )
    }
    return TaskArguments.batchOptions(ModelArgument.source(named), arguments)
  }
}
