import SwiftletCommandLine
import SwiftletText

/// `classify-text`: what texts are about.
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
