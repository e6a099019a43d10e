import Testing

@testable import SwiftletTasks

@Suite("Embedding output decoder")
struct EmbeddingOutputDecoderTests {
  private func embedding(_ values: [Float], l2Normalize: Bool = false, quantize: Bool = false) -> Embedding {
    values.withUnsafeBufferPointer {
      EmbeddingOutputDecoder(l2Normalize: l2Normalize, quantize: quantize).decode($0, headIndex: 2, headName: "feature")
    }
  }

  @Test("values are handed on, as floats only")
  func plain() {
    let embedding = embedding([3, -4, 0.5])
    #expect(embedding.floatEmbedding == [3, -4, 0.5])
    #expect(embedding.quantizedEmbedding == nil)
    #expect(embedding.headIndex == 2 && embedding.headName == "feature")
  }

  @Test("normalised vectors have length 1")
  func normalized() {
    #expect(embedding([3, -4], l2Normalize: true).floatEmbedding == [0.6, -0.8])
    let long = (0..<1000).map { Float($0 % 17) - 8 }
    let length = embedding(long, l2Normalize: true).floatEmbedding?.reduce(0) { $0 + $1 * $1 } ?? 0
    #expect(abs(length - 1) < 1e-4)
  }

  @Test("a vector of zeros stays one")
  func zeros() {
    #expect(embedding([0, 0, 0], l2Normalize: true).floatEmbedding == [0, 0, 0])
  }

  @Test("quantised values are 128 times as large, halves rounded away from zero, limited to a signed byte")
  func quantized() {
    let halves = [Float(0.5), 1.5, -0.5, -2.5, 0.49].map { $0 / 128 }
    let embedding = embedding(halves + [1, -1, 0.9922, 5, -7, .infinity, .nan], quantize: true)
    #expect(embedding.quantizedEmbedding == [1, 2, -1, -3, 0, 127, -128, 127, 127, -128, 127, 0])
    #expect(embedding.floatEmbedding == nil)
  }

  @Test("normalising comes before quantising")
  func normalizedAndQuantized() {
    #expect(embedding([30, -40], l2Normalize: true, quantize: true).quantizedEmbedding == [77, -102])
  }
}
