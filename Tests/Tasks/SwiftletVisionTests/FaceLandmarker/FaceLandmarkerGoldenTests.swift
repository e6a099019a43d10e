import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Checks faces against MediaPipe's results.
@Suite("Face landmarks compared with MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct FaceLandmarkerGoldenTests {
  private func landmarker(_ golden: GoldenTask) throws -> FaceLandmarker {
    let given = golden.options
    var options = FaceLandmarkerOptions(
      baseOptions: BaseOptions(model: .bytes(try golden.modelBytes())))
    options.maxFaces = given["num_faces"].int ?? options.maxFaces
    options.minDetectionConfidence = given["min_face_detection_confidence"].float ?? options.minDetectionConfidence
    options.minPresenceConfidence = given["min_face_presence_confidence"].float ?? options.minPresenceConfidence
    options.minTrackingConfidence = given["min_tracking_confidence"].float ?? options.minTrackingConfidence
    if given["output_face_blendshapes"].bool == true { options.outputs.insert(.blendshapes) }
    if given["output_facial_transformation_matrixes"].bool == true { options.outputs.insert(.transformationMatrices) }
    return try FaceLandmarker(options: options)
  }

  /// Compares all other results, and returns the differences between the face landmarks and MediaPipe's.
  ///
  /// - Parameter factor: The factor for the tolerances of scores and matrices, compared with upright single images.
  ///   Differences of consecutive frames accumulate.
  private func points(
    _ faces: [Face], _ golden: GoldenTask, _ expected: GoldenValue, factor: Float = 1
  ) throws -> [GoldenDifference] {
    try #require(faces.count == expected.elements.count)
    for (face, expected) in zip(faces, expected.elements) {
      #expect((face.blendshapes != nil) == (golden.options["output_face_blendshapes"].bool == true))
      if let blendshapes = face.blendshapes {
        let scores = GoldenDifference(blendshapes.scores, expected["blendshapes"])
        #expect(
          scores.count == 52 && scores.mean < factor * 2e-4 && scores.largest < factor * 5e-4,
          "\(golden): \(scores.largest)")
      }
      #expect(
        (face.transformationMatrix != nil) == (golden.options["output_facial_transformation_matrixes"].bool == true))
      if let matrix = face.transformationMatrix {
        let numbers = GoldenDifference(matrix.rowMajor, expected["matrix"])
        #expect(
          numbers.count == 16 && numbers.median < 5e-4 && numbers.largest < factor * 1e-3,
          "\(golden): \(numbers.largest)")
      }
    }
    return zip(faces, expected.elements).map { GoldenDifference($0.landmarks, $1["landmarks"]) }
  }

  @Test("images, upright and rotated", arguments: GoldenTask.cases("face"))
  func images(_ golden: GoldenTask) throws {
    let image = InputImage(try golden.image(), orientation: golden.orientation)
    let faces = try landmarker(golden).faces(in: image)
    // MediaPipe in Python treats a rotation by 270° as −3π/2, but Swiftlet and MediaPipe on iOS as π/2. Their sines
    // differ, and so do the regions of the faces.
    let factor: Float = golden.orientation == .left ? 10 : 1
    for points in try points(faces, golden, golden.result(), factor: factor) {
      #expect(points.count == 3 * 478 && points.largest < factor * 2e-4, "\(golden): \(points.largest)")
    }
  }

  @Test("sequences of frames", arguments: GoldenTask.cases("face", sequences: true))
  func sequences(_ golden: GoldenTask) throws {
    let video = try landmarker(golden).video()
    let expected = try golden.result()
    for (index, frame) in try golden.frames().enumerated() {
      let faces = try video.faces(in: InputImage(frame.image), at: frame.time)
      for points in try points(faces, golden, expected[index]["result"], factor: 2) {
        #expect(
          points.count == 3 * 478 && points.median < 1e-4 && points.largest < 5e-4,
          "\(golden), frame \(index): \(points.median), \(points.largest)")
      }
    }
  }
}
