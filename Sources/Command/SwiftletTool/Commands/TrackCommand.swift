import Foundation
import SwiftletCommandLine
import SwiftletTracking
import SwiftletVision

/// `track`: object tracking in the frames of a video, with an ID per object and optional classification.
enum TrackCommand: ToolCommand {
  private static let ownOptions: [OptionDeclaration] = [
    .value(
      "detector", ModelArgument.kind(for: .detectObjects),
      "the object detection model: a file, or the name of a downloaded published model (default: the bundled model)"
    ),
    .value(
      "classifier", ModelArgument.kind(for: .classify),
      "the image classification model for the labels: a file, or the name of a downloaded published model (default: with the bundled detector, the bundled model; otherwise none)"
    ),
    .flag("multiple", "report several objects instead of only the most prominent one"),
    .value("max-objects", .integer(1...100), "with --multiple: the maximum number of objects, 1 to 100 (default: 5)"),
    .value(
      "score-threshold", .number(0...1), "the minimum detector score to start a track, 0 to 1 (default: 0.4)"),
    .value("max-labels", .integer(1...1_000_000), "the maximum number of labels per object (default: 10)"),
    .value(
      "confidence", .number(0...1),
      "the minimum confidence of labels, 0 to 1 (default: the threshold in the model's metadata, or 0)"),
    CategoryArguments.locale,
    .value("fps", .number(0.001...10000), "frames per second (default: 30)"),
    .value(
      "every", .integer(1...10000),
      "run the detector on every Nth frame, and predict the positions in the others (default: 1)"),
    FrameSource.raw,
    FrameFolder.declaration,
    TaskArguments.rotation,
  ]

  static let declaration = CommandDeclaration(
    name: "track", summary: "detect, track, and classify objects in video frames", operands: "FRAMES…",
    operandCount: 1...100_000, operandKinds: [.image],
    options: ownOptions + TaskArguments.normalization + RuntimeArguments.declarations + [
      RuntimeArguments.json, .flag("jsonl", "print one JSON object per line for each frame"),
    ],
    notes:
      "FRAMES are PNG or JPEG files, directories of them, or - for images on standard input, as from ffmpeg -f image2pipe."
  )

  static func run(_ arguments: Arguments) throws -> Int32 {
    var printer = ResultPrinter(try OutputForm(arguments), isList: true)
    // Close the document even if a frame fails, so that the printed part is valid.
    defer { printer.close() }
    let options = try trackerOptions(arguments)
    let rate = Double(arguments.float("fps") ?? 30)
    let source = try FrameSource(arguments)
    for base in [options.localizer?.baseOptions, options.classifier?.baseOptions] {
      if let base { try ModelArgument.require(base) }
    }
    let video = try ObjectTracker(options: options).video()
    var annotation = try TrackAnnotation(arguments)
    try source.forEach { frame in
      let seconds = Double(frame.index) / rate
      let objects: [TrackedObject]
      do throws(TaskError) {
        objects = try video.objects(in: frame.image, at: .seconds(seconds))
      } catch {
        throw ToolError(file: frame.name, reason: error.message)
      }
      let result = TrackedFrameResult(frame: frame, timestampInMilliseconds: seconds * 1000, objects: objects)
      try annotation?.write(result)
      try printer.print(result)
    }
    printer.finish()
    return 0
  }

  /// Returns the options of the tracker from the command line.
  static func trackerOptions(_ arguments: Arguments) throws(UsageError) -> ObjectTrackerOptions {
    var options = ObjectTrackerOptions(
      allowsMultipleObjects: arguments.flag("multiple"), maxObjectCount: arguments.int("max-objects") ?? 5,
      streamPolicy: .synchronous(every: arguments.int("every") ?? 1))
    if let threshold = arguments.float("score-threshold") {
      options.tracking = ObjectTrackerOptions.tracking(from: Double(threshold))
    }
    options.localizer = ObjectLocalizerOptions(baseOptions: try detector(arguments))
    // The normalization option applies to the classifier only.
    options.localizer?.baseOptions.inputNormalization = nil
    if let classifier = try classifier(arguments) {
      options.classifier = ObjectClassifierOptions(
        baseOptions: classifier, locale: CategoryArguments.locale(arguments),
        confidenceThreshold: arguments.float("confidence"),
        maxLabelCount: arguments.int("max-labels") ?? ObjectClassifierOptions.defaultMaxLabelCount)
    }
    return options
  }

  /// Returns the detection model.
  private static func detector(_ arguments: Arguments) throws(UsageError) -> BaseOptions {
    guard let path = arguments.string("detector") else {
      return try TaskArguments.ownModel(.objectDetector, arguments, option: "detector")
    }
    return try TaskArguments.baseOptions(ModelArgument.source(path), arguments)
  }

  /// Returns the classification model. The bundled classifier knows the objects that the bundled detector finds.
  private static func classifier(_ arguments: Arguments) throws(UsageError) -> BaseOptions? {
    if let path = arguments.string("classifier") {
      return try TaskArguments.baseOptions(ModelArgument.source(path), arguments)
    }
    return arguments.string("detector") == nil
      ? try TaskArguments.ownModel(.imageClassifier, arguments, option: "classifier") : nil
  }
}
