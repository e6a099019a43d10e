import Foundation
import SwiftletJSON
import Swiftlet
import SwiftletImage
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletModels
import SwiftletSyntheticData
import SwiftletTracking
import SwiftletVision

/// The results of the tracker on the video.
struct DemoTracking {
  static let folder = "tracking"
  static let strip = "tracking.png"
  static let framesPerSecond = 15.0
  private static let framesInStrip = 4

  /// The files of the frames with objects and trails, relative to the directory.
  var frames: [String] = []
  /// The caption of each frame.
  var captions: [String] = []
  /// The latency of one frame in milliseconds: detection, tracking, and classification.
  var latency: Sample
  var objectCount: Int
  var idCount: Int
  /// The number of ID switches.
  var switchCount: Int
  /// The recall: the share of ground-truth boxes that were detected.
  var foundShare: Double

  var agreement: DemoAgreement {
    DemoAgreement(
      isFull: idCount == objectCount && switchCount == 0, verdict: "\(objectCount) objects, \(idCount) IDs",
      detail: "\(switchCount) changes of ID, \(String(format: "%.1f", 100 * foundShare)) % of the boxes found")
  }

  var command: String {
    "swiftlet track \(DemoImages.videoFolder) --multiple --fps \(Int(Self.framesPerSecond)) --annotate-dir again"
  }

  var text: String { "\(DemoTimes.padded("track"))\(agreement.text), \(times.text) a frame\n" }

  var times: DemoTimes {
    let models = [EmbeddedModel.objectDetector, .imageClassifier].map(\.fileName).joined(separator: ", ")
    return DemoTimes(task: "track", title: "Tracking", model: models, unit: "frame", samples: [latency])
  }

  var json: JSONValue {
    .object([
      "frames": .strings(frames), "strip": .string(Self.strip), "median_ms": .double(latency.median),
      "objects": .int(objectCount), "ids": .int(idCount),
      "id_changes": .int(switchCount), "recall": .double(foundShare),
    ])
  }

  /// Tracks the objects of a video, and writes its frames with and without annotations.
  ///
  /// - Parameter video: The frames, at least one.
  init(_ video: [DrawnScene], runtime: RuntimeOptions, folder: inout DemoFolder, progress: (String) -> Void) throws {
    let session = try ObjectTracker(
      options: ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: BaseOptions(model: .embedded(.objectDetector), runtime)),
        classifier: ObjectClassifierOptions(
          baseOptions: BaseOptions(model: .embedded(.imageClassifier), runtime), maxLabelCount: 1),
        allowsMultipleObjects: true)
    ).video()
    var drawing = TrackDrawing()
    var (times, ids, drawnCount, foundCount): ([Double], Set<Int>, Int, Int) = ([], [], 0, 0)
    var lastID: [Int: Int] = [:]
    var shown: [ImageBuffer] = []
    switchCount = 0
    for (index, scene) in video.enumerated() {
      progress("frame \(index + 1)")
      let name = "\(DemoImages.videoFolder)/\(DemoImages.frameName(index, ending: "png"))"
      try folder.write(try ImageEncoder.encodePNG(scene.image), as: name)
      let frame = FrameSource.Frame(index: index, path: name, image: InputImage(scene.image))
      let seconds = Double(index) / Self.framesPerSecond
      let start = ContinuousClock.now
      let objects = try session.objects(in: frame.image, at: .seconds(seconds))
      times.append(start.duration(to: .now) / .milliseconds(1))
      ids.formUnion(objects.compactMap(\.trackingID))
      let matches = DemoGroundTruth.matches(
        objects.map(\.box), scene.objects.map { DemoGroundTruth.rectangle($0.box, frame.image) }
      ) { _, _ in true }
      drawnCount += scene.objects.count
      foundCount += matches.count
      for match in matches {
        guard let id = objects[match.found].trackingID else { continue }
        let object = scene.objects[match.drawn].category.rawValue
        if let last = lastID[object], last != id { switchCount += 1 }
        lastID[object] = id
      }
      let annotated = try drawing.drawn(
        TrackedFrameResult(frame: frame, timestampInMilliseconds: seconds * 1000, objects: objects))
      frames.append("\(Self.folder)/\(DemoImages.frameName(index, ending: "jpg"))")
      try folder.write(try ImageEncoder.encodeJPEG(annotated), as: frames[index])
      captions.append(objects.map(\.caption).joined(separator: ", "))
      shown.append(annotated)
    }
    latency = Sample(times)
    objectCount = Set(video.flatMap { $0.objects.map(\.category) }).count
    idCount = ids.count
    foundShare = drawnCount == 0 ? 1 : Double(foundCount) / Double(drawnCount)
    try folder.write(try ImageEncoder.encodePNG(try Self.strip(shown)), as: Self.strip)
  }

  /// Returns an image with a few frames next to each other.
  private static func strip(_ frames: [ImageBuffer]) throws -> ImageBuffer {
    let count = min(framesInStrip, frames.count)
    let chosen = (1...count).map { frames[$0 * frames.count / count - 1] }
    let (width, height) = (chosen[0].width, chosen[0].height)
    let rows = chosen.map { $0.packedBytes() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * width * height * count)
    for row in 0..<height {
      for image in rows { bytes += image[(3 * width * row)..<(3 * width * (row + 1))] }
    }
    return try ImageBuffer(bytes: bytes, width: width * count, height: height, pixelFormat: .rgb8)
  }
}
