import SwiftletCommandLine
import SwiftletDrawing
import SwiftletJSON
import SwiftletBase
import SwiftletVision

/// Runs a task on the frames of a video and prints its results in the requested form.
struct FrameRunner {
  static let video = OptionDeclaration.flag(
    "video", "process the operands as the frames of a video, in order: files, directories, or - for standard input")

  /// The options that don't apply to images.
  static let options: [OptionDeclaration] = [
    .value("fps", .number(0.001...10000), "frames per second (default: 30)"),
    .value("step-ms", .integer(1...86_400_000), "the time between frames in milliseconds, instead of --fps"),
    FrameSource.raw, FrameFolder.declaration,
  ]

  private let source: FrameSource
  private let form: OutputForm
  private let folder: FrameFolder?
  private let step: Double
  private let timeout: Duration?

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` before any file is accessed, and `ToolError` if the annotated frames cannot be written.
  init(_ arguments: Arguments) throws {
    guard !arguments.operands.isEmpty else { throw UsageError("--video takes the frames of a video, none is given") }
    for option in ["annotate", "stdin-list", "jobs"] where arguments.string(option) != nil {
      throw UsageError(
        "--\(option) is for single images; with --video, give folders of frames and --annotate-dir DIR")
    }
    source = try FrameSource(arguments)
    form = try OutputForm(arguments)
    step = try Self.step(arguments)
    timeout = RuntimeArguments.duration(arguments)
    folder = try FrameFolder(arguments)
  }

  /// Checks that the command line has no video options.
  ///
  /// - Throws: `UsageError` if it has one.
  static func refuseOptions(_ arguments: Arguments) throws(UsageError) {
    for option in options where arguments.string(option.name) != nil {
      throw UsageError("--\(option.name) is for the frames of a video; add --video")
    }
  }

  /// Returns the seconds between frames.
  private static func step(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let milliseconds = arguments.int("step-ms") else { return 1 / Double(arguments.float("fps") ?? 30) }
    guard arguments.string("fps") == nil else { throw UsageError("--fps and --step-ms are mutually exclusive") }
    return Double(milliseconds) / 1000
  }

  /// Runs the task on every frame.
  ///
  /// - Parameter perform: The task, which receives a frame and its timestamp.
  /// - Returns: The exit status.
  func run(_ perform: (NamedImage, Duration) throws -> any ImageResult) throws -> Int32 {
    var printer = ResultPrinter(form, isList: true)
    // Close the document even if a frame fails, so that the printed part is valid.
    defer { printer.close() }
    try source.forEach { frame in
      let seconds = Double(frame.index) * step
      let input = NamedImage(
        name: frame.name, path: frame.path, stem: FrameFolder.name(frame.index), image: frame.image)
      do {
        try CallContext.within(timeout) {
          let result = try perform(input, .seconds(seconds))
          if let folder {
            var canvas = try Canvas(frame.image.buffer)
            try result.draw(on: &canvas)
            try folder.write(try canvas.image(), index: frame.index)
          }
          try printer.print(FrameResult(result: result, index: frame.index, seconds: seconds))
        }
      } catch let error as TaskError {
        throw ToolError(file: frame.name, reason: error.description)
      } catch let error as CallEnded {
        throw ToolError(file: frame.name, reason: error.description)
      }
    }
    printer.finish()
    return 0
  }
}

/// The result of a frame: the members of the frame, then those of the image's result.
private struct FrameResult: PrintableResult {
  var result: any ImageResult
  var index: Int
  var seconds: Double

  var json: JSONValue {
    guard case .object(let members) = result.json else { return result.json }
    return .object(
      [
        JSONValue.Member(key: "frame", value: .int(index)),
        JSONValue.Member(key: "timestamp_ms", value: .double(seconds * 1000)),
      ] + members)
  }

  var text: String { result.text }
}
