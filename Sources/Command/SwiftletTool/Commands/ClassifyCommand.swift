import SwiftletAudio
import SwiftletCommandLine
import SwiftletText
import SwiftletVision

/// `classify`: image classification.
enum ClassifyCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "classify", summary: "classify images", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.image],
    options: CategoryArguments.declarations("categories", per: "per head of the model") + [
      TaskArguments.regionOfInterest
    ]
      + TaskArguments.declarations(for: .classify),
    notes: TaskArguments.operandNote)

  /// Returns the options of the task from the command line.
  static func options(_ categories: CategoryArguments, _ base: BaseOptions) -> ImageClassifierOptions {
    ImageClassifierOptions(
      baseOptions: base, displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let region = try TaskArguments.regionOfInterest(arguments)
    let options = options(categories, try TaskArguments.baseOptions(arguments, default: .imageClassifier))
    let runner = try TaskRunner(arguments)
    let classifier = try TaskRunner.load(options.baseOptions) { try ImageClassifier(options: options) }
    categories.warn(ofAllBut: classifier.categoryNames)
    return try runner.run(classifier.batchCapacity) { image, path in
      ClassificationsResult(
        path: path, classification: try classifier.classification(of: image, region: region),
        shownCount: categories.maxResults ?? 5)
    }
  }
}

/// `classify-audio`: audio classification.
enum ClassifyAudioCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "classify-audio", summary: "classify audio files, one result per window", operands: "FILE.wav…",
    operandCount: TaskArguments.operandCount, operandKinds: [.file(".wav")],
    options: [
      .value(
        "model", ModelArgument.file,
        "the model: a file with audio metadata (default: the bundled model)")
    ] + CategoryArguments.declarations("categories", per: "per window and head of the model")
      + RuntimeArguments.declarations + [
        RuntimeArguments.json,
        BatchArguments.list(.audioFiles),
      ] + BatchArguments.declarations(.audioFiles),
    notes:
      "FILE.wav has 8- to 32-bit integer or 32- or 64-bit float samples, any sample rate, and any number of channels; - is standard input."
  )

  /// Returns the options of the task from the command line.
  static func options(_ categories: CategoryArguments, _ base: BaseOptions) -> AudioClassifierOptions {
    AudioClassifierOptions(
      baseOptions: base, displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold, categoryAllowlist: categories.allowed,
      categoryDenylist: categories.denied)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let sounds = try SoundRunner(arguments)
    let options = options(
      categories, sounds.baseOptions(try ToolModel.audioClassifier.orNamed(arguments), arguments))
    let classifier = try TaskRunner.load(options.baseOptions) { try AudioClassifier(options: options) }
    categories.warn(ofAllBut: classifier.categoryNames)
    return try sounds.run(classifier.batchCapacity) { clip, path in
      AudioClassificationsResult(
        path: path, windows: classifier.windows(of: clip),
        shownCount: categories.maxResults ?? 3)
    }
  }
}

/// `classify-text`: text classification.
enum ClassifyTextCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "classify-text", summary: "classify text", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: CategoryArguments.declarations("categories", per: "per head of the model")
      + TextRunner.declarations(note: " (default: the bundled model)"),
    notes: TextRunner.operandNote)

  /// Returns the options of the task from the command line.
  static func options(_ categories: CategoryArguments, _ base: BaseOptions) -> TextClassifierOptions {
    TextClassifierOptions(
      baseOptions: base, displayNamesLocale: categories.locale,
      maxResults: categories.maxResults, scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = options(categories, try TextRunner.baseOptions(arguments, default: .textClassifier))
    let runner = try TextRunner(arguments)
    let classifier = try TaskRunner.load(options.baseOptions) { try TextClassifier(options: options) }
    categories.warn(ofAllBut: classifier.categoryNames)
    return try runner.run(classifier.batchCapacity) { text in
      let classification = try classifier.classification(of: text)
      return TextResult(
        subject: text, members: ["classifications": classification.json],
        lines: classification.text(shownCount: categories.maxResults ?? 5))
    }
  }
}
