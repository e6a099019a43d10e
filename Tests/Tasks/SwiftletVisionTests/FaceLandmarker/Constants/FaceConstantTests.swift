import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Constants of faces")
struct FaceConstantTests {
  private static let groups: [(name: String, lines: [LandmarkConnection])] = [
    ("LIPS", FaceLandmarks.lips), ("LEFT_EYE", FaceLandmarks.leftEye), ("LEFT_EYEBROW", FaceLandmarks.leftEyebrow),
    ("LEFT_IRIS", FaceLandmarks.leftIris), ("RIGHT_EYE", FaceLandmarks.rightEye),
    ("RIGHT_EYEBROW", FaceLandmarks.rightEyebrow), ("RIGHT_IRIS", FaceLandmarks.rightIris),
    ("FACE_OVAL", FaceLandmarks.faceOval), ("NOSE", FaceLandmarks.nose), ("TESSELATION", FaceLandmarks.tesselation),
  ]

  @Test("are MediaPipe's", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func golden() throws {
    let lists = try GoldenValue(path: TestData.path("tasks/lists.json"))
    for (name, lines) in Self.groups {
      let expected = lists["FaceLandmarksConnections"]["FACE_LANDMARKS_\(name)"].numbers
      #expect(!lines.isEmpty && lines.flatMap { [Float($0.start), Float($0.end)] } == expected, "\(name)")
    }
    #expect(FaceLandmarks.blendshapePoints.map { Float($0) } == lists["face_blendshape_landmarks"].numbers)
    #expect(FaceBlendshape.names == lists["face_blendshape_names"].elements.compactMap(\.string))
    // Without the irises, MediaPipe's Python list of the same name contains the same lines.
    let contours = lists["FaceLandmarksConnections"]["FACE_LANDMARKS_CONTOURS"].elements.map(\.numbers)
    let irises = Set(FaceLandmarks.leftIris + FaceLandmarks.rightIris)
    let ours = Set(FaceLandmarks.contours).subtracting(irises).map { [Float($0.start), Float($0.end)] }
    #expect(Set(ours) == Set(contours) && ours.count == contours.count)
  }

  @Test("have the right counts and valid landmark indices")
  func counts() {
    #expect(
      Self.groups.map(\.lines.count) == [40, 16, 8, 4, 16, 8, 4, 36, 25, 2556] && FaceLandmarks.contours.count == 132)
    let points = Self.groups.flatMap { $0.lines.flatMap { [$0.start, $0.end] } } + FaceLandmarks.blendshapePoints
    #expect(points.allSatisfy { (0..<FaceLandmarks.count).contains($0) })
    #expect(Set(FaceLandmarks.blendshapePoints).count == 146)
    #expect(FaceBlendshape.allCases.map(\.rawValue) == Array(0..<52) && FaceBlendshape.names.count == 52)
    for blendshape in FaceBlendshape.allCases {
      #expect(blendshape.name == (blendshape == .neutral ? "_neutral" : "\(blendshape)"))
    }
  }
}
