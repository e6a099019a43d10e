import SwiftletCommandLine
import SwiftletImage
import SwiftletModelStore
@_spi(Facades) import SwiftletVision

/// Runs a task that can follow what it finds: over images, or with `--video` over the frames of a video.
struct LandmarkRunner {
  private enum Source {
    case pictures(TaskRunner)
    case video(FrameRunner)
  }

  private let source: Source

  /// - Throws: `UsageError` before any file is touched, and `ToolError` when there is no room for what is drawn.
  init(_ arguments: Arguments) throws {
    if arguments.flag(FrameRunner.video.name) {
      source = .video(try FrameRunner(arguments))
    } else {
      try FrameRunner.refuseOptions(arguments)
      source = .pictures(try TaskRunner(arguments))
    }
  }

  /// Whether there are, or may be, several images.
  var isList: Bool { if case .pictures(let runner) = source { runner.isList } else { true } }

  /// Runs a task on every image or frame.
  ///
  /// - Parameters:
  ///   - capacity: The number of images that the task takes.
  ///   - masks: The folder that `describe` writes masks to.
  ///   - image: Returns the task's output for a still image.
  ///   - describe: Returns what the command prints of an output.
  /// - Returns: The exit status.
  func run<Task: VisionTask>(
    _ task: Task, _ capacity: BatchCapacity, masks: MaskFolder? = nil,
    image: @escaping @Sendable (InputImage) throws -> Task.Output,
    _ describe: @escaping @Sendable (NamedImage, Task.Output) throws -> any ImageResult
  ) throws -> Int32 {
    switch source {
    case .pictures(let runner):
      return try runner.run(capacity, masks: masks) { picture, path in
        let output = try image(picture)
        return try describe(
          NamedImage(name: path, path: path, stem: OutputFile.stem(of: path), image: picture), output)
      }
    case .video(let runner):
      let video = task.video()
      return try runner.run { picture, time in try describe(picture, try video.output(for: picture.image, at: time)) }
    }
  }
}

/// What the commands have in common that find landmarks of hands, faces and bodies.
enum LandmarkArguments {
  /// A command over images or the frames of a video, with a bundle that has to be named.
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
        Example("swiftlet \(task.rawValue) --model \(example) photo.jpg", "finds them in an image"),
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
