import Foundation
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Results of many pictures", .timeLimit(.minutes(30)))
struct BatchedResultsTests {
  /// A classifier whose scores are the bytes of a picture of one pixel.
  private func classifier(_ concurrency: Int, mode: RunningMode = .image) throws -> ImageClassifier {
    var options = ImageClassifierOptions(
      baseOptions: BaseOptions(
        model: .bytes(PassingModel(width: 1, height: 1, outputs: [.init(shape: [1, 3])]).bytes),
        maxConcurrentCalls: concurrency), runningMode: mode)
    options.maxResults = 1
    return try ImageClassifier(options: options)
  }

  private static func pixel(_ value: Int) throws -> MPImage {
    try MPImage(rgb: [UInt8(value), 0, 0], width: 1, height: 1)
  }

  @Test("come in order with what is wrong with single ones, whatever runs at once", arguments: [1, 2, 8])
  func orderAndFailures(concurrency: Int) async throws {
    let sources = (0..<60).map { $0 * 3 + 1 }
    let classifier = try classifier(concurrency)
    #expect(classifier.batchCapacity == BatchCapacity(concurrency: concurrency, window: 2 * concurrency))
    var found: [(source: Int, index: Int, score: Float?, time: Duration?, error: (any Error)?)] = []
    let batch = classifier.results(contentsOf: sources) { value in
      for _ in 0..<(value % 5) { await Task.yield() }
      if value % 7 == 0 { throw Fault("\(value) is no picture") }
      var image = try Self.pixel(value)
      if value % 11 == 0 { image.orientation = .upMirrored }
      return image
    }
    for try await item in batch {
      switch item.result {
      case .success(let output):
        found.append((item.source, item.index, output.categories.first?.score, output.timestamp, nil))
      case .failure(let error): found.append((item.source, item.index, nil, nil, error))
      }
    }
    #expect(found.map(\.source) == sources && found.map(\.index) == Array(0..<60))
    for item in found {
      if item.source % 7 == 0 {
        #expect((item.error as? Fault)?.description == "\(item.source) is no picture")
      } else if item.source % 11 == 0 {
        #expect((item.error as? TaskError)?.code == .unsupportedOrientation)
      } else {
        #expect(item.score == Float(item.source) && item.time == .seconds(item.index))
      }
    }
    #expect(found.contains { $0.error is TaskError } && found.contains { $0.error is Fault })
  }

  @Test("have the verbs of the tasks, for pictures that come as they are and for what they are made from")
  func verbs() async throws {
    let classifier = try classifier(2)
    let pictures = AsyncStream { continuation in
      for value in [51, 102] { if let image = try? Self.pixel(value) { continuation.yield(image) } }
      continuation.finish()
    }
    var scores: [Float] = []
    for try await item in classifier.classify(contentsOf: pictures) {
      scores.append(try #require(try item.result.get().categories.first).score)
    }
    for try await item in classifier.classify(contentsOf: ReadyElements([153]), load: { try Self.pixel($0) }) {
      scores.append(try #require(try item.result.get().categories.first).score)
    }
    #expect(scores == [51, 102, 153])
  }

  @Test("are errors for a task in another mode")
  func mode() async throws {
    for try await item in try classifier(2, mode: .video).results(contentsOf: [1], load: { try Self.pixel($0) }) {
      let error = #expect(throws: TaskError.self) { try item.result.get() }
      #expect(error?.code == .wrongMode)
    }
  }

  @Test("are found in their order where a picture depends on those before it")
  func state() async throws {
    let seen = Record<Int>()
    let runner = try FakeRunner(
      runningMode: .image, calls: CallLimits(concurrency: 8), taskName: "fake", keepsState: true
    ) {
      FakePipeline { image, _ in
        seen.append(image.width)
        return nil
      }
    }
    #expect(runner.batchCapacity == .oneAfterTheOther)
    let batch = Batch(ReadyElements(1...20), runner.batchCapacity) { width, _ in
      for _ in 0..<(20 - width) { await Task.yield() }
      return try? await runner.imageAsync(try picture(width: width)).width
    }
    var widths: [Int?] = []
    for try await width in batch { widths.append(width) }
    #expect(widths == Array(1...20) && seen.values == Array(1...20))
  }

  @Test("are those of a model with variables in the order of the images", arguments: [1, 4])
  func variables(concurrency: Int) async throws {
    let classifier = try ImageClassifier(
      options: ImageClassifierOptions(
        baseOptions: BaseOptions(model: .bytes(SmallModels.counter), maxConcurrentCalls: concurrency), maxResults: 1))
    #expect(classifier.batchCapacity == .oneAfterTheOther)
    var scores: [Float?] = []
    let batch = classifier.results(contentsOf: 0..<100) { number in
      for _ in 0..<(number % 5) { await Task.yield() }
      return try Self.pixel(number)
    }
    for try await item in batch { scores.append(try item.result.get().categories.first?.score) }
    #expect(scores == (1...100).map(Float.init))
  }

  @Test("pictures of one task are worked on at once where the options say so", arguments: [false, true])
  func concurrency(waits: Bool) async throws {
    // Each waits inside its pipeline for the other one to be in there too.
    let gates = [Gate(), Gate()]
    let runner = try FakeRunner(runningMode: .image, calls: CallLimits(concurrency: 2), taskName: "fake") {
      FakePipeline { image, _ in
        gates[image.width - 1].open()
        guard gates[2 - image.width].pass() else { throw Fault("alone") }
        return nil
      }
    }
    let images = [try picture(width: 1), try picture(width: 2)]
    if waits {
      async let one = runner.imageAsync(images[0])
      async let other = runner.imageAsync(images[1])
      let widths: [Int] = try await [one.width, other.width]
      #expect(widths == [1, 2])
    } else {
      let done = DispatchGroup()
      let widths = Record<Int>()
      for image in images {
        done.enter()
        Thread.detachNewThread {
          if let result = try? runner.image(image) { widths.append(result.width) }
          done.leave()
        }
      }
      await withCheckedContinuation { continuation in done.notify(queue: .global()) { continuation.resume() } }
      #expect(widths.values.sorted() == [1, 2])
    }
  }
}
