import SwiftletCommandLine
import SwiftletVision

/// `detect-faces`: boxes and keypoints of the faces in pictures.
enum DetectFacesCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-faces", summary: "finds faces, with six key points each", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.picture],
    options: [
      .value("min-confidence", .number(0...1), "leave out faces with a lower score, 0 to 1 (default: 0.5)"),
      .value("min-suppression", .number(0...1), "faces that overlap by more are one, 0 to 1 (default: 0.3)"),
    ] + TaskArguments.declarations(for: .detectFaces), notes: TaskArguments.operandNote)

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments) throws(UsageError) -> FaceDetectorOptions {
    FaceDetectorOptions(
      baseOptions: try TaskArguments.baseOptions(arguments, default: .faceDetector),
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
