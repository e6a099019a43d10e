import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("Audio classification, compared with MediaPipe")
struct AudioClassificationAcceptanceTests {
  /// Returns the file's samples with the case's sample rate and, if the case requires it, a second channel at half the
  /// amplitude.
  private static func clip(_ golden: GoldenTask) throws -> AudioClip {
    let file = try AudioClip(contentsOf: TestData.path("tasks/audio/" + (golden.fields["audio"].string ?? "")))
    let isStereo = golden.fields["stereo"].bool == true
    let channels = isStereo ? [file.samples, file.samples.map { $0 / 2 }] : [file.samples]
    return try AudioClip(channels: channels, sampleRate: golden.fields["rate"].double ?? file.sampleRate)
  }

  @Test(
    "windows, times, classes, and scores equal MediaPipe's",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"),
    arguments: GoldenTask.cases("audio_classifier"))
  func golden(golden: GoldenTask) throws {
    let classifier = try AudioClassifier(.bytes(golden.modelBytes())) {
      $0.maxResults = golden.options["max_results"].int
      $0.scoreThreshold = golden.options["score_threshold"].float ?? 0
    }
    let found = try classifier.classification(of: try Self.clip(golden)).windows
    let expected = try golden.result().elements
    #expect(found.map(\.time) == expected.map { .milliseconds($0["timestamp_ms"].int ?? -1) })
    for (window, expected) in zip(found, expected) {
      let head = window.classification.heads[0]
      #expect(window.classification.heads.count == 1 && head.name == expected["head_name"].string)
      // Scores are multiples of 1/256 with many ties, whose order differs from MediaPipe's.
      let scores = Dictionary(uniqueKeysWithValues: head.categories.map { ($0.index, $0) })
      let lowest = head.categories.last?.score ?? 0
      for category in expected["categories"].elements {
        let (name, score) = (category["name"].string, category["score"].float ?? -1)
        guard let found = scores[category["index"].int ?? -1] else {
          #expect(abs(score - lowest) < 1e-4, "\(name ?? "?") is missing")
          continue
        }
        #expect(found.categoryName == name && abs(found.score - score) < 1e-4, "\(name ?? "?")")
      }
    }
  }
}
