import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletImage
import SwiftletVision

/// The region of interest of `segment`: a point, or the points of a scribble.
enum RegionArguments {
  static let declarations: [OptionDeclaration] = [
    .value(
      "point", "X,Y", "segment the object at this point, in fractions of the width and height; for interactive models"),
    .value("scribble", .file(), "segment the object under these points, one X,Y per line; for interactive models"),
  ]

  /// The maximum size of a scribble file: more than a million points.
  private static let maximumBytes = 1 << 26

  /// Returns the region, or `nil` if none was specified.
  ///
  /// - Throws: `UsageError` for two regions or an invalid point, `ToolError` for a file that isn't a list of points.
  static func region(_ arguments: Arguments) throws -> InteractiveRegion? {
    switch (arguments.string("point"), arguments.string("scribble")) {
    case (nil, nil): return nil
    case (_?, _?): throw UsageError("--point and --scribble are mutually exclusive")
    case (let text?, nil):
      guard let point = point(text) else {
        throw UsageError(
          "--point takes two numbers, fractions of the width and height, such as 0.5,0.25, got '\(text.excerpt)'")
      }
      return .point(point)
    case (nil, let path?): return .scribble(try scribble(path))
    }
  }

  /// Returns the coordinates of a point, which can be outside the image.
  private static func point(_ text: some StringProtocol) -> NormalizedPoint? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Float($0.trimmingCharacters(in: .whitespaces)) ?? .nan
    }
    guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else { return nil }
    return NormalizedPoint(x: numbers[0], y: numbers[1])
  }

  private static func scribble(_ path: String) throws -> [NormalizedPoint] {
    try InputFile.require(path)
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
    } catch {
      throw ToolError(file: path, reason: "cannot be read: \(error.localizedDescription.excerpt)")
    }
    guard data.count <= maximumBytes else {
      throw ToolError(file: path, reason: "has more than the \(maximumBytes) bytes that a scribble may have")
    }
    var points: [NormalizedPoint] = []
    for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if text.isEmpty { continue }
      guard let point = point(text) else {
        throw ToolError(
          file: path, reason: "line \(index + 1): expected X,Y such as 0.5,0.25, got '\(String(text).excerpt)'")
      }
      points.append(point)
    }
    guard !points.isEmpty else { throw ToolError(file: path, reason: "has no points; it takes one X,Y a line") }
    return points
  }
}

/// The options of all commands that run a model.
enum RuntimeArguments {
  static let declarations: [OptionDeclaration] = [
    .value("threads", .integer(1...1024), "the number of threads per run (default: all cores)"),
    .value("numerics", .choice(of: Numerics.self), "the rounding of integer operators (default: fast)"),
    .value(
      "precision", .choice(of: Precision.self),
      "the precision of floating-point matrix products; reduced is faster (default: full)"),
    timeout,
    .flag(
      "checked",
      "run in checked mode: guard pages surround every tensor, and an out-of-bounds access ends the program (slow)"),
  ]

  static let timeout = OptionDeclaration.value(
    "timeout", .number(0.001...1_000_000),
    "fail if loading, or a single image, text, audio file, or run, takes longer than this number of seconds (default: no limit)"
  )

  /// The maximum memory of a result; a document of it takes several times as much.
  private static let resultBytes = 1 << 28

  static let json = OptionDeclaration.flag("json", "print a JSON document")

  /// Returns the runtime options. In checked mode, a violation from here on is reported with its operator.
  static func options(_ arguments: Arguments) -> RuntimeOptions {
    let isChecked = arguments.flag("checked")
    if isChecked { ViolationReport.install() }
    return RuntimeOptions(
      threads: arguments.int("threads") ?? ProcessInfo.processInfo.activeProcessorCount,
      numerics: arguments.choice("numerics", as: Numerics.self) ?? .fast,
      precision: arguments.choice("precision", as: Precision.self) ?? .full, timeout: duration(arguments),
      isChecked: isChecked)
  }

  /// Returns base options for a model that `jobs` concurrent jobs use, each on one thread if there are several jobs.
  static func baseOptions(_ model: ModelSource, _ arguments: Arguments, jobs: Int) -> BaseOptions {
    var options = BaseOptions(model: model, options(arguments))
    options.maxConcurrentCalls = jobs
    if jobs > 1, arguments.int("threads") == nil { options.threads = 1 }
    options.limits.resultBytes = resultBytes
    return options
  }

  /// Returns the options of a task whose results are masks, which are written to files of their own.
  static func withRoomForMasks(_ options: BaseOptions) -> BaseOptions {
    var options = options
    options.limits.resultBytes = RuntimeOptions.Limits().resultBytes
    return options
  }

  /// Returns the duration of `--timeout`.
  static func duration(_ arguments: Arguments) -> Duration? { arguments.float("timeout").map { .seconds(Double($0)) } }
}
