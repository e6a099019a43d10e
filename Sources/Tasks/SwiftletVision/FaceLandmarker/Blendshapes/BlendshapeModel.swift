import SwiftletBase
import SwiftletEngine
import SwiftletTasks

/// The model that tells from the points of a face what it does.
///
/// One caller at a time.
final class BlendshapeModel {
  private let model: TaskModel

  /// - Throws: `TaskError` when the model is missing, or takes or gives anything else than blendshapes' models do.
  init(_ bundle: ModelContext) throws(TaskError) {
    let context = bundle.member("face_blendshapes.tflite")
    model = try TaskError.naming(context.source) { () throws(TaskError) in try TaskModel(context) }
    let (points, scores) = (FaceLandmarks.blendshapePoints.count, FaceBlendshape.names.count)
    guard model.inputs.count == 1, model.inputs[0].elementType == .float32,
      model.inputs[0].shape.elementCount == 2 * points, let output = model.outputs.first,
      RealOutput.isReal(output), output.shape.elementCount == scores
    else {
      let found = ShownText.list((model.inputs + model.outputs).map(\.description))
      throw .invalidModel(
        "\(context.source.description.excerpt): a model of blendshapes takes \(points) points [1 × \(points) × 2] in float32 and gives \(scores) scores, but this one has \(found)"
      )
    }
  }

  /// What a face does, in the order of ``FaceBlendshape``.
  ///
  /// - Parameter landmarks: the points of a face.
  /// - Throws: `TaskError` when the model cannot run.
  func blendshapes(of landmarks: [NormalizedLandmark], in geometry: RegionGeometry) throws -> FaceBlendshapes {
    try model.session.withInput(0, as: Float.self) { input in
      guard landmarks.count == FaceLandmarks.count, input.count == 2 * FaceLandmarks.blendshapePoints.count else {
        throw TaskError.invalidModel("the model takes \(input.count) numbers, but a face has other ones")
      }
      for (position, point) in FaceLandmarks.blendshapePoints.enumerated() {
        input[2 * position] = landmarks[point].x * geometry.width
        input[2 * position + 1] = landmarks[point].y * geometry.height
      }
    }
    try model.run()
    return try model.withRealOutput(0) { scores in
      guard let blendshapes = FaceBlendshapes(scores: Array(scores)) else {
        throw TaskError.invalidModel(
          "the model gave \(scores.count) scores, not one for each of the \(FaceBlendshape.names.count) blendshapes")
      }
      return blendshapes
    }
  }
}
