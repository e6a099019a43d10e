import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

/// MediaPipe's answers to the sounds of the test data.
@Suite("Audio classification, compared with MediaPipe", .enabled(if: TestData.isAvailable, "needs the test data"))
struct AudioClassificationAcceptanceTests {
  struct Manifest: Decodable {
    var cases: [Case]
  }

  struct Case: Decodable {
    struct Options: Decodable {
      var max_results: Int?
      var score_threshold: Float?
    }

    var id: String
    var task: String
    var model: String?
    var audio: String?
    /// In place of the file's own, so that it is resampled.
    var rate: Double?
    /// Whether there is a second channel, half of the first.
    var stereo: Bool?
    var options: Options?
    var file: String
  }

  struct Answer: Decodable {
    struct Window: Decodable {
      struct Category: Decodable {
        var index: Int
        var name: String
        var score: Float
      }

      var timestamp_ms: Int
      var head_name: String
      var categories: [Category]
    }

    var result: [Window]
  }

  private static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: TestData.path("tasks/" + path))))
  }

  private static func clip(_ golden: Case) throws -> AudioClip {
    let file = try AudioClip(contentsOf: TestData.path("tasks/audio/" + (golden.audio ?? "")))
    let channels = golden.stereo == true ? [file.samples, file.samples.map { $0 / 2 }] : [file.samples]
    return try AudioClip(channels: channels, sampleRate: golden.rate ?? file.sampleRate)
  }

  @Test("windows, times, classes and scores are MediaPipe's")
  func golden() throws {
    let cases = try Self.read(Manifest.self, "manifest.json").cases.filter { $0.task == "audio_classifier" }
    #expect(cases.count == 6)
    for golden in cases {
      let classifier = try AudioClassifier(model: .file(TestData.path("tasks/models/" + (golden.model ?? "")))) {
        $0.maxResults = golden.options?.max_results
        $0.scoreThreshold = golden.options?.score_threshold ?? 0
      }
      let found = try classifier.classify(try Self.clip(golden)).classificationResults
      let expected = try Self.read(Answer.self, golden.file).result
      #expect(found.map(\.timestamp) == expected.map { .milliseconds($0.timestamp_ms) }, "\(golden.id)")
      for (window, expected) in zip(found, expected) {
        let head = window.classifications[0]
        #expect(head.headName == expected.head_name && window.classifications.count == 1)
        // Scores are steps of 1/256 with many equal ones, whose order is not MediaPipe's.
        let scores = Dictionary(uniqueKeysWithValues: head.categories.map { ($0.index, $0) })
        let lowest = head.categories.last?.score ?? 0
        for category in expected.categories {
          guard let found = scores[category.index] else {
            #expect(abs(category.score - lowest) < 1e-4, "\(golden.id): \(category.name) is missing")
            continue
          }
          #expect(found.categoryName == category.name)
          #expect(abs(found.score - category.score) < 1e-4, "\(golden.id): \(category.name)")
        }
      }
    }
  }
}
