import SwiftletBase
import SwiftletCommandLine
import Testing

@Suite("Missing files")
struct MissingFileTests {
  /// A directory with files, deleted at the end.
  private final class Folder {
    let path: String

    init() throws {
      path = "/tmp/swiftlet-missing-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
      for folder in ["", "/images"] { try #require(mkdir(path + folder, 0o755) == 0) }
      for file in ["model.tflite", "images/cat.jpg", "images/dog.jpg", ".hidden"] {
        let stream = try #require(fopen(path + "/" + file, "w"))
        fclose(stream)
      }
    }

    deinit {
      for file in ["model.tflite", "images/cat.jpg", "images/dog.jpg", ".hidden"] { unlink(path + "/" + file) }
      for folder in ["/images", ""] { rmdir(path + folder) }
    }
  }

  @Test(
    "suggests the file for a typo, also in a mistyped directory",
    arguments: [
      ("model.tfltie", "model.tflite"), ("Model.TFLITE", "model.tflite"), ("mode", "model.tflite"),
      ("images/cta.jpg", "images/cat.jpg"), ("image/dog.jpg", "images/dog.jpg"),
      ("images//dgo.jpg", "images/dog.jpg"), ("imagse/none.png", "images"), (".hiden", ".hidden"),
    ])
  func findsNear(typed: String, meant: String) throws {
    let folder = try Folder()
    #expect(MissingFile.hint(for: folder.path + "/" + typed) == "did you mean '\(folder.path)/\(meant)'?")
    #expect(MissingFile.isMissing(folder.path + "/" + typed))
  }

  @Test(
    "suggests nothing for existing files, or without similar names",
    arguments: [
      "model.tflite", "images", "images/cat.jpg", "hiden", "weights.bin", "images/x/y/z", "...", "images/..x",
    ])
  func findsNothing(path: String) throws {
    let folder = try Folder()
    #expect(MissingFile.hint(for: folder.path + "/" + path) == nil)
  }

  @Test("accepts names that no file can have")
  func impossibleNames() {
    for path in ["", "a\0b", String(repeating: "x", count: 100_000)] { #expect(MissingFile.hint(for: path) == nil) }
    #expect(MissingFile.isMissing("a\0b") && !MissingFile.isMissing("/"))
  }
}
