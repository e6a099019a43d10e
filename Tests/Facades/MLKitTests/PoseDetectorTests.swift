import Foundation
import MLKit
import SwiftletTestSupport
import SwiftletVision
import Testing

@Suite("ML Kit's pose detector", .serialized, .timeLimit(.minutes(30)))
struct PoseDetectorTests {
  /// A bundle in a file. All landmarks but the nose are at the same point.
  private final class Bundle: Sendable {
    let model: LocalModel
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ change: (inout SyntheticPoseModels) -> Void = { _ in }) throws {
      var models = SyntheticPoseModels()
      models.points[0] = [8, 4, 16, 3, -2]
      models.hasNormalization = true
      change(&models)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("pose.task")
      try Data(models.bundle).write(to: file)
      model = LocalModel(path: file.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func options(_ mode: PoseDetectorMode = .singleImage) -> PoseDetectorOptions {
      let options = PoseDetectorOptions()
      (options.detectorMode, options.model) = (mode, model)
      options.completionQueue = DispatchQueue(label: "completions")
      return options
    }
  }

  private static func buffer() throws -> ImageBuffer {
    try ImageBuffer(bytes: [UInt8](repeating: 100, count: 64 * 48 * 3), width: 64, height: 48, pixelFormat: .rgb8)
  }

  @Test("options have ML Kit's defaults")
  func defaults() {
    #expect(PoseDetectorOptions().detectorMode == .stream && AccuratePoseDetectorOptions().detectorMode == .stream)
    #expect(PoseLandmarkType.allTypes.count == 33 && Set(PoseLandmarkType.allTypes).count == 33)
  }

  @Test("returns the landmarks of the native task in pixels, with every form of the call")
  func landmarks() async throws {
    let bundle = try Bundle(), buffer = try Self.buffer(), image = VisionImage(imageBuffer: buffer)
    let detector = try PoseDetector.make(options: bundle.options())
    func blocking() throws -> [MLKit.Pose] { try detector.results(in: image) }
    let poses = try blocking()
    let native = try PoseLandmarker(.file(bundle.model.path)).poses(in: InputImage(buffer))
    #expect(poses.count == 1 && native.count == 1)
    for (index, landmark) in native[0].landmarks.enumerated() {
      let found = poses[0].landmarks[index]
      #expect(found.type == PoseLandmarkType.allTypes[index] && found === poses[0].landmark(ofType: found.type))
      #expect(abs(found.position.x - CGFloat(landmark.x) * 64) < 1e-4)
      #expect(abs(found.position.y - CGFloat(landmark.y) * 48) < 1e-4)
      #expect(abs(found.position.z - CGFloat(landmark.z) * 64) < 1e-4)
      #expect(found.inFrameLikelihood == landmark.presence)
    }
    let nose = poses[0].landmark(ofType: .nose)
    #expect(nose.inFrameLikelihood < 0.2 && poses[0].landmark(ofType: .leftToe).inFrameLikelihood > 0.9)
    #expect(try await detector.process(image).first?.landmarks.count == 33)
    let told = await withCheckedContinuation { continuation in
      detector.process(image) { poses, error in continuation.resume(returning: error == nil ? poses?.count : nil) }
    }
    #expect(told == 1)
  }

  @Test("tracks a pose through a stream, and accepts an MLImage")
  func stream() throws {
    let bundle = try Bundle(), detector = PoseDetector.poseDetector(options: bundle.options(.stream))
    for _ in 0..<3 {
      #expect(try detector.results(in: MLImage(imageBuffer: try Self.buffer())).count == 1)
    }
  }

  @Test("a stream starts over if the time or the size of the frames changes")
  func restart() throws {
    let bundle = try Bundle(), detector = PoseDetector.poseDetector(options: bundle.options(.stream))
    for time in [5, 6, 6, 1] as [TimeInterval] {
      let image = VisionImage(imageBuffer: try Self.buffer())
      image.timestamp = time
      #expect(try detector.results(in: image).count == 1)
    }
    let image = VisionImage(imageBuffer: try Self.buffer().oriented(.right))
    #expect(try detector.results(in: image).count == 1)
  }

  @Test("nobody in an image is not an error")
  func nobody() throws {
    let bundle = try Bundle { $0.bodies = [] }
    #expect(try PoseDetector.make(options: bundle.options()).results(in: VisionImage(imageBuffer: Self.buffer())) == [])
  }

  @Test("a missing model is an error that names a published one")
  func missingModel() throws {
    let fast = mlKitError { _ = try PoseDetector.make(options: PoseDetectorOptions()) }
    #expect(fast?.code == .notFound && fast?.message.contains("'swiftlet models fetch pose-landmarker-lite'") == true)
    let accurate = mlKitError { _ = try PoseDetector.make(options: AccuratePoseDetectorOptions()) }
    #expect(accurate?.code == .notFound && accurate?.message.contains("defaultAccurateModel") == true)
    let bundle = try Bundle()
    PoseDetector.defaultAccurateModel = bundle.model
    defer { PoseDetector.defaultAccurateModel = nil }
    _ = try PoseDetector.make(options: AccuratePoseDetectorOptions())
  }

  @Test("invalid options are errors")
  func invalidOptions() throws {
    let bundle = try Bundle()
    func code(_ change: (PoseDetectorOptions) -> Void) -> MLKitError.Code? {
      let options = bundle.options()
      change(options)
      return mlKitError { _ = try PoseDetector.make(options: options) }?.code
    }
    #expect(code { $0.detectorMode = PoseDetectorMode(rawValue: 7) } == .invalidArgument)
    #expect(code { $0.threadCount = 0 } == .invalidArgument)
    #expect(code { $0.minDetectionConfidence = 2 } == .invalidArgument)
    #expect(code { $0.model = LocalModel(path: "/nowhere.task") } == .notFound)
    #expect(code { _ in } == nil)
  }

  @Test("an app's service detects a pose")
  func client() async throws {
    let bundle = try Bundle()
    PoseDetector.defaultModel = bundle.model
    defer { PoseDetector.defaultModel = nil }
    let service = PoseService(accurate: false)
    let image = VisionImage(imageBuffer: try Self.buffer())
    #expect(try service.points(in: image).count == 33)
    #expect(await service.isSomebodyThere(image))
  }
}
