import SwiftletCommandLine
import SwiftletJSON
import SwiftletText
import SwiftletVision

/// `detect-faces`: boxes and keypoints of faces in images.
enum DetectFacesCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-faces", summary: "detect faces, with six keypoints each", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.image],
    options: [
      .value("min-confidence", .number(0...1), "the minimum score of faces, 0 to 1 (default: 0.5)"),
      .value("min-suppression", .number(0...1), "the IoU threshold for non-maximum suppression, 0 to 1 (default: 0.3)"),
    ] + TaskArguments.declarations(for: .detectFaces), notes: TaskArguments.operandNote)

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> FaceDetectorOptions {
    options(arguments, try TaskArguments.baseOptions(arguments, default: .faceDetector))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> FaceDetectorOptions {
    FaceDetectorOptions(
      baseOptions: base,
      minDetectionConfidence: arguments.float("min-confidence") ?? 0.5,
      minSuppressionThreshold: arguments.float("min-suppression") ?? 0.3)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try options(arguments)
    let runner = try TaskRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try FaceDetector(options: options) }
    return try runner.run(detector.batchCapacity) { image, path in
      DetectionResult(path: path, image: image, faces: try detector.faces(in: image))
    }
  }
}

/// `detect-objects`: boxes and classes of objects in images.
enum DetectObjectsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-objects", summary: "detect objects", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.image],
    options: CategoryArguments.declarations("objects", per: "per image")
      + TaskArguments.declarations(for: .detectObjects),
    notes: TaskArguments.operandNote)

  /// Returns the options of the task from the command line.
  static func options(_ categories: CategoryArguments, _ base: BaseOptions) -> ObjectDetectorOptions {
    ObjectDetectorOptions(
      baseOptions: base, displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = options(categories, try TaskArguments.baseOptions(arguments, default: .objectDetector))
    let runner = try TaskRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try ObjectDetector(options: options) }
    categories.warn(ofAllBut: detector.categoryNames)
    return try runner.run(detector.batchCapacity) { image, path in
      DetectionResult(path: path, image: image, objects: try detector.objects(in: image))
    }
  }
}

/// `detect-language`: languages of texts.
enum DetectLanguageCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-language", summary: "detect the language of text", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: CategoryArguments.declarations("languages", per: "per text").filter { $0.name != "locale" }
      + TextRunner.declarations(),
    notes: TextRunner.operandNote)

  /// Returns the options of the task from the command line.
  static func options(_ categories: CategoryArguments, _ base: BaseOptions) -> LanguageDetectorOptions {
    LanguageDetectorOptions(
      baseOptions: base, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold, categoryAllowlist: categories.allowed,
      categoryDenylist: categories.denied)
  }

  /// Returns the result of a text.
  static func result(_ text: String, _ languages: [LanguagePrediction], shownCount: Int) -> TextResult {
    // Text output lists the languages as categories of one head; JSON output uses the names of the result type.
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
      lines: classification.text(shownCount: shownCount))
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = options(categories, try TextRunner.baseOptions(arguments))
    let runner = try TextRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try LanguageDetector(options: options) }
    return try runner.run(detector.batchCapacity) { text in
      result(text, try detector.languages(of: text), shownCount: categories.maxResults ?? 5)
    }
  }
}
