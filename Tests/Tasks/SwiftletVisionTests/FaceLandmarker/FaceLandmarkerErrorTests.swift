import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@_spi(Facades) import SwiftletTasks
@testable import SwiftletVision

@Suite("Errors of the face landmarker")
struct FaceLandmarkerErrorTests {
  private func error(
    _ bundle: SyntheticFaceBundle, _ change: (inout FaceLandmarkerOptions) -> Void = { _ in }
  ) -> TaskError? {
    taskError { _ = try bundle.landmarker(change) }
  }

  @Test("out-of-range options are rejected by name")
  func ranges() {
    let bundle = SyntheticFaceBundle()
    for count in [0, -1, Int.min] {
      let error = error(bundle) { $0.maxFaces = count }
      #expect(
        error?.code == .invalidOption && error?.message.contains("maxFaces must be at least 1, got \(count)") == true)
    }
    let confidences: [(String, WritableKeyPath<FaceLandmarkerOptions, Float>)] = [
      ("minDetectionConfidence", \.minDetectionConfidence), ("minPresenceConfidence", \.minPresenceConfidence),
      ("minTrackingConfidence", \.minTrackingConfidence),
    ]
    for (name, option) in confidences {
      for value in [Float.nan, -0.1, 1.1, .infinity] {
        let error = error(bundle) { $0[keyPath: option] = value }
        #expect(error?.code == .invalidOption && error?.message.contains(name) == true)
      }
      for value in [Float(0), 1] { #expect(self.error(bundle) { $0[keyPath: option] = value } == nil) }
    }
  }

  @Test("only requested outputs require their bundle members")
  func missingMembers() {
    var bundle = SyntheticFaceBundle()
    (bundle.blendshapeModel, bundle.metadata) = (nil, nil)
    #expect(error(bundle) == nil)
    for (member, error) in [
      ("face_blendshapes.tflite", error(bundle) { $0.outputs.insert(.blendshapes) }),
      (
        "geometry_pipeline_metadata_landmarks.binarypb",
        error(bundle) { $0.outputs.insert(.transformationMatrices) }
      ),
    ] {
      #expect(error?.code == .modelNotFound)
      #expect(error?.message.contains("/\(member): there is no such member") == true, "\(String(describing: error))")
      #expect(error?.message.contains("face_detector.tflite, face_landmarks_detector.tflite") == true)
      #expect(
        error?.cause
          == .missingMember(name: member, others: ["face_detector.tflite", "face_landmarks_detector.tflite"]))
    }
    for member in ["face_detector.tflite", "face_landmarks_detector.tflite"] {
      let rest = SyntheticFaceBundle().members.filter { $0.name != member }
      var options = SyntheticFaceBundle().options
      options.baseOptions.model = .bytes(RawArchive(rest).bytes)
      let error = taskError { _ = try FaceLandmarker(options: options) }
      #expect(error?.code == .modelNotFound && error?.message.contains("/\(member): there is no") == true)
    }
  }

  @Test(
    "models with other outputs are rejected when the task is created, with bundle and member",
    arguments: [
      [[1, 1404], [1, 1]], [[1, 1404], [1, 80 * 2], [1, 71 * 2], [1, 71 * 2], [1, 5 * 2], [1, 5 * 2], [1, 1]],
      [[1, 1434]], [[1, 1434], [1, 2]], [[1, 1], [1, 1434]],
    ])
  func otherOutputs(shapes: [[Int]]) {
    let outputs = shapes.map { shape in
      (values: [Float](repeating: 0, count: shape.reduce(1, *)), shape: shape)
    }
    let error = error(SyntheticFaceBundle(landmarkModel: SyntheticFaceBundle.landmarkModel(outputs)))
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("/face_landmarks_detector.tflite") == true)
    #expect(error?.message.contains("all 478 points") == true, "\(String(describing: error))")
  }

  @Test("members of another kind are rejected with bundle and member")
  func otherKinds() throws {
    let name = "face_blendshapes.tflite"
    for bytes in [SyntheticFaceModel.bytes, [], [1, 2, 3], SyntheticCanonicalFace().bytes] {
      let error = error(SyntheticFaceBundle(blendshapeModel: bytes)) { $0.outputs.insert(.blendshapes) }
      #expect(error?.code == .invalidModel && error?.message.contains(name) == true, "\(String(describing: error))")
    }
    for bytes in [SyntheticFaceModel.bytes, [], [1, 2, 3]] {
      let error = error(SyntheticFaceBundle(metadata: bytes)) { $0.outputs.insert(.transformationMatrices) }
      #expect(error?.code == .invalidModel, "\(String(describing: error))")
      #expect(error?.message.contains("/geometry_pipeline_metadata_landmarks.binarypb: ") == true)
    }
    var members = SyntheticFaceBundle().members
    members[0] = .init("face_detector.tflite", SyntheticFaceBundle.blendshapes)
    let options = FaceLandmarkerOptions(baseOptions: BaseOptions(model: .bytes(RawArchive(members).bytes)))
    let error = taskError { _ = try FaceLandmarker(options: options) }
    #expect(error?.code == .invalidModel && error?.message.contains("/face_detector.tflite: ") == true)
    let model = taskError { _ = try FaceLandmarker(.bytes(SyntheticFaceModel.bytes)) }
    #expect(model?.code == .invalidModel)
  }
}
