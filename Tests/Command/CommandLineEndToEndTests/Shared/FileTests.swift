import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Files of the program")
struct FileTests {
  @Test(
    "names have no special path characters, and at most 100 characters",
    arguments: [
      ("aZ09-.x", "aZ09-.x"), ("a b/c\\d:e", "a_b_c_d_e"), ("é½", "__"), ("", ""), (".", "_"), ("..", "__"),
      ("..a", "..a"), ("a\u{0}", "a_"), (String(repeating: "y", count: 100), String(repeating: "y", count: 100)),
      (String(repeating: "y", count: 101), String(repeating: "y", count: 100)),
    ])
  func safeName(name: String, safe: String) {
    #expect(OutputFile.safeName(name) == safe)
  }

  @Test("the stem of a path is its name without directory and extension")
  func stem() {
    #expect(OutputFile.stem(of: "/a/b.c/photo.of.me.jpg") == "photo.of.me" && OutputFile.stem(of: "x") == "x")
  }

  @Test("reports files that cannot be written with the reason")
  func write() throws {
    let folder = try TemporaryFolder()
    try OutputFile.write([1, 2], to: folder.path("f"))
    #expect(FileManager.default.contents(atPath: folder.path("f")) == Data([1, 2]))
    let error: ToolError? = thrownError { try OutputFile.write([], to: folder.path("")) }
    #expect(error?.reason == "cannot be written: is a folder")
    try OutputFile.makeFolder(folder.path("a/b"))
    try OutputFile.makeFolder(folder.path("a/b"))
    #expect(FileManager.default.fileExists(atPath: folder.path("a/b")))
    let taken: ToolError? = thrownError { try OutputFile.makeFolder(folder.path("f/x")) }
    #expect(taken?.file == folder.path("f/x") && taken?.reason.hasPrefix("cannot be made a folder: ") == true)
  }

