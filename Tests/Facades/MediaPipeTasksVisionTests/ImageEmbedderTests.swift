import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Image embedder", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ImageEmbedderTests {
  @Test("computes the similarity of images")
  func similarity() throws {
    let lookalike = try Lookalike(modelPath: TestModel.embedding)
    let burger = try #require(try lookalike.embedding(of: TestImage.image("burger.jpg")))
    let part = try #require(
      try lookalike.embedding(of: TestImage.image("burger.jpg"), within: CGRect(x: 0, y: 0, width: 0.85, height: 1)))
    let owl = try #require(try lookalike.embedding(of: TestImage.image("owl.jpg")))
    #expect(burger.quantizedEmbedding == nil)
    let values = try #require(burger.floatEmbedding)
    #expect(values.count == 1280)
    #expect(abs(values.reduce(0) { $0 + $1.doubleValue * $1.doubleValue } - 1) < 1e-4)
    #expect(abs(try lookalike.similarity(burger, burger) - 1) < 1e-6)
    #expect(try lookalike.similarity(burger, part) > lookalike.similarity(burger, owl))
  }

  @Test("returns signed bytes if quantization is requested")
  func quantized() throws {
    let image = try TestImage.image("burger.jpg")
    let embedding = try #require(try Lookalike(modelPath: TestModel.embedding, quantize: true).embedding(of: image))
    let real = try #require(try Lookalike(modelPath: TestModel.embedding).embedding(of: image))
    #expect(embedding.floatEmbedding == nil)
    let bytes = try #require(embedding.quantizedEmbedding).map(\.intValue)
    let expected = try #require(real.floatEmbedding).map {
      Int(min(max(($0.floatValue * 128).rounded(.toNearestOrAwayFromZero), -128), 127))
    }
    #expect(bytes == expected)
    #expect(failure { _ = try ImageEmbedder.cosineSimilarity(embedding1: embedding, embedding2: real) }?.code == 3)
  }

  @Test("finds the scene cut of a video, with and without a region")
  func film() throws {
    let finder = try CutFinder(modelPath: TestModel.embedding)
    let (burger, owl) = (try TestImage.image("burger.jpg"), try TestImage.image("owl.jpg"))
    #expect(try finder.isCut(before: burger, at: 0) == false)
    #expect(try finder.isCut(before: burger, at: 40) == false)
    #expect(try finder.isCut(before: owl, at: 80))
    #expect(try finder.isCut(before: owl, at: 120, region: CGRect(x: 0, y: 0, width: 1, height: 1)) == false)
  }

  @Test("delivers the frames of a live stream to the delegate, and the error of one", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = try EmbeddingWatcher(modelPath: TestModel.embedding)
    watcher.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: (result?.embeddingResult.embeddings.first?.floatEmbedding?.count).map(String.init),
          timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.plain()
    var iterator = results.makeAsyncIterator()
    try watcher.cameraDelivered(frame, at: 1)
    let first = try #require(await iterator.next())
    #expect(first.summary == "1280" && first.timestamp == 1 && first.errorCode == nil)
    try watcher.cameraDelivered(frame, at: 2, region: CGRect(x: 0.1, y: 0.1, width: 0, height: 0.5))
    let second = try #require(await iterator.next())
    #expect(second.summary == nil && second.timestamp == Int.min && second.errorCode == 3)
    try watcher.cameraDelivered(frame, at: 3, region: CGRect(x: 0.1, y: 0.1, width: 0.5, height: 0.5))
    #expect(await iterator.next()?.timestamp == 3)
  }

  @Test("compares embeddings created by the caller")
  func madeEmbeddings() throws {
    func floats(_ values: [NSNumber]) -> Embedding {
      Embedding(floatEmbedding: values, quantizedEmbedding: nil, headIndex: 0, headName: nil)
    }
    let half = try ImageEmbedder.cosineSimilarity(embedding1: floats([1, 0]), embedding2: floats([1, 1])).doubleValue
    #expect(abs(half - 0.5.squareRoot()) < 1e-12)
    #expect(
      try ImageEmbedder.cosineSimilarity(embedding1: floats([0, 0]), embedding2: floats([1, 1])).doubleValue.isNaN)
    let bytes = Embedding(floatEmbedding: nil, quantizedEmbedding: [127, -128], headIndex: 0, headName: nil)
    #expect(abs(try ImageEmbedder.cosineSimilarity(embedding1: bytes, embedding2: bytes).doubleValue - 1) < 1e-12)
    let mixed = try #require(
      failure { _ = try ImageEmbedder.cosineSimilarity(embedding1: bytes, embedding2: floats([1, 0])) })
    #expect(mixed.code == TasksErrorCode.invalidArgumentError.rawValue)
    #expect(mixed.localizedDescription == "Cannot compute cosine similarity between quantized and float embeddings.")
    let lengths = try #require(
      failure { _ = try ImageEmbedder.cosineSimilarity(embedding1: floats([1]), embedding2: floats([1, 0])) })
    #expect(
      lengths.localizedDescription.hasPrefix(
        "Cannot compute cosine similarity between embeddings of different sizes (1 vs 2"))
  }
}
