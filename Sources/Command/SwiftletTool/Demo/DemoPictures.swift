import SwiftletImage
import SwiftletScenes
import SwiftletVision

/// A picture of the demonstration, with what is known to be in it.
struct DemoPicture {
  /// Without ending.
  var name: String
  var drawn: DrawnScene

  var image: InputImage { InputImage(drawn.picture) }
  /// Where the picture lies in the folder.
  var file: String { "\(DemoPictures.folder)/\(name).png" }
}

/// The pictures of the demonstration: drawn anew each time, from a seed that no model was trained on unless somebody
/// asks for it.
struct DemoPictures {
  /// The folder of the pictures as they are drawn.
  static let folder = "pictures"
  static let videoFolder = folder + "/video"
  /// The seed when none is asked for; those of training are small numbers.
  static let seed: UInt64 = 20_261_122
  private static let objectsInVideo = 3

  var faces: [DemoPicture]
  var objects: [DemoPicture]
  var segments: [DemoPicture]
  var things: [DemoPicture]
  /// Three things, two pictures of each, one after the other.
  var views: [DemoPicture]
  var video: [DrawnScene]

  /// All but the frames.
  var singles: [DemoPicture] { faces + objects + segments + things + views }

  /// - Parameters:
  ///   - side: width and height of a picture; a frame has four fifths of it.
  ///   - progress: called with the name of the next step.
  init(seed: UInt64, side: Int, frameCount: Int, progress: (String) -> Void) throws {
    func scene(_ task: SceneTask, _ number: Int) -> Scene {
      Scene(task, seed: seed, number: number, width: side, height: side).withoutCameraFaults()
    }
    func pictures(_ name: String, _ scenes: [Scene]) throws -> [DemoPicture] {
      progress(name)
      return try Scene.drawn(scenes).enumerated().map { DemoPicture(name: "\(name)-\($0 + 1)", drawn: $1) }
    }
    /// The first scenes of a task that have what is asked for, in the order of the questions.
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
    faces = try pictures(
      "faces",
      chosen(
        .face,
        [
          { $0.faces.count == 1 && $0.faces[0].size > 0.3 }, { $0.faces.count == 2 }, { $0.faces.count > 2 },
          { $0.faces.isEmpty },
        ]))
    objects = try pictures(
      "objects",
      chosen(
        .detection,
        [{ $0.objects.count == 2 }, { $0.objects.count == 3 }, { $0.objects.count == 4 }, { $0.objects.count > 4 }]))
    segments = try pictures(
      "segments",
      chosen(.segmentation, [{ $0.objects.count == 2 }, { $0.objects.count == 3 }, { $0.objects.count == 4 }]))
    things = try pictures("things", (0..<6).map { scene(.classification, $0) })
    let views = (0..<3).flatMap { thing in (0..<2).map { scene(.embedding, thing * SceneTask.viewsPerIdentity + $0) } }
    self.views = try pictures("views", views)
    progress("video")
    let frameSide = max(16, side * 4 / 5)
    let video = SceneVideo(seed: seed, width: frameSide, height: frameSide, objectCount: Self.objectsInVideo)
    self.video = try Scene.drawn((0..<frameCount).map { video.scene(at: Float($0) / Float(frameCount)) })
  }

  /// The name of a frame's file, without its folder.
  static func frameName(_ index: Int, ending: String) -> String {
    let digits = "\(index)"
    return "frame_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "." + ending
  }
}