  @Test("file names are sorted numerically, without hidden files")
  func listing() throws {
    let folder = try TemporaryFolder()
    for name in ["p10.PNG", "p2.png", "p1.jpg", "q.jpeg", ".hidden.png", "notes.txt", "p02.png"] {
      _ = try folder.write([], to: name)
    }
    let names = try FolderListing.paths(in: folder.path("")).map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(names == ["notes.txt", "p1.jpg", "p02.png", "p2.png", "p10.PNG", "q.jpeg"])
    #expect(
      try FolderListing.images(in: folder.path("")).map { URL(fileURLWithPath: $0).lastPathComponent }
        == ["p1.jpg", "p02.png", "p2.png", "p10.PNG", "q.jpeg"])
    let path = folder.path("").hasSuffix("/") ? folder.path("") : folder.path("") + "/"
    #expect(try FolderListing.paths(in: path).first == path + "notes.txt")
    #expect(try FolderListing.paths(in: String(path.dropLast())).first == path + "notes.txt")
    try FileManager.default.createDirectory(atPath: path + "empty", withIntermediateDirectories: false)
    _ = try folder.write([], to: "empty/a.gif")
    let empty: ToolError? = thrownError { try FolderListing.images(in: path + "empty") }
    #expect(empty?.reason == "the folder holds no images (.jpg, .jpeg or .png)")
    let missing: ToolError? = thrownError { try FolderListing.paths(in: path + "none") }
    #expect(missing?.file == path + "none" && missing?.reason.hasPrefix("cannot be read: ") == true)
  }

  @Test("reports a missing file or directory with a suggestion")
  func missing() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([], to: "model.tflite")
    try InputFile.require(folder.path("model.tflite"))
    let near: ToolError? = thrownError { try InputFile.require(folder.path("modle.tflite")) }
    #expect(near?.reason == "there is no such file; did you mean '\(folder.path("model.tflite"))'?")
    let far: ToolError? = thrownError { try InputFile.requireFolder(folder.path("xyz")) }
    #expect(
      far?.reason == "there is no such folder" && far?.description == folder.path("xyz") + ": there is no such folder")
  }

  @Test("a missing model can be a published one, or have a similar name")
  func missingModel() throws {
    #expect(
      ModelArgument.reasonForMissing("hand-landmarker")
        == "is a published model that is not downloaded; 'swiftlet models fetch hand-landmarker' downloads it")
    #expect(
      ModelArgument.reasonForMissing("hand-landmarkr")
        == "there is no such file; did you mean the published model 'hand-landmarker'?")
    for path in ["x/hand-landmarkr", "hand-landmarkr.tflite", "hand-landmarkr.task", "qqqqqqq"] {
      #expect(ModelArgument.reasonForMissing(path) == "there is no such file", "\(path)")
    }
    #expect(ModelArgument.path("/dev/null") == "/dev/null" && ModelArgument.path("nowhere") == "nowhere")
    let error: ToolError? = thrownError { try ModelArgument.require("qqqqqqq") }
    #expect(error?.description == "qqqqqqq: there is no such file")
    try ModelArgument.require("/dev/null")
  }

  @Test("models are files of the task's kind, or published names")
  func modelKinds() {
    guard case .file(let bundles, let names) = ModelArgument.kind(for: .landmarkHands),
      case .file(let files, let others) = ModelArgument.kind(for: .classify)
    else {
      Issue.record("other kinds")
      return
    }
    #expect(bundles == [".task"] && names.contains("hand-landmarker") && !names.contains("deeplab-v3"))
    #expect(files == [".tflite"] && !others.contains("hand-landmarker") && !others.isEmpty)
    #expect(ModelArgument.names().contains("hand-landmarker") && ModelArgument.names().contains("deeplab-v3"))
  }

  // MARK: Images

  private func loader(_ words: String...) throws -> ImageLoader {
    ImageLoader(try Arguments(words + ["p.png"], for: ClassifyCommand.declaration))
  }

  /// Returns a JPEG file whose EXIF orientation requires rotation.
  private func rotated(by orientation: UInt8) throws -> [UInt8] {
    let image = try ImageBuffer(
      bytes: [UInt8](repeating: 99, count: 8 * 4), width: 8, height: 4, pixelFormat: .gray8)
    let tiff: [UInt8] = [
      0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0,
    ]
    let exif = Array("Exif".utf8) + [0, 0] + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + (try ImageEncoder.encodeJPEG(image)).dropFirst(2)
  }

  @Test("an image with EXIF rotation is used as stored, with a warning unless --rotate is given")
  func orientation() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(rotated(by: 6), to: "r.jpg"), plain = try folder.write(rotated(by: 1), to: "u.jpg")
    var warnings: [String] = []
    let image = try loader().load(path) { warnings.append($0) }
    #expect(image.orientation == .up && image.width == 8 && image.height == 4)
    #expect(
      warnings == [
        "\(path): EXIF says that the image is stored as 'right'; it is used as stored; rotate it with --rotate"
      ])
    #expect(try loader("--rotate", "180").load(path) { warnings.append($0) }.orientation == .down)
    _ = try loader("--rotate", "0").load(path) { warnings.append($0) }
    _ = try loader().load(plain) { warnings.append($0) }
    #expect(warnings.count == 1)
    let broken: ToolError? = thrownError { try loader().load([1, 2, 3], name: "bytes") }
    #expect(broken?.file == "bytes" && broken?.reason.isEmpty == false)
    let missing: ToolError? = thrownError { try loader().load(folder.path("none.png")) }
    #expect(missing?.reason == "there is no such file")
  }

  @Test("an annotated image is a PNG or JPEG file by name")
  func annotation() throws {
    let folder = try TemporaryFolder()
    for (name, first) in [("a.png", UInt8(0x89)), ("a.jpeg", 0xFF)] {
      let arguments = try Arguments(["--annotate", folder.path(name), "p"], for: ClassifyCommand.declaration)
      let annotation = try #require(try Annotation(arguments, isList: false))
      let image = try grayImage(9, 5)
      try annotation.write(
        image, ClassificationsResult(path: "p", classification: Classification(heads: []), shownCount: 1))
      let bytes = try #require(FileManager.default.contents(atPath: folder.path(name)))
      #expect(bytes.first == first)
      let decoded = try ImageDecoder.decode(path: folder.path(name)).image
      #expect(decoded.width == 9 && decoded.height == 5)
    }
  }

  @Test("frames are named by six digits")
  func frameNames() throws {
    #expect(FrameFolder.name(7) == "frame_000007" && FrameFolder.name(1_234_567) == "frame_1234567")
    #expect(DemoImages.frameName(7, ending: "png") == "frame_000007.png")
    #expect(DemoImages.frameName(123_456, ending: "jpg") == "frame_123456.jpg")
    #expect(DemoImages.frameName(1_234_567, ending: "jpg") == "frame_1234567.jpg")
    let folder = try TemporaryFolder()
    let none = try Arguments(["p"], for: TrackCommand.declaration)
    #expect(try FrameFolder(none) == nil)
    let given = try Arguments(["--annotate-dir", folder.path("d/e"), "p"], for: TrackCommand.declaration)
    try FrameFolder(given)?.write(try grayImage(9, 5).buffer, index: 12)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d/e")) == ["frame_000012.jpg"])
  }
}
