import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("App services using MediaPipe's modules")
struct ClientTests {
  private static let models = TestData.packagePath + "/Models"

  private static func makeImage() throws -> MPImage {
    try MPImage(rgb: (0..<3 * 64 * 48).map { UInt8(truncatingIfNeeded: $0 &* 5) }, width: 64, height: 48)
  }

  @Test("run every task with a bundled model")
  func tasks() async throws {
    let service = ImageService(folder: Self.models)
    let image = try Self.makeImage()
    #expect(service.names(in: image).count <= 2)
    _ = service.boxes(in: image)
    #expect((0...1).contains(await service.coverage(of: image)))
    #expect(try abs(#require(service.likeness(image, image)) - 1) < 1e-3)
    #expect(service.failures.isEmpty, "\(service.failures)")
    #expect(service.touched(image, at: [CGPoint(x: 0.5, y: 0.5)]).contains("none.task"))
  }

  @Test("subclass for their own tests")
  func derived() throws {
    let fake = try FakeDetector(modelPath: Self.models + "/object_detector_int8.tflite")
    let detector: ObjectDetector = fake
    let result = try detector.detect(image: Self.makeImage())
    #expect(result.detections.first?.categories.first?.categoryName == "cup")
    #expect((result as? NotedResult)?.note == "made up")
    let options = CarefulOptions()
    let copy = options.copy() as? PoseLandmarkerOptions
    #expect(copy?.numPoses == 2 && copy?.minPoseDetectionConfidence == 0.6 && copy?.baseOptions.delegate == .GPU)
  }

  @Test("show landmarks in a view")
  func landmarks() throws {
    let points = (0..<33).map { index in
      NormalizedLandmark(x: Float(index) / 33, y: 0.5, z: 0, visibility: index == 0 ? 0.1 : nil, presence: nil)
    }
    let result = PoseLandmarkerResult(
      landmarks: [points], worldLandmarks: [], segmentationMasks: [], timestampInMilliseconds: 4)
    let lines = LandmarkService.lines(result, in: CGRect(x: 10, y: 20, width: 330, height: 100))
    #expect(lines.count == PoseLandmarker.poseLandmarks.count)
    #expect(lines.allSatisfy { $0.1.x >= 20 && $0.1.y == 70 })
    #expect(LandmarkService(modelName: "none", in: .main, mode: .liveStream) == nil)
  }
}
