import SwiftletAudio
import SwiftletCommandLine
import SwiftletText
import SwiftletVision

/// `classify`: image classification.
enum ClassifyCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "classify", summary: "says what an image shows, best first", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.picture],
    options: CategoryArguments.declarations("categories", per: "a head of the model") + [TaskArguments.regionOfInterest]
      + TaskArguments.declarations(for: .classify),
    notes: TaskArguments.operandNote)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let region = try TaskArguments.regionOfInterest(arguments)
    let options = ImageClassifierOptions(
      baseOptions: try TaskArguments.baseOptions(arguments, default: .imageClassifier),
      displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
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
    name: "classify-audio", summary: "says what can be heard in a sound, window by window", operands: "FILE.wav…",
    operandCount: TaskArguments.operandCount, operandKinds: [.file(".wav")],
    options: [
      .value(
        "model", ModelArgument.file,
        "the model: a file whose metadata says what sound it takes (default: the program's own)")
    ] + CategoryArguments.declarations("categories", per: "a window and head of the model")
      + RuntimeArguments.declarations + [
        RuntimeArguments.json,
        BatchArguments.list(.sounds),
      ] + BatchArguments.declarations(.sounds),
    notes:
      "A FILE.wav has integers of 8 to 32 bits or floats of 32 or 64, of any rate and number of channels; - is one on standard input."
  )

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let sounds = try SoundRunner(arguments)
    let options = AudioClassifierOptions(
      baseOptions: sounds.baseOptions(try ToolModel.audioClassifier.orNamed(arguments), arguments),
      displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold, categoryAllowlist: categories.allowed,
      categoryDenylist: categories.denied)
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
    name: "classify-text", summary: "says what a text is about, best first", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: CategoryArguments.declarations("categories", per: "a head of the model")
      + TextRunner.declarations(note: " (default: the program's own)"),
    notes: TextRunner.operandNote)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = TextClassifierOptions(
      baseOptions: try TextRunner.baseOptions(arguments, default: .textClassifier),
      displayNamesLocale: categories.locale,
      maxResults: categories.maxResults, scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
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
