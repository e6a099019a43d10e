import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text results of MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct TextGoldenTests {
  @Test("classifies like MediaPipe, within 1e-4", arguments: GoldenTask.cases("text_classifier"))
  func classifies(golden: GoldenTask) throws {
    let classifier = try TextClassifier(.bytes(try golden.modelBytes())) { options in
      options.maxResults = golden.options["max_results"].int
      options.scoreThreshold = golden.options["score_threshold"].float ?? 0
    }
    for (text, expected) in zip(golden.fields["texts"].elements, try golden.result().elements) {
      let heads = try classifier.classification(of: text.string ?? "").heads
      #expect(heads.count == expected.elements.count)
      for (index, (head, wanted)) in zip(heads, expected.elements).enumerated() {
        #expect(head.name == wanted["head_name"].string && index == wanted["head_index"].int)
        let categories = wanted["categories"].elements
        #expect(head.categories.map(\.index) == categories.map { $0["index"].int })
        #expect(head.categories.map(\.categoryName) == categories.map { $0["name"].string })
        for (category, other) in zip(head.categories, categories) {
          #expect(abs(category.score - (other["score"].float ?? .nan)) <= 1e-4, "\(text.string?.prefix(40) ?? "")")
        }
      }
    }
  }

  @Test("embeds like MediaPipe, within 1e-4", arguments: GoldenTask.cases("text_embedder"))
  func embeds(golden: GoldenTask) throws {
    let embedder = try TextEmbedder(.bytes(try golden.modelBytes())) { options in
      options.normalizesEmbedding = golden.options["l2_normalize"].bool ?? false
      options.quantizesEmbedding = golden.options["quantize"].bool ?? false
    }
    for (text, expected) in zip(golden.fields["texts"].elements, try golden.result().elements) {
      let heads = try embedder.embedding(of: text.string ?? "").heads
      #expect(heads.count == expected.elements.count)
      for (index, (head, wanted)) in zip(heads, expected.elements).enumerated() {
        #expect(head.name == wanted["head_name"].string && index == wanted["head_index"].int)
        let values = wanted["embedding"].numbers
        if let bytes = head.values.bytes {
          // MediaPipe's Python API returns the bytes as unsigned.
          #expect(bytes.map { Float(UInt8(bitPattern: $0)) } == values)
        } else {
          let found = try #require(head.values.floats)
          #expect(found.count == values.count && zip(found, values).allSatisfy { abs($0 - $1) <= 1e-4 })
        }
      }
    }
  }
}
