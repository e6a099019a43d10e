import Foundation
import SwiftletGolden
import Testing

@Suite("Generation of training images")
struct GenerateScenesTests {
  private static func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, program: "GenerateScenes")
  }

  private static let files: [String: [String: (type: String, shape: [Int])]] = [
    "face": ["boxes": ("float32", [9, 4, 4]), "keypoints": ("float32", [9, 4, 6, 2]), "counts": ("int32", [9])],
    "detection": ["boxes": ("float32", [9, 6, 4]), "classes": ("int32", [9, 6])],
    "segmentation": ["masks": ("uint8", [9, 24, 32])],
    "classification": ["classes": ("int32", [9])],
    "embedding": ["identities": ("int32", [9])],
  ]

  @Test("writes the files of a task with the sizes in their headers", arguments: files.keys.sorted())
  func shapes(task: String) throws {
    let folder = try TemporaryFolder()
    let result = try Self.run(
      "--task", task, "--count", "9", "--seed", "3", "--width", "32", "--height", "24", "--output", folder.path("out"))
    #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty, "\(result.error)")
    var expected = try #require(Self.files[task])
    expected["images"] = ("uint8", [9, 24, 32, 3])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
        == expected.keys.map { $0 + ".npy" }.sorted())
    for (name, form) in expected {
      let array = try NPYFile.read(folder.path("out/\(name).npy"))
      #expect(array.elementType.numpyName == form.type && array.shape == form.shape)
      #expect(Set(array.bytes).count > 1, "\(name) says nothing")
    }
  }

  @Test("writes audio and sentences with their labels")
  func examples() throws {
    let folder = try TemporaryFolder()
    for (task, name, type, length) in [("sound", "sounds", "float32", 8000), ("sentence", "sentences", "uint8", 128)] {
      let path = folder.path(task)
      let result = try Self.run("--task", task, "--count", "20", "--seed", "1", "--output", path)
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["classes.npy", name + ".npy"])
      let array = try NPYFile.read("\(path)/\(name).npy"), classes = try NPYFile.read("\(path)/classes.npy")
      #expect(array.elementType.numpyName == type && array.shape == [20, length])
      #expect(classes.elementType.numpyName == "int32" && classes.shape == [20])
      #expect(Set(array.bytes).count > 10 && Set(classes.bytes).count > 2)
    }
  }

  @Test("the same seed gives the same bytes, and another seed others")
  func seeds() throws {
    let folder = try TemporaryFolder()
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
      #expect(
        try Self.run(
          "--task", "detection", "--count", "70", "--seed", seed, "--width", "16", "--height", "16", "--output",
          folder.path(name)
        ).status == 0)
    }
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url(name + "/images.npy")) }
    #expect(try bytes("a") == bytes("b"))
    #expect(try bytes("a") != bytes("c"))
  }

  @Test("reports a wrong task, count, or directory in one line")
  func wrongUse() throws {
    let task = try Self.run("--task", "faces", "--count", "1", "--output", "/nowhere")
    #expect(
      task.status == 2 && task.error.contains("did you mean face?") && task.error.split(separator: "\n").count == 1)
    let count = try Self.run("--task", "face", "--count", "0", "--output", "/nowhere")
    #expect(count.status == 2 && count.error.contains("--count"))
    let file = try TemporaryFolder()
    let folder = try Self.run("--task", "face", "--count", "1", "--output", file.write([1], to: "file") + "/below")
    #expect(folder.status == 1 && folder.error.hasPrefix("error: ") && folder.error.split(separator: "\n").count == 1)
  }
}
