import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletImageCodecs
import SwiftletBase
import SwiftletVision

/// `demo`: all tasks on generated images with the bundled models, as a page.
enum DemoCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "demo",
    summary:
      "run the tasks on synthetic images, audio, and sentences with the bundled models, and write an HTML page",
    options: [
      .value("output-dir", .folder, "the directory for the page and its images; created if necessary (required)"),
      .flag("images-only", "only generate the images, as input for other commands"),
      .flag("pictures-only", "the same as --images-only"),
      .value(
        "seed", .integer(0...Int.max), as: "S",
        "the random seed of the images (default: \(DemoImages.seed))"),
      .value("size", .integer(32...2048), "the width and height of the images in pixels, 32 to 2048 (default: 400)"),
      .value("frames", .integer(1...1000), "the number of video frames, 1 to 1000 (default: 48)"),
    ] + DemoModels.declarations + RuntimeArguments.declarations + [RuntimeArguments.json],
    notes: """
      Everything happens on this machine, without a network. Open DIR/\(DemoFolder.page) in a browser.
      --models takes MediaPipe's bundles for hands, gestures, faces, bodies and all of a person (.task), and interactive segmenters (.tflite). It knows them \
      by what is in them. A model that is damaged or of another kind is named on the page and on standard error, and the others go on.
      """,
    examples: [
      Example("swiftlet demo --output-dir demo", "write the page"),
      Example(
        "swiftlet demo --output-dir demo --models bundles --images photos",
        "also run the models of a directory on photos"),
      Example("swiftlet demo --output-dir demo --images-only", "generate images for other commands"),
      Example(
        "swiftlet detect-faces demo/pictures/faces-1.png --annotate faces.png",
        "detect the faces in one of them"),
    ])

  /// Returns whether `--images-only` or its old name is given.
  static func generatesImagesOnly(_ arguments: Arguments) -> Bool {
    arguments.flag("images-only") || arguments.flag("pictures-only")
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard let path = arguments.string("output-dir"), !path.isEmpty else {
      throw UsageError("--output-dir DIR is required: demo writes several files")
    }
    let facts = DemoFacts(
      seed: arguments.int("seed").map { UInt64($0) } ?? DemoImages.seed, side: arguments.int("size") ?? 400,
      frameCount: arguments.int("frames") ?? 48,
      runtime: RuntimeArguments.options(arguments),
      folder: path, more: DemoModels.words(arguments))
    let models = try DemoModels(arguments)
    var folder = try DemoFolder(path)
    do {
      let report =
        try generatesImagesOnly(arguments) ? drawImages(facts, &folder) : demonstrate(facts, models, &folder)
      try folder.publish()
      StandardStreams.output(arguments.flag("json") ? report.json.text + "\n" : report.text)
    } catch {
      folder.discard()
      throw error
    }
    return 0
  }

  private typealias Report = (json: JSONValue, text: String)

  private static func drawImages(_ facts: DemoFacts, _ folder: inout DemoFolder) throws -> Report {
    var progress = DemoProgress(stepCount: 6)
    let images = try DemoImages(seed: facts.seed, side: facts.side, frameCount: facts.frameCount) {
      progress.step("drawing " + $0)
    }
    for image in images.singles {
      try folder.write(try ImageEncoder.encodePNG(image.drawn.image), as: image.file)
    }
    for (index, frame) in images.video.enumerated() {
      try folder.write(
        try ImageEncoder.encodePNG(frame.image),
        as: "\(DemoImages.videoFolder)/\(DemoImages.frameName(index, ending: "png"))")
    }
    progress.hide()
    let files = images.singles.map(\.file)
    return (
      .object([
        "output_dir": .string(facts.folder), "pictures": .strings(files), "video": .string(DemoImages.videoFolder),
        "frames": .int(images.video.count),
        "seed": .int(Int(facts.seed)),
      ]),
      files.map { "\(facts.folder)/\($0)".sanitized + "\n" }.joined()
        + "\(facts.folder.sanitized)/\(DemoImages.videoFolder): \(images.video.count) frames\n"
    )
  }

  private static func demonstrate(
    _ facts: DemoFacts, _ models: DemoModels, _ folder: inout DemoFolder
  ) throws -> Report {
    var models = models
    var progress = DemoProgress(stepCount: 13 + facts.frameCount + models.stepCount)
    let images = try DemoImages(seed: facts.seed, side: facts.side, frameCount: facts.frameCount) {
      progress.step("drawing " + $0)
    }
    let tasks = DemoTasks(runtime: facts.runtime)
    let work: [(String, (inout DemoFolder) throws -> DemoSection)] = [
      ("detect-faces", { try tasks.faces(images.faces, &$0) }),
      ("detect-objects", { try tasks.objects(images.objects, &$0) }),
      ("segment", { try tasks.segments(images.segments, &$0) }),
      ("classify", { try tasks.things(images.things, &$0) }),
      ("embed", { try tasks.views(images.views, &$0) }),
    ]
    var sections: [DemoSection] = []
    for (name, run) in work {
      progress.step(name)
      sections.append(try run(&folder))
    }
    let tracking = try DemoTracking(images.video, runtime: facts.runtime, folder: &folder) {
      progress.step("track, " + $0)
    }
    progress.step("classify-audio")
    let sounds = try DemoSounds(seed: facts.seed, runtime: facts.runtime, folder: &folder)
    progress.step("classify-text")
    let sentences = try DemoSentences.scored(seed: facts.seed, runtime: facts.runtime)
    try models.run(drawn: images.faces + images.objects.prefix(1), runtime: facts.runtime, &folder) {
      progress.step($0)
    }
    progress.hide()
    models.warn()
    let shown = DemoPage(
      facts: facts, sections: sections, tracking: tracking, sounds: sounds, sentences: sentences, models: models)
    try folder.write(shown.page.bytes, as: DemoFolder.page)
    let page = facts.folder + "/" + DemoFolder.page
    return (
      .object([
        "output_dir": .string(facts.folder), "page": .string(page), "run": facts.json,
        "tasks": .array(sections.map(\.json)), "tracking": tracking.json,
        "sounds": sounds.scored.json, "sentences": sentences.json,
        "models": models.isWanted ? models.json : .null,
      ]),
      (sections.map(\.text) + [tracking.text, sounds.scored.text, sentences.text] + models.sections.map(\.text))
        .joined() + "open \(page.sanitized) in a browser\n"
    )
  }
}

/// The progress bar of the demo, step by step.
private struct DemoProgress {
  private var bar: ProgressBar
  private var isStarted = false

  init(stepCount: Int) { bar = ProgressBar("demo", total: stepCount) }

  /// Finishes the previous step and displays the next.
  mutating func step(_ name: String) {
    if isStarted { bar.advance() }
    isStarted = true
    bar.draw(note: name)
  }

  mutating func hide() { bar.hide() }
}
