import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletSyntheticData
import SwiftletVision

/// An image of the demo with its ground truth.
struct DemoImage {
  /// The file name without its extension.
  var name: String
  var drawn: DrawnScene

  var image: InputImage { InputImage(drawn.image) }
  /// The path of the image in the demo's directory.
  var file: String { "\(DemoImages.folder)/\(name).png" }
}

/// The images of the demo. They are generated in every run, from a seed that no model was trained on unless the user
/// chooses one.
struct DemoImages {
  /// The directory of the images without annotations.
  static let folder = "pictures"
  static let videoFolder = folder + "/video"
  /// The default seed; training uses small numbers.
  static let seed: UInt64 = 20_261_122
  private static let objectsInVideo = 3

  var faces: [DemoImage]
  var objects: [DemoImage]
  var segments: [DemoImage]
  var things: [DemoImage]
  /// Two images each of three objects, in consecutive order.
  var views: [DemoImage]
  var video: [DrawnScene]

  /// All images but the video frames.
  var singles: [DemoImage] { faces + objects + segments + things + views }

  /// Generates the images.
  ///
  /// - Parameters:
  ///   - side: The width and height of an image; video frames have four fifths of it.
  ///   - progress: A closure that is called with the name of the next step.
  init(seed: UInt64, side: Int, frameCount: Int, progress: (String) -> Void) throws {
    func scene(_ task: SceneTask, _ number: Int) -> Scene {
      Scene(task, seed: seed, number: number, width: side, height: side).withoutCameraFaults()
    }
    func demoImages(_ name: String, _ scenes: [Scene]) throws -> [DemoImage] {
      progress(name)
      return try Scene.drawn(scenes).enumerated().map { DemoImage(name: "\(name)-\($0 + 1)", drawn: $1) }
    }
    /// Returns the first scenes of a task that meet the conditions, in the order of the conditions.
    func chosen(_ task: SceneTask, _ questions: [(Scene) -> Bool]) -> [Scene] {
      var number = 0
      return questions.map { isWanted in
        var candidate = scene(task, number)
        number += 1
        for _ in 0..<200 where !isWanted(candidate) {
          candidate = scene(task, number)
          number += 1
        }
        return candidate
      }
    }
    faces = try demoImages(
      "faces",
      chosen(
        .face,
        [
          { $0.faces.count == 1 && $0.faces[0].size > 0.3 }, { $0.faces.count == 2 }, { $0.faces.count > 2 },
          { $0.faces.isEmpty },
        ]))
    objects = try demoImages(
      "objects",
      chosen(
        .detection,
        [{ $0.objects.count == 2 }, { $0.objects.count == 3 }, { $0.objects.count == 4 }, { $0.objects.count > 4 }]))
    segments = try demoImages(
      "segments",
      chosen(.segmentation, [{ $0.objects.count == 2 }, { $0.objects.count == 3 }, { $0.objects.count == 4 }]))
    things = try demoImages("things", (0..<6).map { scene(.classification, $0) })
    let views = (0..<3).flatMap { thing in (0..<2).map { scene(.embedding, thing * SceneTask.viewsPerIdentity + $0) } }
    self.views = try demoImages("views", views)
    progress("video")
    let frameSide = max(16, side * 4 / 5)
    let video = SceneVideo(seed: seed, width: frameSide, height: frameSide, objectCount: Self.objectsInVideo)
    self.video = try Scene.drawn((0..<frameCount).map { video.scene(at: Float($0) / Float(frameCount)) })
  }

  /// Returns the name of a frame's file, without its directory.
  static func frameName(_ index: Int, ending: String) -> String {
    let digits = "\(index)"
    return "frame_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "." + ending
  }
}

/// The output directory of the demo. Files are written to a temporary place and moved together when they are complete,
/// with the page last.
struct DemoFolder {
  static let page = "index.html"

  let path: String
  private let aside: String
  private let isNew: Bool
  private var names: [String] = []

  /// Creates the output.
  ///
  /// - Throws: `ToolError` if the directory isn't writable.
  init(_ path: String) throws {
    self.path = path
    isNew = !FileManager.default.fileExists(atPath: path)
    aside = path + "/.swiftlet-demo-" + UUID().uuidString
    try OutputFile.makeFolder(aside)
  }

  /// Writes a file, and creates its directory if needed.
  ///
  /// - Parameter name: The path relative to the directory.
  mutating func write(_ bytes: [UInt8], as name: String) throws {
    if let slash = name.lastIndex(of: "/") { try OutputFile.makeFolder(aside + "/" + name[..<slash]) }
    try OutputFile.write(bytes, to: aside + "/" + name)
    names.append(name)
  }

  /// Returns whether a file was written.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Moves the files to the directory, in place of the files of a previous demo.
  func publish() throws {
    // Check everything that could prevent publishing before anything is moved.
    for name in names {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder), isFolder.boolValue {
        throw ToolError(file: path + "/" + name, reason: "cannot be written: is a folder")
      }
    }
    for name in names where name.contains("/") { try OutputFile.makeFolder(path + "/" + Self.folder(name)) }
    // A previous demo with more frames or images would leave some behind.
    for prefix in ["frame_", "picture_"] {
      for folder in Set(names.filter { $0.contains("/" + prefix) }.map(Self.folder)) {
        let old = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []
        for name in old where name.hasPrefix(prefix) {
          try? FileManager.default.removeItem(atPath: "\(path)/\(folder)/\(name)")
        }
      }
    }
    for name in names.filter({ $0 != Self.page }) + names.filter({ $0 == Self.page }) {
      let target = path + "/" + name
      guard rename(aside + "/" + name, target) == 0 else {
        throw ToolError(file: target, reason: "cannot be written: " + String(cString: strerror(errno)))
      }
    }
    try? FileManager.default.removeItem(atPath: aside)
  }

  /// Removes the written files, and the directory if it did not exist before.
  func discard() {
    try? FileManager.default.removeItem(atPath: aside)
    if isNew, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func folder(_ name: String) -> String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
}
