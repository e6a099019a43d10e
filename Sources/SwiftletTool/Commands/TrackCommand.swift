import Foundation
import SwiftletCommandLine
import SwiftletTracking
import SwiftletVision

/// `track`: objects in the frames of a video, each with an ID, and what they are.
enum TrackCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "track", summary: "finds objects in the frames of a video, follows them and names them", operands: "FRAMES…",
    operandCount: 1...100_000,
    options: [
      .value("detector", "FILE", "the model that finds objects, any object detection model (required)"),
      .value("classifier", "FILE", "the model that names them, an image classification model (default: no labels)"),
      .flag("multiple", "report several objects, not only the most prominent one"),
      .value("max-objects", "N", "the most objects reported with --multiple, 1 to 100 (default: 5)"),
      .value("score-threshold", "X", "take up objects from this score of the detector on, 0 to 1 (default: 0.4)"),
      .value("max-labels", "N", "the most labels of an object (default: 10)"),
      .value("confidence", "X", "leave out labels with a lower confidence, 0 to 1 (default: what the model says, else 0)"),
      CategoryArguments.locale,
      .value("fps", "X", "frames a second (default: 30)"),
      .value("every", "N", "search every Nth frame, and say for the others where objects are expected (default: 1)"),
      FrameSource.raw,
      .value("annotate-dir", "DIR", "write every frame with its objects and their trails drawn in, as frame_000000.jpg and so on"),
      TaskArguments.rotation,
    ] + TaskArguments.normalization + RuntimeArguments.declarations + [RuntimeArguments.json, TaskArguments.jsonLines],
    notes: "FRAMES are PNG or JPEG files, folders of them, or - for a video's frames on standard input, as ffmpeg -f image2pipe writes them.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard !arguments.flag("json") || !arguments.flag("jsonl") else { throw UsageError("--json and --jsonl exclude each other") }
    let options = try trackerOptions(arguments)
    let rate = Double(try arguments.float("fps", in: 0.001...10000) ?? 30)
    let source = try FrameSource(arguments)
    let tracker = try ObjectTracker(options: options)
    var annotation = try TrackAnnotation(arguments)
    var documents: [JSONValue] = []
    try source.forEach { frame in
      let seconds = Double(frame.index) / rate
      let objects: [TrackedObject]
      do throws(ObjectDetectionError) {
        objects = try tracker.objects(in: frame.image, timestamp: .seconds(seconds))
      } catch {
        throw ToolError(file: frame.name, reason: error.message)
      }
      let result = TrackedFrameResult(frame: frame, timestampInMilliseconds: seconds * 1000, objects: objects)
      try annotation?.write(result)
      if arguments.flag("json") {
        documents.append(result.json)
      } else {
        StandardStreams.output(arguments.flag("jsonl") ? result.json.text + "\n" : result.text)
      }
    }
    if arguments.flag("json") { StandardStreams.output(JSONValue.array(documents).text + "\n") }
    return 0
  }

  private static func trackerOptions(_ arguments: Arguments) throws(UsageError) -> ObjectTrackerOptions {
    var options = ObjectTrackerOptions(
      allowsMultipleObjects: arguments.flag("multiple"), maxObjectCount: try arguments.int("max-objects", in: 1...100) ?? 5,
      streamPolicy: .synchronous(every: try arguments.int("every", in: 1...10000) ?? 1))
    if let threshold = try arguments.float("score-threshold", in: 0...1) {
      options.tracking = ObjectTrackerOptions.tracking(from: Double(threshold))
    }
    if let path = arguments.string("detector") {
      options.localizer = ObjectLocalizerOptions(baseOptions: try TaskArguments.baseOptions(path, arguments))
      // What is said of normalisation is said of the classifier.
      options.localizer?.baseOptions.inputNormalization = nil
    } else if DefaultLocalizer.model == nil {
      throw UsageError("--detector FILE is required: there is no built-in model that finds objects; any object detection model will do")
    }
    if let path = arguments.string("classifier") {
      options.classifier = ObjectClassifierOptions(
        baseOptions: try TaskArguments.baseOptions(path, arguments), locale: CategoryArguments.locale(arguments),
        confidenceThreshold: try arguments.float("confidence", in: 0...1),
        maxLabelCount: try arguments.int("max-labels", in: 1...1_000_000) ?? ObjectClassifierOptions.defaultMaxLabelCount)
    }
    return options
  }
}
