import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

@Suite("Pose landmarker")
struct PoseLandmarkerTests {
  @Test("a body's landmarks follow the position of its region in the image")
  func points() throws {
    let landmarker = try SyntheticPoseModels().landmarker()
    let poses = try landmarker.poses(in: SyntheticPoseModels.image())
    try #require(poses.count == 1)
    let pose = poses[0]
    #expect(pose.landmarks.count == 33 && pose.worldLandmarks.count == 33 && pose.segmentationMask == nil)
    let nose = try #require(pose[.nose])
    // The region's width is 1.25 · 2 · 0.25 of the image's.
    #expect(abs(nose.x - 0.5) < 1e-5 && abs(nose.y - (0.5 + 0.625 / 4)) < 1e-5 && abs(nose.z - 0.625 / 4) < 1e-5)
    #expect(nose.visibility == 0.5 && abs((nose.presence ?? 0) - 0.999_954_6) < 1e-6)
    let foot = pose.worldLandmarks[32]
    #expect(abs(foot.x - 0.25) < 1e-6 && abs(foot.y - 0.5) < 1e-6 && foot.z == -0.125)
    #expect(foot.visibility == 0.5 && foot.presence == nose.presence)
  }

  @Test(
    "poses in a rotated image are at their actual position, unless MediaPipe's behavior is requested",
    arguments: [ImageOrientation.right, .down, .left])
  func orientation(orientation: ImageOrientation) throws {
    var models = SyntheticPoseModels()
    models.bodies[0].y = 0.75
    models.points = [[Float]](repeating: [16, 16, 0, 0, 0], count: 33)
    let (width, height) = orientation.swapsWidthAndHeight ? (200, 100) : (100, 200)
    let image = try SyntheticPoseModels.image(width, height, orientation: orientation)
    let found = try models.landmarker().poses(in: image)
    try #require(found.count == 1)
    // The upright image is twice as high as wide; the detector receives it with borders, at full height.
    let place = orientation.uprightToStored(NormalizedPoint(x: 0.5, y: 0.75))
    #expect(abs(found[0].landmarks[0].x - place.x) < 1e-4 && abs(found[0].landmarks[0].y - place.y) < 1e-4)
    let others = try models.landmarker { $0.keepsMediaPipeRotation = true }.poses(in: image)
    try #require(others.count == 1)
    #expect(abs(others[0].landmarks[0].x - 0.5) < 1e-4 && abs(others[0].landmarks[0].y - 0.75) < 1e-4)
  }

  @Test("presence must exceed the threshold, and detection must reach it")
  func thresholds() throws {
    var models = SyntheticPoseModels()
    models.bodies[0].score = 0
    let image = try SyntheticPoseModels.image()
    #expect(try models.landmarker { $0.minPresenceConfidence = 0.75 }.poses(in: image).isEmpty)
    #expect(try models.landmarker { $0.minPresenceConfidence = 0.7 }.poses(in: image).count == 1)
    #expect(try models.landmarker { $0.minDetectionConfidence = 0.51 }.poses(in: image).isEmpty)
  }

  @Test("the requested number of poses is reported, best first")
  func several() throws {
    var models = SyntheticPoseModels()
    models.bodies = [(5, 0.25, 0.5, 0.1), (8, 0.75, 0.5, 0.1)]
    models.points = [[Float]](repeating: [16, 16, 0, 0, 0], count: 33)
    let image = try SyntheticPoseModels.image()
    #expect(try models.landmarker().poses(in: image).map { ($0.landmarks[0].x * 100).rounded() } == [75])
    let both = try models.landmarker { $0.maxPoses = 5 }.poses(in: image)
    #expect(both.map { ($0.landmarks[0].x * 100).rounded() } == [75, 25])
  }

  @Test("in a video, a pose is tracked, and detected again after it is lost")
  func video() throws {
    var models = SyntheticPoseModels()
    models.points = [[Float]](repeating: [16, 16, 0, 0, 0], count: 33)
    // The next region is a quarter of the region farther to the right.
    models.ends = [[24, 16], [24, 8]]
    let video = try models.landmarker { $0.smoothing = .off }.video()
    let image = try SyntheticPoseModels.image()
    var places: [Float] = []
    for time in 0..<3 {
      places += try video.poses(in: image, at: .milliseconds(time)).map { $0.landmarks[0].x }
    }
    try #require(places.count == 3)
    #expect(places[0] == 0.5 && abs(places[1] - (0.5 + 0.625 / 4)) < 1e-4 && places[2] > places[1])
    // An image has no history.
    let still = try models.landmarker()
    #expect(try (0..<2).map { _ in try still.poses(in: image)[0].landmarks[0].x } == [0.5, 0.5])
  }

