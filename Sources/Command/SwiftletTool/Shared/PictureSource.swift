import SwiftletCommandLine
import SwiftletImage
import SwiftletVision

/// The pictures named on the command line or on standard input, decoded one at a time.
struct PictureSource {
  private let paths: [String]
  private let readsList: Bool
  private let loader: PictureLoader

  /// - Throws: `UsageError` when there are no pictures, or standard input is wanted twice.
  init(_ arguments: Arguments) throws(UsageError) {
    paths = arguments.operands
    readsList = arguments.flag("stdin-list")
    loader = PictureLoader(arguments)
    if readsList, !paths.isEmpty {
      throw UsageError("--stdin-list and pictures on the command line exclude each other")
    }
    if !readsList, paths.isEmpty { throw UsageError("at least one picture is needed") }
    if paths.count(where: { $0 == "-" }) > 1 {
      throw UsageError("standard input holds one picture, '-' is given twice")
    }
  }

  /// Whether the result is a list, also when the list turns out to have one picture.
  var isList: Bool { readsList || paths.count > 1 }

  /// Calls `body` with each picture's path and pixels.
  ///
  /// - Throws: `ToolError` for the first picture that cannot be read, and what `body` throws.
  func forEach(_ body: (String, MPImage) throws -> Void) throws {
    if readsList {
      while let line = readLine() {
        guard line != "-" else {
          throw ToolError(file: "-", reason: "standard input holds the list of pictures, not a picture")
        }
        if !line.isEmpty { try body(line, try loader.load(line)) }
      }
    } else {
      for path in paths { try body(path, try loader.load(path)) }
    }
  }
}
