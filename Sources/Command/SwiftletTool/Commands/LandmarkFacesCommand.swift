import SwiftletCommandLine
import SwiftletVision

/// `landmark-faces`: the points of faces.
enum LandmarkFacesCommand: ToolCommand {
  static let blendshapes = OptionDeclaration.flag("blendshapes", "also say how much a face does what: 52 scores")

  static let declaration = LandmarkArguments.command(
    .landmarkFaces, summary: "finds faces, with 478 points each",
    options: LandmarkArguments.limits("num-faces", "faces") + [
      blendshapes, .flag("matrices", "also say where a face is in space: a matrix from the canonical face, in cm"),
    ], example: "face-landmarker")

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments) throws(UsageError) -> FaceLandmarkerOptions {
    var outputs: FaceLandmarkerOutputs = []
    if arguments.flag("blendshapes") { outputs.insert(.blendshapes) }
    if arguments.flag("matrices") { outputs.insert(.transformationMatrices) }
    return FaceLandmarkerOptions(
      baseOptions: try LandmarkArguments.baseOptions(arguments, for: .landmarkFaces),
      maxFaces: arguments.int("num-faces") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments),
      outputs: outputs)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try FaceLandmarker(options: options) }
    return try runner.run(task, task.batchCapacity, image: { try task.faces(in: $0) }) {
      FacesResult(picture: $0, faces: $1)
    }
  }
}