  @Test("masks have the image's size, and are empty outside the body's region")
  func masks() throws {
    let landmarker = try SyntheticPoseModels().landmarker { $0.outputs = .segmentationMasks }
    let mask = try #require(try landmarker.poses(in: SyntheticPoseModels.image(100, 80)).first?.segmentationMask)
    #expect(mask.width == 100 && mask.height == 80)
    let numbers = mask.pixels
    #expect(abs(numbers[40 * 100 + 50] - 0.880_797) < 1e-5 && numbers[0] == 0 && numbers[7999] == 0)
  }

  @Test("options have ranges")
  func options() {
    let changes: [(String, (inout PoseLandmarkerOptions) -> Void)] = [
      ("maxPoses", { $0.maxPoses = 0 }), ("maxPoses", { $0.maxPoses = -1 }),
      ("minDetectionConfidence", { $0.minDetectionConfidence = -0.1 }),
      ("minPresenceConfidence", { $0.minPresenceConfidence = 1.1 }),
      ("minTrackingConfidence", { $0.minTrackingConfidence = .nan }),
    ]
    for (name, change) in changes {
      let error = taskError { _ = try SyntheticPoseModels().landmarker(change) }
      #expect(error?.code == .invalidOption && error?.message.contains(name) == true)
    }
  }

  @Test("a bundle without a member, or with another model in its place, is rejected with its name")
  func bundles() throws {
    let models = SyntheticPoseModels()
    let (first, second) = ("pose_detector.tflite", "pose_landmarks_detector.tflite")
    let cases: [(members: [(name: String, bytes: [UInt8])], code: TaskError.Code, name: String)] = [
      ([(first, models.detector)], .modelNotFound, second), ([(second, models.landmarks)], .modelNotFound, first),
      ([(first, models.landmarks), (second, models.landmarks)], .invalidModel, first),
      ([(first, models.detector), (second, models.detector)], .invalidModel, second),
      ([(first, models.detector), (second, [1, 2, 3])], .invalidModel, second),
    ]
    for item in cases {
      let base = SyntheticPoseModels.base(SyntheticPoseModels.bundle(item.members))
      let error = taskError { _ = try PoseLandmarker(options: PoseLandmarkerOptions(baseOptions: base)) }
      #expect(error?.code == item.code && error?.message.contains(item.name) == true, "\(String(describing: error))")
    }
  }

  @Test("planes of another kind are rejected")
  func planes() {
    let models = SyntheticPoseModels()
    let flat = SyntheticPoseModels.model([
      ([Float](repeating: 0, count: 195), [1, 195]), ([0], [1, 1]), ([Float](repeating: 0, count: 64), [1, 64]),
      (models.heatLogits, [1, 8, 8, 39]), ([Float](repeating: 0, count: 117), [1, 117]),
    ])
    let bundle = SyntheticPoseModels.bundle([
      ("pose_detector.tflite", models.detector), ("pose_landmarks_detector.tflite", flat),
    ])
    let error = taskError {
      _ = try PoseLandmarker(options: PoseLandmarkerOptions(baseOptions: SyntheticPoseModels.base(bundle)))
    }
    #expect(error?.message.contains("[1 × height × width × 1] numbers (mask) in output 2") == true)
  }

  @Test(
    "any output value is handled without a crash",
    arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 1e10])
  func numbers(value: Float) throws {
    var models = SyntheticPoseModels()
    models.points = [[Float]](repeating: [value, value, value, value, value], count: 33)
    models.ends = [[value, value], [value, 4]]
    models.maskLogits = [Float](repeating: value, count: 64)
    models.heatLogits = [Float](repeating: value, count: 8 * 8 * 39)
    models.worldPoints = [[Float]](repeating: [value, value, value], count: 39)
    let image = try SyntheticPoseModels.image()
    for smoothing in LandmarkSmoothing.allCases {
      let video = try models.landmarker { ($0.smoothing, $0.outputs) = (smoothing, .segmentationMasks) }.video()
      for time in 0..<3 { _ = try video.poses(in: image, at: .milliseconds(time)) }
    }
  }

  @Test("landmarks and connections equal MediaPipe's")
  func constants() {
    #expect(PoseLandmarks.Point.allCases.count == 33 && PoseLandmarks.connections.count == 35)
    #expect(PoseLandmarks.Point.leftWrist.rawValue == 15 && PoseLandmarks.Point.rightFootIndex.rawValue == 32)
    #expect(PoseLandmarks.connections.first == LandmarkConnection(start: 0, end: 1))
    #expect(PoseLandmarks.connections.last == LandmarkConnection(start: 28, end: 32))
  }
}
