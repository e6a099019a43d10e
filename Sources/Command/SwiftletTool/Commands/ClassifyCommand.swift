import SwiftletCommandLine
import SwiftletVision

/// `classify`: what pictures show.
enum ClassifyCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "classify", summary: "says what a picture shows, best first", operands: "IMAGE…",
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
