import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletSyntheticData

/// The sample inputs of the studio: generated ones, and the images of a directory.
///
/// - Thread safety: callable concurrently. An image is generated when it is first requested.
final class StudioSamples: Sendable {
  private struct Entry {
    var name: String
    var kind: String
    var tasks: [String]
    var contents: Contents
  }

  private enum Contents {
    /// The index of an image among the generated ones.
    case drawn(Int)
    case sound(SoundKind)
    case text(String)
    case file(String)
  }

  static let maximumFiles = 24
  private static let seed = DemoImages.seed

  private let entries: [Entry]
  private let drawn = Mutex<[Int: [UInt8]]>([:])

  /// - Parameter folder: A directory of images; `nil` for none.
  /// - Throws: `ToolError` if the directory cannot be read.
  init(folder: String?) throws {
    var entries: [Entry] = []
    let imageTasks = StudioTask.all.filter { $0.input.rawValue.hasPrefix("image") }.map(\.id)
    if let folder {
      try InputFile.requireFolder(folder)
      for path in try FolderListing.images(in: folder).prefix(Self.maximumFiles) {
        entries.append(
          Entry(name: (path as NSString).lastPathComponent, kind: "image", tasks: imageTasks, contents: .file(path)))
      }
    }
    for (index, scene) in Self.scenes.enumerated() {
      entries.append(Entry(name: scene.name, kind: "image", tasks: scene.tasks, contents: .drawn(index)))
    }
    for kind in SoundKind.allCases where kind != .silence {
      entries.append(Entry(name: kind.name, kind: "sound", tasks: ["classify-audio"], contents: .sound(kind)))
    }
    for topic in SentenceTopic.allCases {
      let sentence = SyntheticSentence(seed: Self.seed, number: topic.rawValue, topic: topic)
      entries.append(Entry(name: topic.name, kind: "text", tasks: [], contents: .text(sentence.text)))
    }
    self.entries = entries
  }

  private static let scenes: [(name: String, tasks: [String], task: SceneTask, number: Int)] = [
    ("Faces 1", ["detect-faces"], .face, 0), ("Faces 2", ["detect-faces"], .face, 1),
    ("Faces 3", ["detect-faces"], .face, 2), ("Objects 1", ["detect-objects", "track"], .detection, 0),
    ("Objects 2", ["detect-objects", "track"], .detection, 1), ("Shapes 1", ["segment"], .segmentation, 0),
    ("Shapes 2", ["segment"], .segmentation, 1), ("Thing 1", ["classify"], .classification, 0),
    ("Thing 2", ["classify"], .classification, 1), ("View 1", ["embed"], .embedding, 0),
    ("View 2", ["embed"], .embedding, 1), ("View 3", ["embed"], .embedding, SceneTask.viewsPerIdentity),
  ]

  /// The list for the page.
  var json: JSONValue {
    .array(
      entries.enumerated().map { index, entry in
        var members: [JSONValue.Member] = [
          .init(key: "id", value: .int(index)), .init(key: "name", value: .string(entry.name)),
          .init(key: "kind", value: .string(entry.kind)), .init(key: "tasks", value: .strings(entry.tasks)),
        ]
        if case .text(let text) = entry.contents { members.append(.init(key: "text", value: .string(text))) }
        return .object(members)
      })
  }

  /// Returns a sample's media type and bytes.
  ///
  /// - Throws: `UsageError` if there is no such sample, and errors of the file.
  func sample(_ id: String?) throws -> (type: String, bytes: [UInt8]) {
    guard let index = id.flatMap({ Int($0) }), entries.indices.contains(index) else {
      throw UsageError("there is no sample '\((id ?? "").excerpt)'")
    }
    switch entries[index].contents {
    case .drawn(let index): return ("image/png", try image(index))
    case .sound(let kind):
      let sound = SyntheticSound(seed: Self.seed, number: kind.rawValue, kind: kind)
      return ("audio/wav", WAVEncoder.bytes(sound.samples, sampleRate: SyntheticSound.sampleRate))
    case .text(let text): return ("text/plain; charset=utf-8", Array(text.utf8))
    case .file(let path):
      let bytes = try MappedFile.read(path, maximumByteCount: ImageDecoderLimits.default.maximumFileByteCount).bytes
      return (bytes.starts(with: [0x89, 0x50]) ? "image/png" : "image/jpeg", Array(bytes))
    }
  }

  /// Returns a generated image, drawn when it's first requested.
  private func image(_ index: Int) throws -> [UInt8] {
    try drawn.withLock { drawn in
      if let image = drawn[index] { return image }
      let scene = Self.scene(Self.scenes[index].task, Self.scenes[index].number)
      let image = try ImageEncoder.encodePNG(try Scene.drawn([scene])[0].image)
      drawn[index] = image
      return image
    }
  }

  /// Returns the scene with the given number among those that show what the task looks for.
  private static func scene(_ task: SceneTask, _ number: Int) -> Scene {
    func scene(_ number: Int) -> Scene {
      Scene(task, seed: seed, number: number, width: 480, height: 480).withoutCameraFaults()
    }
    guard task == .face else { return scene(number) }
    return (0..<200).lazy.map(scene).filter { !$0.faces.isEmpty }.dropFirst(number).first ?? scene(number)
  }
}
