import SwiftletCommandLine
import SwiftletImage
@_spi(Facades) import SwiftletVision

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

  /// Whether there are, or may be, several pictures.
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
    _ describe: @escaping @Sendable (NamedPicture, Task.Output) throws -> any PictureResult
  ) throws -> Int32 {
    switch source {
    case .pictures(let runner):
      return try runner.run(capacity, masks: masks) { picture, path in
        let output = try image(picture)
        return try describe(
          NamedPicture(name: path, path: path, stem: OutputFile.stem(of: path), image: picture), output)
      }
    case .video(let runner):
      let video = task.video()
      return try runner.run { picture, time in try describe(picture, try video.output(for: picture.image, at: time)) }
    }
  }
}
