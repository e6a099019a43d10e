import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The frames of a video: files in the given order, images of a directory by name, or piped input.
struct FrameSource {
  /// A frame with its name: its file, or its number if it has none.
  struct Frame {
    var index: Int
    var path: String?
    var image: InputImage

    var name: String { path ?? "frame \(index)" }
  }

  /// The maximum width and height of a raw frame, as for decoded images.
  private static let maximumSide = ImageDecoderLimits.default.maximumWidth
  private static let chunkByteCount = 1 << 18

  private let operands: [String]
  private let loader: ImageLoader
  private let rawSize: (width: Int, height: Int)?

  static let raw = OptionDeclaration.value(
    "raw", "WIDTHxHEIGHT",
    "read raw RGB frames of this size from standard input (ffmpeg -f rawvideo -pix_fmt rgb24)")

  /// Creates the source.
  ///
  /// - Throws: `UsageError` if standard input is one of several sources, or if a raw format is specified without
  ///   reading standard input.
  init(_ arguments: Arguments) throws(UsageError) {
    operands = arguments.operands
    loader = ImageLoader(arguments)
    rawSize = try Self.rawSize(arguments)
    let isPiped = operands.contains("-")
    guard !isPiped || operands.count == 1 else {
      throw UsageError("'-' stands for all frames; no others can be given with it")
    }
    guard rawSize == nil || isPiped else {
      throw UsageError("--raw is for frames on standard input; give '-' for them")
    }
  }

  /// Calls `body` with each frame, in order.
  ///
  /// - Throws: `ToolError` for the first unreadable frame, and errors of `body`.
  func forEach(_ body: (Frame) throws -> Void) throws {
    var index = 0
    func give(_ image: InputImage, _ path: String?) throws {
      try body(Frame(index: index, path: path, image: image))
      index += 1
    }
    if operands == ["-"] {
      if let rawSize {
        try forEachRawFrame(rawSize) { try give($0, nil) }
      } else {
        try forEachPipedImage { try give(try loader.load($0, name: "frame \(index) of standard input"), nil) }
      }
    } else {
      for operand in operands {
        for path in try Self.files(operand) { try give(try loader.load(path), path) }
      }
    }
  }

  // MARK: Files

  /// Returns the file itself, or the images of a directory, with numbers in names sorted by value.
  private static func files(_ path: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    return try FolderListing.images(in: path)
  }

  // MARK: Standard input

  private func forEachPipedImage(_ body: ([UInt8]) throws -> Void) throws {
    var stream = ImageStream()
    do {
      while let bytes = try StandardStreams.input(upTo: Self.chunkByteCount) {
        stream.append(bytes)
        while let file = try stream.next() { try body(file) }
      }
      try stream.finish()
    } catch let error as ImageCodecError {
      throw ToolError(file: "standard input", reason: error.message)
    }
  }

  private func forEachRawFrame(_ size: (width: Int, height: Int), _ body: (InputImage) throws -> Void) throws {
    let byteCount = 3 * size.width * size.height
    var bytes: [UInt8] = []
    while let more = try StandardStreams.input(upTo: Self.chunkByteCount) {
      var rest = more[...]
      while !rest.isEmpty {
        let part = rest.prefix(byteCount - bytes.count)
        bytes += part
        rest = rest.dropFirst(part.count)
        guard bytes.count == byteCount else { continue }
        let image = try ImageBuffer(bytes: bytes, width: size.width, height: size.height, pixelFormat: .rgb8)
        try body(InputImage(image, orientation: loader.orientation))
        bytes.removeAll(keepingCapacity: true)
      }
    }
    guard bytes.isEmpty else {
      throw ToolError(
        file: "standard input",
        reason: "ends within a frame: \(bytes.count) of the \(byteCount) bytes of \(size.width) × \(size.height) pixels"
      )
    }
  }

  private static func rawSize(_ arguments: Arguments) throws(UsageError) -> (width: Int, height: Int)? {
    guard let text = arguments.string("raw") else { return nil }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy((1...maximumSide).contains),
      sides[0] * sides[1] <= ImageDecoderLimits.default.maximumPixelCount
    else { throw UsageError("--raw takes a size such as 640x480, got '\(text.excerpt)'") }
    return (sides[0], sides[1])
  }
}

/// The directory of `--annotate-dir`: an image per frame of a video.
struct FrameFolder {
  private let path: String

  static let declaration = OptionDeclaration.value(
    "annotate-dir", .folder,
    "write every frame of a video with the results drawn on it, as frame_000000.jpg and so on")

  /// Creates the directory, or `nil` without `--annotate-dir`.
  ///
  /// - Throws: `ToolError` if the directory cannot be created.
  init?(_ arguments: Arguments) throws {
    guard let path = arguments.string("annotate-dir") else { return nil }
    try OutputFile.makeFolder(path)
    self.path = path
  }

  /// Writes the image of a frame.
  func write(_ image: ImageBuffer, index: Int) throws {
    try OutputFile.write(try ImageEncoder.encodeJPEG(image), to: "\(path)/\(Self.name(index)).jpg")
  }

  /// Returns the name of a frame's files, without an extension.
  static func name(_ index: Int) -> String { String(format: "frame_%06d", index) }
}
