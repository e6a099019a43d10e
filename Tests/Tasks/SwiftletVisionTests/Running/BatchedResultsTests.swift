import Foundation
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Batched image results", .timeLimit(.minutes(30)))
struct BatchedResultsTests {
  /// Returns a classifier whose scores are the bytes of an image of one pixel.
  private func classifier(_ concurrency: Int) throws -> ImageClassifier {
    var options = ImageClassifierOptions(
      baseOptions: BaseOptions(
        model: .bytes(PassingModel(width: 1, height: 1, outputs: [.init(shape: [1, 3])]).bytes),
        maxConcurrentCalls: concurrency))
    options.maxResults = 1
    return try ImageClassifier(options: options)
  }

  private static func pixel(_ value: Int) throws -> InputImage {
    try InputImage(rgb: [UInt8(value), 0, 0], width: 1, height: 1)
  }

  @Test("are in order with the errors of single images, whatever runs concurrently", arguments: [1, 2, 8])
  func orderAndFailures(concurrency: Int) async throws {
    let sources = (0..<60).map { $0 * 3 + 1 }
    let classifier = try classifier(concurrency)
    #expect(classifier.batchCapacity == BatchCapacity(concurrency: concurrency, window: 2 * concurrency))
    var found: [(source: Int, index: Int, score: Float?, error: (any Error)?)] = []
    let batch = classifier.classifications(ofContentsOf: sources) { value in
      for _ in 0..<(value % 5) { await Task.yield() }
      if value % 7 == 0 { throw Fault("\(value) is no image") }
      var image = try Self.pixel(value)
      if value % 11 == 0 { image.orientation = .upMirrored }
      return image
    }
    for try await item in batch {
      switch item.result {
      case .success(let output):
        found.append((item.source, item.index, output.categories.first?.score, nil))
      case .failure(let error): found.append((item.source, item.index, nil, error))
      }
    }
    #expect(found.map(\.source) == sources && found.map(\.index) == Array(0..<60))
    for item in found {
      if item.source % 7 == 0 {
        #expect((item.error as? Fault)?.description == "\(item.source) is no image")
      } else {
        #expect(item.score == Float(item.source))
      }
    }
    #expect(found.contains { $0.error is Fault })
  }

  @Test("have the verbs of the tasks, for images and for their sources")
  func verbs() async throws {
    let classifier = try classifier(2)
    let images = AsyncStream { continuation in
      for value in [51, 102] { if let image = try? Self.pixel(value) { continuation.yield(image) } }
      continuation.finish()
    }
    var scores: [Float] = []
    for try await item in classifier.classifications(ofContentsOf: images, load: { $0 }) {
      scores.append(try #require(try item.result.get().categories.first).score)
    }
    for try await item in classifier.classifications(ofContentsOf: [153], load: { try Self.pixel($0) }) {
      scores.append(try #require(try item.result.get().categories.first).score)
    }
    #expect(scores == [51, 102, 153])
  }

  @Test("use a stateful model in the order of the images", arguments: [1, 4])
  func variables(concurrency: Int) async throws {
    let classifier = try ImageClassifier(
      options: ImageClassifierOptions(
        baseOptions: BaseOptions(model: .bytes(SmallModels.counter), maxConcurrentCalls: concurrency), maxResults: 1))
    #expect(classifier.batchCapacity == .oneAfterTheOther)
    var scores: [Float?] = []
    let batch = classifier.classifications(ofContentsOf: 0..<100) { number in
      for _ in 0..<(number % 5) { await Task.yield() }
      return try Self.pixel(number)
    }
    for try await item in batch { scores.append(try item.result.get().categories.first?.score) }
    #expect(scores == (1...100).map(Float.init))
  }
}
