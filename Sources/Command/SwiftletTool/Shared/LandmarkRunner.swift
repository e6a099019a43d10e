import SwiftletCommandLine
import SwiftletImage
import SwiftletModelStore
@_spi(Facades) import SwiftletVision

/// Runs a task that can track its results: on images, or with `--video` on the frames of a video.
struct LandmarkRunner {
  private enum Source {
    case images(TaskRunner)
    case video(FrameRunner)
  }

  private let source: Source

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` before any file is accessed, and `ToolError` if the annotated images cannot be written.
  init(_ arguments: Arguments) throws {
    if arguments.flag(FrameRunner.video.name) {
      source = .video(try FrameRunner(arguments))
    } else {
      try FrameRunner.refuseOptions(arguments)
      source = .images(try TaskRunner(arguments))
    }
  }

  /// Whether there are, or can be, several images.
  var isList: Bool { if case .images(let runner) = source { runner.isList } else { true } }

  /// Runs a task on every image or frame.
  ///
  /// - Parameters:
  ///   - capacity: The number of images that the task accepts.
  ///   - masks: The directory that `describe` writes masks to.
  ///   - image: Returns the task's output for a still image.
  ///   - describe: A closure that returns the printed form of an output.
  /// - Returns: The exit status.
  func run<Task: VisionTask>(
    _ task: Task, _ capacity: BatchCapacity, masks: MaskFolder? = nil,
    image: @escaping @Sendable (InputImage) throws -> Task.Output,
    _ describe: @escaping @Sendable (NamedImage, Task.Output) throws -> any ImageResult
  ) throws -> Int32 {
    switch source {
    case .images(let runner):
      return try runner.run(capacity, masks: masks) { input, path in
        let output = try image(input)
        return try describe(
          NamedImage(name: path, path: path, stem: OutputFile.stem(of: path), image: input), output)
      }
    case .video(let runner):
      let video = task.video()
      return try runner.run { input, time in try describe(input, try video.output(for: input.image, at: time)) }
    }
  }
}

/// The common arguments of the commands for hand, face, and pose landmarks.
enum LandmarkArguments {
  /// Returns the declaration of a command that runs on images or video frames, with a required model bundle.
  ///
  /// - Parameter options: The command's own options.
  static func command(
    _ task: PublishedModel.Task, summary: String, options: [OptionDeclaration], notes: String = "",
    example: String
  ) -> CommandDeclaration {
    CommandDeclaration(
      name: task.rawValue, summary: summary, operands: "IMAGE…", operandCount: TaskArguments.operandCount,
      operandKinds: [.image],
      options: options + [FrameRunner.video] + FrameRunner.options + TaskArguments.bundleDeclarations(for: task),
      notes: TaskArguments.operandNote
        + " With --video, the operands are frames in order, and the task tracks its results from frame to frame.\n"
        + notes,
      examples: [
        Example("swiftlet \(task.rawValue) --model \(example) photo.jpg", "detect them in an image"),
        Example("swiftlet \(task.rawValue) --model \(example) --video frames --jsonl", "track them in a video"),
      ])
  }

  /// Returns the options for the maximum number of results and the three confidences.
  ///
  /// - Parameters:
  ///   - option: The name of the first option, such as `num-hands`.
  ///   - things: The name of the detected objects, in the plural.
  static func limits(_ option: String, _ things: String) -> [OptionDeclaration] {
    [
      .value(option, .integer(1...1000), "the maximum number of \(things) (default: 1)"),
      confidence("detection", "the minimum score of the detector"),
      confidence("presence", "the minimum presence score of the landmark model"),
      confidence("tracking", "with --video: the minimum IoU for tracking"),
    ]
  }

  /// Returns the declaration of a confidence or overlap option.
  static func confidence(_ name: String, _ help: String, default value: String = "0.5") -> OptionDeclaration {
    .value("min-\(name)-confidence", .number(0...1), "\(help), 0 to 1 (default: \(value))")
  }

  /// Returns the value of a confidence or overlap option.
  static func confidence(_ name: String, _ arguments: Arguments) -> Float {
    arguments.float("min-\(name)-confidence") ?? 0.5
  }

  /// Returns the base options for the bundle of `--model`.
  ///
  /// - Throws: `UsageError` if the option is missing, because there is no bundled model.
  static func baseOptions(_ arguments: Arguments, for task: PublishedModel.Task) throws(UsageError) -> BaseOptions {
    guard let named = arguments.string("model"), !named.isEmpty else {
      let published = ModelArgument.names(for: task).first.map { ", such as '\($0)'" } ?? ""
      throw UsageError(
        "\(task.rawValue) needs --model: a .task file, or the name of a published bundle\(published) that was fetched; there is no bundled one"
      )
    }
    return TaskArguments.batchOptions(ModelArgument.source(named), arguments)
  }
}
