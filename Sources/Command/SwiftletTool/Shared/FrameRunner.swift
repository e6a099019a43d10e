import SwiftletCommandLine
import SwiftletDrawing
import SwiftletJSON
import SwiftletBase
import SwiftletVision

/// Runs a task over the frames of a video and prints its results in the form asked for.
struct FrameRunner {
  static let video = OptionDeclaration.flag(
    "video", "the operands are the frames of a video, in order: files, folders of them, or - for a pipe")

  /// The options that mean nothing for images.
  static let options: [OptionDeclaration] = [
    .value("fps", .number(0.001...10000), "frames a second (default: 30)"),
    .value("step-ms", .integer(1...86_400_000), "milliseconds from frame to frame, instead of --fps"),
    FrameSource.raw, FrameFolder.declaration,
  ]

  private let source: FrameSource
  private let form: OutputForm
  private let folder: FrameFolder?
  private let step: Double
  private let timeout: Duration?

  /// - Throws: `UsageError` before any file is touched, and `ToolError` when there is no room for what is drawn.
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

  /// - Throws: `UsageError` when there is an option that only a video has.
  static func refuseOptions(_ arguments: Arguments) throws(UsageError) {
    for option in options where arguments.string(option.name) != nil {
      throw UsageError("--\(option.name) is for the frames of a video; add --video")
    }
  }

  /// Seconds from frame to frame.
  private static func step(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let milliseconds = arguments.int("step-ms") else { return 1 / Double(arguments.float("fps") ?? 30) }
    guard arguments.string("fps") == nil else { throw UsageError("--fps and --step-ms are mutually exclusive") }
    return Double(milliseconds) / 1000
  }

  /// Runs the task on every frame.
  ///
  /// - Parameter perform: the task; gets a frame and its time.
  /// - Returns: the exit status.
  func run(_ perform: (NamedImage, Duration) throws -> any ImageResult) throws -> Int32 {
    var printer = ResultPrinter(form, isList: true)
    // What was printed of a document is one also where a frame fails.
    defer { printer.close() }
    try source.forEach { frame in
      let seconds = Double(frame.index) * step
      let picture = NamedImage(
        name: frame.name, path: frame.path, stem: FrameFolder.name(frame.index), image: frame.image)
      do {
        try CallContext.within(timeout) {
          let result = try perform(picture, .seconds(seconds))
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

/// What a task says of a frame: what it says of the image, and before all else what makes it a frame.
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
