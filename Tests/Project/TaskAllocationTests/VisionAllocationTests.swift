import SteadyState
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletVision
import SwiftletVisionTestSupport
import Testing

@Suite(
  "Allocations of vision tasks", .enabled(if: Allocations.areThoseOfUsers, "needs an optimized build on glibc"))
struct VisionAllocationTests {
  /// Returns a uniform gray image.
  private func makeImage(width: Int) throws -> InputImage {
    try InputImage(rgb: [UInt8](repeating: 100, count: 3 * width), width: width, height: 1)
  }

  /// Expects that `body`, which has run before, makes `count` allocations for its result and no others.
  private func expect(_ count: Int, _ body: () throws -> Void) throws {
    let allocations = try Allocations.ofSteadyCall(body)
    #expect(allocations == Double(count))
  }

  @Test(
    "a face detector allocates its result and nothing else")
  func faces() throws {
    let detector = try FaceDetector(options: SyntheticFaceModel.options)
    let image = try SyntheticFaceModel.image(seed: 3)
    let found = try detector.faces(in: image).count
    #expect(found > 0)
    // The array, and the keypoints of each face.
    try expect(1 + found) { _ = try detector.faces(in: image) }
  }

  @Test(
    "an object detector allocates its result and nothing else")
  func objects() throws {
    let detector = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .bytes(SyntheticObjectModel.bytes)), scoreThreshold: 0.5)
    )
    let image = try SyntheticObjectModel.image()
    let found = try detector.objects(in: image).count
    #expect(found == 2)
    // The array, and the categories of each object.
    try expect(1 + found) { _ = try detector.objects(in: image) }
  }

  @Test(
    "an image classifier allocates its result and nothing else")
  func classes() throws {
    let model = PassingModel(
      width: 4, height: 4, outputs: [.init(shape: [1, 48], labels: (0..<48).map { "class \($0)" })])
    let classifier = try ImageClassifier(
      options: ImageClassifierOptions(baseOptions: BaseOptions(model: .bytes(model.bytes)), maxResults: 5))
    let image = try makeImage(width: 5)
    #expect(try classifier.classification(of: image).categories.count == 5)
    // The array of heads, and the categories of the only head.
    try expect(2) { _ = try classifier.classification(of: image) }
  }

  @Test(
    "an image embedder allocates its result and nothing else")
  func embeddings() throws {
    let model = PassingModel(width: 4, height: 4, outputs: [.init(shape: [1, 48], name: "feature")])
    let image = try makeImage(width: 5)
    for quantize in [false, true] {
      let embedder = try ImageEmbedder(
        options: ImageEmbedderOptions(
          baseOptions: BaseOptions(model: .bytes(model.bytes)), normalizesEmbedding: true, quantizesEmbedding: quantize)
      )
      // The array of heads, and the numbers of the only head.
      try expect(2) { _ = try embedder.embedding(of: image) }
    }
  }

  @Test(
    "a hand landmarker allocates its result and nothing else")
  func hands() throws {
    let image = try SyntheticHands.image([8: SyntheticHands.palm(side: 3), 0: SyntheticHands.palm(side: 2)])
    let landmarker = try SyntheticHands.landmarker { $0.maxHands = 2 }
    #expect(try landmarker.hands(in: image).count == 2)
    // The array, and both lists of landmarks of each hand.
    try expect(1 + 2 * 2) { _ = try landmarker.hands(in: image) }
    for smoothing in [LandmarkSmoothing.off, .all] {
      let video = try SyntheticHands.landmarker { ($0.maxHands, $0.smoothing) = (2, smoothing) }.video()
      var time = Duration.zero
      try expect(1 + 2 * 2) {
        time += .milliseconds(33)
        _ = try video.hands(in: image, at: time)
      }
    }
    let recognizer = try SyntheticGestures.recognizer { $0.maxHands = 2 }
    // The same, and the array of hands with their gestures.
    try expect(1 + 2 * 2 + 1) { _ = try recognizer.gestures(in: image) }
  }

  @Test(
    "an image segmenter allocates its result and nothing else")
  func masks() throws {
    let model = PassingModel(width: 8, height: 8, outputs: [.init(shape: [1, 8, 8, 3])])
    let segmenter = try ImageSegmenter(
      options: ImageSegmenterOptions(
        baseOptions: BaseOptions(model: .bytes(model.bytes)), outputs: [.categoryMask, .confidenceMasks]))
    let image = try makeImage(width: 9)
    // An array of masks, four masks, whose numbers reuse the memory of released masks, and the quality scores.
    try expect(1 + 4 + 1) { _ = try segmenter.segmentation(of: image) }
  }

  @Test(
    "an interactive segmenter allocates its result and the rendered region in a few allocations")
  func marked() throws {
    var model = PassingModel(width: 8, height: 8, outputs: [.init(shape: [1, 8, 8, 4])])
    model.channels = 4
    let segmenter = try InteractiveSegmenter(
      options: InteractiveSegmenterOptions(baseOptions: BaseOptions(model: .bytes(model.bytes))))
    let region = InteractiveRegion.point(NormalizedPoint(x: 0.5, y: 0.5))
    for side in [9, 90, 201] {
      let image = try InputImage(rgb: [UInt8](repeating: 7, count: 3 * side * side), width: side, height: side)
      // An array of masks, four masks, whose numbers reuse the memory of released masks, and the quality scores. For
      // the region: the points twice, the disc, the image with it, that image in the model's size, and one table
      // per axis.
      try expect(1 + 4 + 1 + 2 + 1 + 1 + 1 + 2) { _ = try segmenter.segmentation(of: image, region: region) }
    }
  }

  @Test(
    "a face landmarker allocates its result and nothing else",
    arguments: [false, true])
  func faceLandmarks(isVideo: Bool) throws {
    let landmarker = try SyntheticFaceBundle().landmarker {
      $0.outputs.insert(.blendshapes)
      $0.outputs.insert(.transformationMatrices)
    }
    let video = landmarker.video()
    let image = try SyntheticFaceBundle.image([(8, 8)])
    var time = 0
    var faceCount = 0
    // The array, and the landmarks and blendshapes of the only face.
    try expect(1 + 2) {
      time += 1
      let faces = try isVideo ? video.faces(in: image, at: .milliseconds(time)) : landmarker.faces(in: image)
      faceCount += faces.count
    }
    // Each call detected the face.
    #expect(faceCount == time)
  }

  @Test(
    "a pose landmarker allocates its result and nothing else",
    arguments: [false, true])
  func poses(isVideo: Bool) throws {
    let image = try SyntheticPoseModels.image()
    for limit in [1, 2] {
      let landmarker = try SyntheticPoseModels().landmarker {
        ($0.maxPoses, $0.smoothing, $0.outputs) = (limit, .all, .segmentationMasks)
      }
      let video = landmarker.video()
      var time = 0
      // The array, both lists of landmarks, and the mask, whose numbers reuse the memory of a released mask.
      try expect(1 + 2 + 1) {
        time += 1
        _ = try isVideo ? video.poses(in: image, at: .milliseconds(time)) : landmarker.poses(in: image)
      }
    }
  }

  @Test(
    "a holistic landmarker allocates its result and nothing else",
    arguments: [false, true])
  func people(isVideo: Bool) throws {
    let image = try SyntheticPoseModels.image()
    let landmarker = try SyntheticPerson().landmarker()
    let video = landmarker.video()
    var time = 0
    // Both lists of landmarks of the pose and of each hand, the mask, the face landmarks, and the blendshapes.
    try expect(2 + 2 * 2 + 1 + 2) {
      time += 1
      _ = try isVideo ? video.person(in: image, at: .milliseconds(time)) : landmarker.person(in: image)
    }
  }

  @Test(
    "real models allocate their result and nothing else",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func realModels() throws {
    func base(_ model: String) -> BaseOptions { BaseOptions(model: .file(TestData.path("models/" + model))) }
    func photograph(_ name: String) throws -> InputImage {
      try InputImage(ImageDecoder.decode(path: TestData.path("images/" + name)).image)
    }
    let person = try photograph("face.jpg")
    let faces = try FaceDetector(
      options: FaceDetectorOptions(baseOptions: base("face/face_detector_short_range_metadata.tflite")))
    let faceCount = try faces.faces(in: person).count
    #expect(faceCount > 0)
    try expect(1 + faceCount) { _ = try faces.faces(in: person) }

    let pets = try photograph("cats_and_dogs.jpg")
    let objects = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: base("detection/coco_ssd_mobilenet_v1_1.0_quant.tflite"), scoreThreshold: 0.5))
    let objectCount = try objects.objects(in: pets).count
    #expect(objectCount > 0)
    try expect(1 + objectCount) { _ = try objects.objects(in: pets) }

    let embedder = try ImageEmbedder(
      options: ImageEmbedderOptions(
        baseOptions: base("embedding/mobilenet_v1_1.0_224_quant_embedding_extractor.tflite")))
    try expect(2) { _ = try embedder.embedding(of: pets) }

    let segmenter = try ImageSegmenter(
      options: ImageSegmenterOptions(
        baseOptions: base("segmentation/deeplabv3_257_metadata.tflite"), outputs: .categoryMask))
    // The category mask and the quality scores.
    try expect(2) { _ = try segmenter.segmentation(of: pets) }
  }

  @Test(
    "real landmark models allocate their result and nothing else",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"),
    arguments: [false, true])
  func realLandmarks(isVideo: Bool) throws {
    func base(_ bundle: String) throws -> BaseOptions { BaseOptions(model: .bytes(try GoldenTask.modelBytes(bundle))) }
    let image = try InputImage(ImageDecoder.decode(path: TestData.path("images/mp_pose.jpg")).image)
    var frame = 0
    func next() -> Duration {
      frame += 1
      return .milliseconds(33 * frame)
    }
    let hands = try HandLandmarker(
      options: HandLandmarkerOptions(baseOptions: base("hand_landmarker.task"), maxHands: 2))
    let handVideo = hands.video()
    func findHands() throws -> [Hand] {
      try isVideo ? handVideo.hands(in: image, at: next()) : hands.hands(in: image)
    }
    #expect(try findHands().count == 2)
    try expect(1 + 2 * 2) { _ = try findHands() }

    let poses = try PoseLandmarker(
      options: PoseLandmarkerOptions(
        baseOptions: base("pose_landmarker.task"), outputs: .segmentationMasks))
    let poseVideo = poses.video()
    func findPoses() throws -> [Pose] {
      try isVideo ? poseVideo.poses(in: image, at: next()) : poses.poses(in: image)
    }
    #expect(try findPoses().count == 1)
    try expect(1 + 2 + 1) { _ = try findPoses() }

    let people = try HolisticLandmarker(
      options: HolisticLandmarkerOptions(
        baseOptions: base("holistic_landmarker.task"), outputs: [.blendshapes, .segmentationMask]))
    let personVideo = people.video()
    func findPerson() throws -> Person? {
      try isVideo ? personVideo.person(in: image, at: next()) : people.person(in: image)
    }
    let person = try findPerson()
    #expect(person?.leftHand != nil && person?.rightHand != nil && person?.face != nil)
    try expect(2 + 2 * 2 + 1 + 2) { _ = try findPerson() }
  }
}
