import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

/// Every verb of every task hands everything on.
@Suite("Verbs of vision tasks", .timeLimit(.minutes(10)))
struct TaskVerbTests {
  /// Hands on the two pixels of its input.
  private static let model = ModelSource.bytes(
    PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 6])]).bytes)
  private static let masks = ModelSource.bytes(
    PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 3])]).bytes)

  /// Four pixels in a row, of which each half is another input.
  private static func image(_ first: UInt8 = 0) throws -> MPImage {
    try MPImage(rgb: (0..<12).map { first + $0 }, width: 4, height: 1)
  }

  private static let half = NormalizedRect(left: 0.5, top: 0, right: 1, bottom: 1)

  private func collect<Elements: AsyncSequence & Sendable, Source: Sendable, Output: Sendable>(
    _ batch: Elements
  ) async throws -> [Output] where Elements.Element == BatchResult<Source, Output> {
    var outputs: [Output] = []
    for try await item in batch {
      #expect(item.index == outputs.count)
      outputs.append(try item.result.get())
    }
    return outputs
  }

  private static func images() -> ReadyElements<[MPImage]> { ReadyElements([0, 100].compactMap { try? image($0) }) }

  private static let numbers = ReadyElements([UInt8(0), 100])

  @Test("embed", arguments: [RunningMode.image, .video])
  func embed(mode: RunningMode) async throws {
    let task = try ImageEmbedder(model: Self.model) { $0.runningMode = mode }
    let time: Duration? = mode == .video ? .milliseconds(7) : nil
    let blocking = try { () throws in
      try task.embed(try Self.image(), regionOfInterest: Self.half, at: time)
    }()
    #expect(blocking.embedding.floatEmbedding == [6, 7, 8, 9, 10, 11] && blocking.timestamp == time ?? .zero)
    let result = try await task.embed(try Self.image(), regionOfInterest: Self.half, at: time.map { $0 * 2 })
    #expect(
      result.embedding.floatEmbedding == [6, 7, 8, 9, 10, 11] && result.timestamp == time.map { $0 * 2 } ?? .seconds(1))
    guard mode == .image else { return }
    for outputs in [
      try await collect(task.embed(contentsOf: Self.images(), regionOfInterest: Self.half)),
      try await collect(task.embed(contentsOf: Self.numbers, regionOfInterest: Self.half) { try Self.image($0) }),
    ] {
      #expect(outputs.map { $0.embedding.floatEmbedding?.first } == [6, 106])
      #expect(outputs.map(\.timestamp) == [.zero, .seconds(1)])
    }
  }

  @Test("classify", arguments: [RunningMode.image, .video])
  func classify(mode: RunningMode) async throws {
    let task = try ImageClassifier(model: Self.model) { $0.runningMode = mode }
    let time: Duration? = mode == .video ? .milliseconds(7) : nil
    let blocking = try { () throws in
      try task.classify(try Self.image(), regionOfInterest: Self.half, at: time)
    }()
    #expect(blocking.categories.map(\.score) == [11, 10, 9, 8, 7, 6] && blocking.timestamp == time ?? .zero)
    let result = try await task.classify(try Self.image(), regionOfInterest: Self.half, at: time.map { $0 * 2 })
    #expect(result.categories == blocking.categories && result.timestamp == time.map { $0 * 2 } ?? .seconds(1))
    guard mode == .image else { return }
    for outputs in [
      try await collect(task.classify(contentsOf: Self.images(), regionOfInterest: Self.half)),
      try await collect(task.classify(contentsOf: Self.numbers, regionOfInterest: Self.half) { try Self.image($0) }),
    ] { #expect(outputs.map { $0.categories.first?.score } == [11, 111]) }
  }

  @Test("segment", arguments: [RunningMode.image, .video])
  func segment(mode: RunningMode) async throws {
    let task = try ImageSegmenter(model: Self.masks) { ($0.runningMode, $0.maskResolution) = (mode, .model) }
    let time: Duration? = mode == .video ? .milliseconds(7) : nil
    let image = try MPImage(rgb: [1, 2, 3, 4, 5, 6], width: 2, height: 1)
    let blocking = try { () throws in try task.segment(image, at: time) }()
    #expect(blocking.confidenceMasks?.map(\.float32Data) == [[1, 4], [2, 5], [3, 6]])
    let result = try await task.segment(image, at: time.map { $0 * 2 })
    #expect(result.confidenceMasks == blocking.confidenceMasks && blocking.timestamp == time ?? .zero)
    #expect(result.timestamp == time.map { $0 * 2 } ?? .seconds(1))
    guard mode == .image else { return }
    for outputs in [
      try await collect(task.segment(contentsOf: ReadyElements([image, image]))),
      try await collect(task.segment(contentsOf: ReadyElements([1, 2])) { _ in image }),
    ] { #expect(outputs.map { $0.confidenceMasks } == [blocking.confidenceMasks, blocking.confidenceMasks]) }
  }

  @Test("segment a region")
  func segmentRegion() async throws {
    var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 4])])
    model.channels = 4
    let task = try InteractiveSegmenter(model: .bytes(model.bytes)) { $0.maskResolution = .model }
    let image = try MPImage(rgb: [1, 2, 3, 4, 5, 6], width: 2, height: 1)
    let region = InteractiveRegion.point(NormalizedPoint(x: 0, y: 0))
    let result = try await task.segment(image, region: region)
    let blocking = try { () throws in try task.segment(image, region: region) }()
    #expect(result.confidenceMasks?.map(\.float32Data) == [[1, 4], [2, 5], [3, 6], [255, 255]])
    #expect(blocking.confidenceMasks == result.confidenceMasks && result.timestamp == .zero)
  }

  @Test("detect")
  func detect() async throws {
    let task = try ObjectDetector(model: .bytes(BoxReadingModel.bytes)) { $0.scoreThreshold = 0.5 }
    let object = BoxReadingModel.Object(left: 0, top: 51, right: 102, bottom: 204, score: 200, category: 3)
    let image = try MPImage(rgb: BoxReadingModel.picture([object], width: 50, height: 100), width: 50, height: 100)
    let expected = try { () throws in try task.detect(image) }().detections
    #expect(expected.count == 1 && expected.first?.categories.first?.index == 3)
    #expect(try await task.detect(image).detections == expected)
    for outputs in [
      try await collect(task.detect(contentsOf: ReadyElements([image, image]))),
      try await collect(task.detect(contentsOf: ReadyElements([1, 2])) { _ in image }),
    ] { #expect(outputs.map(\.detections) == [expected, expected]) }
    // The model reads another image in a part of it.
    let region = NormalizedRect(left: 0, top: 0, right: 1, bottom: 0.5)
    let part = try { () throws in try task.detect(image, regionOfInterest: region) }().detections
    #expect(part != expected)
    for outputs in [
      try await collect(task.detect(contentsOf: ReadyElements([image]), regionOfInterest: region)),
      try await collect(task.detect(contentsOf: ReadyElements([1]), regionOfInterest: region) { _ in image }),
      [try await task.detect(image, regionOfInterest: region)],
    ] { #expect(outputs.map(\.detections) == [part]) }
  }

  @Test("recognize")
  func recognize() async throws {
    let task = try MadeUpGestures.recognizer()
    let image = try MadeUpHands.picture([8: MadeUpHands.palm()])
    let expected = try { () throws in try task.recognize(image) }().hands
    #expect(expected.count == 1 && expected.first?.gestures.first?.categoryName == "Fist")
    #expect(try await task.recognize(image).hands == expected)
    for outputs in [
      try await collect(task.recognize(contentsOf: ReadyElements([image, image]))),
      try await collect(task.recognize(contentsOf: ReadyElements([1, 2])) { _ in image }),
    ] { #expect(outputs.map(\.hands) == [expected, expected]) }
    let video = try MadeUpGestures.recognizer(MadeUpGestures.bundle(), .video)
    #expect(try await video.recognize(image, at: .seconds(3)).timestamp == .seconds(3))
    let other = try { () throws in try video.recognize(image, at: .seconds(4)) }()
    #expect(other.timestamp == .seconds(4))
  }

  // MARK: Sources of images

  @Test("images in memory are told with their size, and get an orientation")
  func sources() throws {
    let buffer = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 2, height: 1, pixelFormat: .rgb8)
    let source = ImageBufferSource(buffer)
    #expect(source.kind == .memory && source.size.width == 2 && source.size.height == 1)
    #expect(source.picture(for: .parts).buffer.packedBytes() == buffer.packedBytes())
    let kinds: [PictureSourceKind] = [.image, .pixelBuffer, .sampleBuffer, .memory]
    #expect(kinds.map(\.rawValue) == [0, 1, 2, 3])
    #if !canImport(UIKit)
      let snapshot = try PictureSnapshot(source, orientation: .right)
      let image = try snapshot.picture(for: .parts)
      #expect(image.orientation == .right && image.width == 2 && image.buffer.packedBytes() == buffer.packedBytes())
    #endif
  }

  @Test("the detail of a part of an image is that of its region, if the task has an input")
  func detail() {
    let region = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 0.25)
    let input = PictureDetail.input(width: 5, height: 7)
    #expect(input == .input(width: 5, height: 7, region: .fullImage) && input.within(nil) == input)
    #expect(input.within(region) == .input(width: 5, height: 7, region: region))
    #expect(PictureDetail.parts.within(region) == .parts)
  }
}
