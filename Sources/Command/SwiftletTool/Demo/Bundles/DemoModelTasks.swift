import Foundation
import Swiftlet
import SwiftletDrawing
import SwiftletImage
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletVision

/// Runs third-party models on images, each with the task that its contents show.
struct DemoModelTasks {
  /// The directory of the annotated images.
  static let folder = "models"
  /// The maximum number of hands, faces, and poses to detect in an image.
  private static let maximumThings = 4
  private static let middle = InteractiveRegion.point(NormalizedPoint(x: 0.5, y: 0.5))

  /// The options for running the models.
  let runtime: RuntimeOptions
  let inputs: [NamedImage]

  /// Runs a model, and writes the annotated images.
  ///
  /// - Parameter number: The number of the model from 1, which names the directory of its images.
  /// - Throws: `ToolError` with the name of the model if the model is the cause, so that other models can run.
  func section(_ model: DemoModelFile, number: Int, _ folder: inout DemoFolder) throws -> DemoModelSection {
    let perform: (NamedImage) throws -> any ImageResult
    do {
      perform = try task(of: model)
    } catch let error as TaskError {
      throw ToolError(file: model.name, reason: error.message)
    }
    var rows: [DemoModelSection.Row] = []
    for (index, input) in inputs.enumerated() {
      let (result, latency): (any ImageResult, Sample)
      do {
        (result, latency) = try DemoTimer.time { try perform(input) }
      } catch let error as TaskError {
        throw ToolError(file: model.name, reason: "\(input.name): \(error.message)")
      }
      var canvas = try Canvas(input.image.buffer)
      try result.draw(on: &canvas)
      let file = "\(Self.folder)/\(number)-\(model.kind.rawValue)/picture_\(index + 1).jpg"
      try folder.write(try ImageEncoder.encodeJPEG(try canvas.image()), as: file)
      // Skip the line about the image; each further line describes one detection.
      let found = result.text.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
      rows.append(
        DemoModelSection.Row(image: input.name, annotated: file, found: found, latency: latency))
    }
    return DemoModelSection(model: model, rows: rows)
  }

  private func task(of model: DemoModelFile) throws -> (NamedImage) throws -> any ImageResult {
    let base = BaseOptions(model: .file(model.path), runtime)
    switch model.kind {
    case .landmarkHands:
      let task = try HandLandmarker(options: HandLandmarkerOptions(baseOptions: base, maxHands: Self.maximumThings))
      return { HandsResult(input: $0, hands: try task.hands(in: $0.image)) }
    case .recognizeGestures:
      let task = try GestureRecognizer(
        options: GestureRecognizerOptions(baseOptions: base, maxHands: Self.maximumThings))
      return { input in
        HandsResult(input: input, recognized: try task.gestures(in: input.image))
      }
    case .landmarkFaces:
      let task = try FaceLandmarker(options: FaceLandmarkerOptions(baseOptions: base, maxFaces: Self.maximumThings))
      return { FacesResult(input: $0, faces: try task.faces(in: $0.image)) }
    case .landmarkPoses:
      let task = try PoseLandmarker(
        options: PoseLandmarkerOptions(baseOptions: base, maxPoses: Self.maximumThings, outputs: .segmentationMasks))
      return { PosesResult(input: $0, poses: try task.poses(in: $0.image)) }
    case .landmarkHolistic:
      let task = try HolisticLandmarker(
        options: HolisticLandmarkerOptions(baseOptions: base, outputs: .segmentationMask))
      return { HolisticResult(input: $0, person: try task.person(in: $0.image)) }
    case .interactive:
      let task = try InteractiveSegmenter(
        options: InteractiveSegmenterOptions(
          baseOptions: base, outputs: .categoryMask))
      return { input in
        let found = try task.segmentation(of: input.image, region: Self.middle)
        guard let mask = found.categoryMask else {
          throw ToolError(file: model.name, reason: "gave no category mask")
        }
        return SegmentationResult(
          path: input.name, image: input.image, labels: task.labels, mask: mask,
          qualityScores: found.qualityScores, marks: Self.middle)
      }
    }
  }
}
