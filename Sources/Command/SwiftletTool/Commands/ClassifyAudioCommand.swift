import SwiftletAudio
import SwiftletCommandLine

/// `classify-audio`: what can be heard in sounds.
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
