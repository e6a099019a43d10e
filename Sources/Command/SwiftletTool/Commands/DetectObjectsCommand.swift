import SwiftletCommandLine
import SwiftletVision

/// `detect-objects`: boxes and classes of the objects in pictures.
enum DetectObjectsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-objects", summary: "finds objects of the classes a model knows", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.picture],
    options: CategoryArguments.declarations("objects", per: "a picture")
      + TaskArguments.declarations(for: .detectObjects),
    notes: TaskArguments.operandNote)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let categories = try CategoryArguments(arguments)
    let options = ObjectDetectorOptions(
      baseOptions: try TaskArguments.baseOptions(arguments, default: .objectDetector),
      displayNamesLocale: categories.locale, maxResults: categories.maxResults,
      scoreThreshold: categories.scoreThreshold,
      categoryAllowlist: categories.allowed, categoryDenylist: categories.denied)
    let runner = try TaskRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try ObjectDetector(options: options) }
    categories.warn(ofAllBut: detector.categoryNames)
    return try runner.run(detector.batchCapacity) { image, path in
      DetectionResult(path: path, image: image, objects: try detector.objects(in: image))
    }
  }
}
