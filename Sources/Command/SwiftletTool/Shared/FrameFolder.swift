import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs

/// The folder of `--annotate-dir`: a picture for each frame of a video.
struct FrameFolder {
  private let path: String

  static let declaration = OptionDeclaration.value(
    "annotate-dir", .folder,
    "write every frame of a video with what was found drawn in, as frame_000000.jpg and so on")

  /// `nil` without `--annotate-dir`.
  ///
  /// - Throws: `ToolError` when the folder cannot be made.
  init?(_ arguments: Arguments) throws {
    guard let path = arguments.string("annotate-dir") else { return nil }
    try OutputFile.makeFolder(path)
    self.path = path
  }

  /// Writes the picture of a frame.
  func write(_ image: ImageBuffer, index: Int) throws {
    try OutputFile.write(try ImageEncoder.encodeJPEG(image), to: "\(path)/\(Self.name(index)).jpg")
  }

  /// What a frame's files are called, without an ending.
  static func name(_ index: Int) -> String { String(format: "frame_%06d", index) }
}
