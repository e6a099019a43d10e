import Foundation
import SwiftletCommandLine
import SwiftletBase
import SwiftletImage
import SwiftletVision

/// The region of interest of `segment`: a point, or the points of a scribble.
enum RegionArguments {
  static let declarations: [OptionDeclaration] = [
    .value("point", "X,Y", "cut out what lies here, as fractions of the width and height; for interactive models"),
    .value("scribble", .file(), "cut out what lies under these points, one X,Y a line; for interactive models"),
  ]

  /// The longest file of a scribble: more than a million points.
  private static let mostBytes = 1 << 26

  /// `nil` where no region is asked for.
  ///
  /// - Throws: `UsageError` for two regions and for what is no point, `ToolError` for a file that is no list of points.
  static func region(_ arguments: Arguments) throws -> InteractiveRegion? {
    switch (arguments.string("point"), arguments.string("scribble")) {
    case (nil, nil): return nil
    case (_?, _?): throw UsageError("--point and --scribble exclude each other")
    case (let text?, nil):
      guard let point = point(text) else {
        throw UsageError(
          "--point takes two numbers, fractions of the width and height, such as 0.5,0.25, got '\(text.excerpt)'")
      }
      return .point(point)
    case (nil, let path?): return .scribble(try scribble(path))
    }
  }

  /// The numbers of a point; whether it lies in the picture does not matter.
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
      data = try handle.read(upToCount: mostBytes + 1) ?? Data()
    } catch {
      throw ToolError(file: path, reason: "cannot be read: \(error.localizedDescription.excerpt)")
    }
    guard data.count <= mostBytes else {
      throw ToolError(file: path, reason: "has more than the \(mostBytes) bytes that a scribble may have")
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
