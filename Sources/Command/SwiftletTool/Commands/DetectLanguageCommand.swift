import SwiftletCommandLine
import SwiftletJSON
import SwiftletText

/// `detect-language`: which languages texts are in.
enum DetectLanguageCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-language", summary: "says which language a text is in, most likely first", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: CategoryArguments.declarations("languages", per: "a text").filter { $0.name != "locale" }
      + TextRunner.declarations(),
    notes: TextRunner.operandNote)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = LanguageDetectorOptions(
      baseOptions: try TextRunner.baseOptions(arguments), maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold, categoryAllowlist: categories.allowed,
      categoryDenylist: categories.denied)
    let runner = try TextRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try LanguageDetector(options: options) }
    return try runner.run(detector.batchCapacity) { text in
      let languages = try detector.languages(of: text)
      // For people as the categories of one head, for programs by the names of the result.
      let classification = Classification(heads: [
        .init(
          categories: languages.map { ResultCategory(index: -1, score: $0.probability, categoryName: $0.languageCode) })
      ])
      return TextResult(
        subject: text,
        members: [
          "languages": .array(
            languages.map { .object(["code": .string($0.languageCode), "probability": .float($0.probability)]) })
        ],
        lines: classification.text(shownCount: categories.maxResults ?? 5))
    }
  }
}
