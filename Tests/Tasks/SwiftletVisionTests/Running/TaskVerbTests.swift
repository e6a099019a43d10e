import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@_spi(Facades) @testable import SwiftletVision

/// Checks that every method of every task passes everything on: images, video frames, and batches; blocking and async.
@Suite("Methods of vision tasks", .timeLimit(.minutes(10)))
struct TaskVerbTests {
  /// A model that passes on the two pixels of its input.
  private static let model = ModelSource.bytes(
    PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 6])]).bytes)
  private static let masks = ModelSource.bytes(
    PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 3])]).bytes)

  /// Returns an image of four pixels in a row, of which each half is a different input.
  private static func image(_ first: UInt8 = 0) throws -> InputImage {
    try InputImage(rgb: (0..<12).map { first + $0 }, width: 4, height: 1)
  }

  private static let half = NormalizedRect(left: 0.5, top: 0, right: 1, bottom: 1)

  private func collect<Source: Sendable, Output: Sendable>(_ batch: Batch<Source, Output>) async throws -> [Output] {
    var outputs: [Output] = []
    for try await item in batch {
      #expect(item.index == outputs.count)
      outputs.append(try item.result.get())
    }
    return outputs
  }

  private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  @Test("embedding(of:)")
  func embedding() async throws {
    let task = try ImageEmbedder(Self.model)
    let image = try Self.image()
    let expected: [Float] = [6, 7, 8, 9, 10, 11]
    #expect(try { () throws in try task.embedding(of: image, region: Self.half) }().values.floats == expected)
    #expect(try await task.embedding(of: image, region: Self.half, priority: .high).values.floats == expected)
    let video = task.video()
    let frame = try { () throws in try video.embedding(of: image, region: Self.half, at: .seconds(1)) }()
    #expect(frame.values.floats == expected)
    let next = try await video.embedding(of: image, region: Self.half, at: .seconds(2), priority: .high)
    #expect(next.values.floats == expected)
    for outputs in [
      try await collect(task.embeddings(ofContentsOf: [image, try Self.image(100)])),
      try await collect(task.embeddings(ofContentsOf: [UInt8(0), 100]) { try Self.image($0) }),
      try await collect(task.embeddings(ofContentsOf: stream([UInt8(0), 100])) { try Self.image($0) }),
    ] { #expect(outputs.map { $0.values.count } == [6, 6] && outputs[0] != outputs[1]) }
  }

  @Test("classification(of:)")
  func classification() async throws {
    let task = try ImageClassifier(Self.model)
    let image = try Self.image()
    let expected: [Float] = [11, 10, 9, 8, 7, 6]
    let blocking = try { () throws in try task.classification(of: image, region: Self.half) }()
    #expect(blocking.categories.map(\.score) == expected)
    #expect(try await task.classification(of: image, region: Self.half, priority: .high) == blocking)
    let video = task.video()
    let frame = try { () throws in try video.classification(of: image, region: Self.half, at: .seconds(1)) }()
    #expect(frame == blocking)
    #expect(try await video.classification(of: image, region: Self.half, at: .seconds(2), priority: .high) == blocking)
    for outputs in [
      try await collect(task.classifications(ofContentsOf: [image, try Self.image(100)])),
      try await collect(task.classifications(ofContentsOf: [UInt8(0), 100]) { try Self.image($0) }),
      try await collect(task.classifications(ofContentsOf: stream([UInt8(0), 100])) { try Self.image($0) }),
    ] { #expect(outputs.count == 2 && outputs[0] != outputs[1]) }
  }

  @Test("segmentation(of:)")
  func segmentation() async throws {
    let task = try ImageSegmenter(Self.masks) { $0.maskResolution = .model }
    let image = try InputImage(rgb: [1, 2, 3, 4, 5, 6], width: 2, height: 1)
    let blocking = try { () throws in try task.segmentation(of: image) }()
    #expect(blocking.confidenceMasks.map(\.pixels) == [[1, 4], [2, 5], [3, 6]])
    #expect(try await task.segmentation(of: image, priority: .high) == blocking)
    let video = task.video()
    #expect(try { () throws in try video.segmentation(of: image, at: .seconds(1)) }() == blocking)
    #expect(try await video.segmentation(of: image, at: .seconds(2), priority: .high) == blocking)
    for outputs in [
      try await collect(task.segmentations(ofContentsOf: [image, image])),
      try await collect(task.segmentations(ofContentsOf: [1, 2]) { _ in image }),
      try await collect(task.segmentations(ofContentsOf: stream([1, 2])) { _ in image }),
    ] { #expect(outputs == [blocking, blocking]) }
  }

  @Test("segmentation(of:region:)")
  func interactiveSegmentation() async throws {
    var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 4])])
    model.channels = 4
    let task = try InteractiveSegmenter(.bytes(model.bytes)) { $0.maskResolution = .model }
    let image = try InputImage(rgb: [1, 2, 3, 4, 5, 6], width: 2, height: 1)
    let region = InteractiveRegion.point(NormalizedPoint(x: 0, y: 0))
    let result = try await task.segmentation(of: image, region: region, priority: .high)
    let blocking = try { () throws in try task.segmentation(of: image, region: region) }()
    #expect(result.confidenceMasks.map(\.pixels) == [[1, 4], [2, 5], [3, 6], [255, 255]])
    #expect(blocking == result)
    #expect(try await collect(task.segmentations(ofContentsOf: [1]) { _ in (image, region) }) == [result])
  }

  @Test("objects(in:)")
  func objects() async throws {
    let task = try ObjectDetector(.bytes(BoxReadingModel.bytes)) { $0.scoreThreshold = 0.5 }
    let object = BoxReadingModel.Object(left: 0, top: 51, right: 102, bottom: 204, score: 200, category: 3)
    let image = try InputImage(rgb: BoxReadingModel.pixels([object], width: 50, height: 100), width: 50, height: 100)
    let expected = try { () throws in try task.objects(in: image) }()
    #expect(expected.count == 1 && expected.first?.categories.first?.index == 3)
    #expect(expected[0].score == expected[0].categories[0].score && expected[0].label == nil)
    #expect(try await task.objects(in: image, priority: .high) == expected)
    // The region contains a different input.
    let region = NormalizedRect(left: 0, top: 0, right: 1, bottom: 0.5)
    let part = try { () throws in try task.objects(in: image, region: region) }()
    #expect(part != expected)
    #expect(try await task.objects(in: image, region: region, priority: .high) == part)
    let video = task.video()
    #expect(try { () throws in try video.objects(in: image, region: region, at: .seconds(1)) }() == part)
    #expect(try await video.objects(in: image, at: .seconds(2), priority: .high) == expected)
    for outputs in [
      try await collect(task.objects(inContentsOf: [image, image])),
      try await collect(task.objects(inContentsOf: [1, 2]) { _ in image }),
      try await collect(task.objects(inContentsOf: stream([1, 2])) { _ in image }),
    ] { #expect(outputs == [expected, expected]) }
  }

  @Test("faces(in:)")
  func faces() async throws {
    let task = try FaceDetector(options: SyntheticFaceModel.options)
    let image = try SyntheticFaceModel.image(seed: 3)
    let expected = try { () throws in try task.faces(in: image) }()
    #expect(!expected.isEmpty)
    #expect(try await task.faces(in: image, priority: .high) == expected)
    let video = task.video()
    #expect(try { () throws in try video.faces(in: image, at: .seconds(1)) }() == expected)
    #expect(try await video.faces(in: image, at: .seconds(2), priority: .high) == expected)
    for outputs in [
      try await collect(task.faces(inContentsOf: [image, image])),
      try await collect(task.faces(inContentsOf: [1, 2]) { _ in image }),
      try await collect(task.faces(inContentsOf: stream([1, 2])) { _ in image }),
    ] { #expect(outputs == [expected, expected]) }
    for face in expected {
      #expect(FaceKeypoint.allCases.map { face[$0] } == face.keypoints.map(Optional.some))
    }
    #expect(FaceKeypoint.allCases.map(\.rawValue) == Array(0..<6))
    #expect(FaceDetection(score: 1, box: expected[0].box)[.mouth] == nil)
  }

  @Test("gestures(in:) and hands(in:)")
  func gestures() async throws {
    let task = try SyntheticGestures.recognizer()
    let image = try SyntheticHands.image([8: SyntheticHands.palm()])
    let expected = try { () throws in try task.gestures(in: image) }()
    #expect(expected.count == 1 && expected.first?.gesture?.name == "Fist")
    #expect(try await task.gestures(in: image, priority: .high) == expected)
    let video = task.video()
    #expect(try { () throws in try video.gestures(in: image, at: .seconds(3)) }().first?.gesture?.name == "Fist")
    #expect(try await video.gestures(in: image, at: .seconds(4), priority: .high).first?.gesture?.name == "Fist")
    for outputs in [
      try await collect(task.gestures(inContentsOf: [image, image])),
      try await collect(task.gestures(inContentsOf: [1, 2]) { _ in image }),
      try await collect(task.gestures(inContentsOf: stream([1, 2])) { _ in image }),
    ] { #expect(outputs == [expected, expected]) }
    let hands = try SyntheticHands.landmarker()
    let found = try { () throws in try hands.hands(in: image) }()
    #expect(found == expected.map(\.hand))
    #expect(try await hands.hands(in: image, priority: .high) == found)
    let frames = hands.video()
    #expect(try { () throws in try frames.hands(in: image, at: .seconds(3)) }().count == 1)
    #expect(try await frames.hands(in: image, at: .seconds(4), priority: .high).count == 1)
    #expect(try await collect(hands.hands(inContentsOf: [image])) == [found])
    #expect(try await collect(hands.hands(inContentsOf: [1]) { _ in image }) == [found])
    #expect(try await collect(hands.hands(inContentsOf: stream([1])) { _ in image }) == [found])
  }

  @Test("faces(in:), poses(in:), and person(in:) of landmarkers")
  func landmarks() async throws {
    let faces = try SyntheticFaceBundle().landmarker()
    let face = try SyntheticFaceBundle.image([(8, 8)])
    let found = try { () throws in try faces.faces(in: face) }()
    #expect(found.count == 1)
    #expect(try await faces.faces(in: face, priority: .high) == found)
    #expect(try await faces.video().faces(in: face, at: .zero, priority: .high).count == 1)
    #expect(try await collect(faces.faces(inContentsOf: [face])) == [found])
    #expect(try await collect(faces.faces(inContentsOf: [1]) { _ in face }) == [found])
    #expect(try await collect(faces.faces(inContentsOf: stream([1])) { _ in face }) == [found])
    let image = try SyntheticPoseModels.image()
    let poses = try SyntheticPoseModels().landmarker()
    let bodies = try { () throws in try poses.poses(in: image) }()
    #expect(bodies.count == 1)
    #expect(try await poses.poses(in: image, priority: .high) == bodies)
    #expect(try await poses.video().poses(in: image, at: .zero, priority: .high).count == 1)
    #expect(try await collect(poses.poses(inContentsOf: [image])) == [bodies])
    #expect(try await collect(poses.poses(inContentsOf: [1]) { _ in image }) == [bodies])
    #expect(try await collect(poses.poses(inContentsOf: stream([1])) { _ in image }) == [bodies])
    let people = try SyntheticPerson().landmarker()
    let person = try { () throws in try people.person(in: image) }()
    #expect(person != nil)
    #expect(try await people.person(in: image, priority: .high) == person)
    #expect(try await people.video().person(in: image, at: .zero, priority: .high) != nil)
  }

  @Test("options have their defaults unless configured")
  func configuration() throws {
    let source = ModelSource.bytes(SyntheticObjectModel.bytes)
    let image = try SyntheticObjectModel.image()
    #expect(try ObjectDetector(source).objects(in: image).count == 3)
    #expect(try ObjectDetector(source) { $0.maxResults = 1 }.objects(in: image).count == 1)
    let error = taskError { _ = try ObjectDetector(source) { $0.maxResults = 0 } }
    #expect(error?.code == .invalidOption)
  }

  // MARK: Sources of images

  @Test("images in memory are described by size, and get an orientation")
  func sources() throws {
    let buffer = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 2, height: 1, pixelFormat: .rgb8)
    let source = ImageBufferSource(buffer)
    #expect(source.kind == .memory && source.size.width == 2 && source.size.height == 1)
    #expect(source.inputImage().buffer.packedBytes() == buffer.packedBytes())
    let kinds: [ImageSourceKind] = [.image, .pixelBuffer, .sampleBuffer, .memory]
    #expect(kinds.map(\.rawValue) == [0, 1, 2, 3])
    #if !canImport(UIKit)
      let snapshot = try ImageSnapshot(source, orientation: .right)
      let image = try snapshot.inputImage()
      #expect(image.orientation == .right && image.width == 2 && image.buffer.packedBytes() == buffer.packedBytes())
    #endif
  }
}
