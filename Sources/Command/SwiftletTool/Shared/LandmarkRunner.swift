import SwiftletCommandLine
import SwiftletVision

/// Runs a task that can follow what it finds: over pictures, or with `--video` over the frames of a video.
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

  /// The mode that the task has to run in.
  var runningMode: RunningMode { if case .video = source { .video } else { .image } }

  /// Whether there are, or may be, several pictures.
  var isList: Bool { if case .pictures(let runner) = source { runner.isList } else { true } }

  /// Runs the task on every picture or frame.
  ///
  /// - Parameters:
  ///   - masks: where `describe` writes masks.
  ///   - describe: what the command prints of the task's answer.
  /// - Returns: the exit status.
  func run<Task: DetectionTask>(
    _ task: Task, masks: MaskFolder? = nil,
    _ describe: @escaping @Sendable (NamedPicture, Task.Output) throws -> any PictureResult
  ) throws -> Int32 {
    switch source {
    case .pictures(let runner):
      return try runner.run(task.batchCapacity, masks: masks) { image, path in
        let picture = NamedPicture(name: path, path: path, stem: OutputFile.stem(of: path), image: image)
        return try describe(picture, try task.detect(image))
      }
    case .video(let runner):
      return try runner.run { picture, time in try describe(picture, try task.detect(picture.image, at: time)) }
    }
  }
}
