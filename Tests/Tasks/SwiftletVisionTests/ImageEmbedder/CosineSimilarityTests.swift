import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Cosine similarity")
struct CosineSimilarityTests {
  private func floats(_ values: [Float]) -> Embedding {
    Embedding(heads: [.init(values: .float(values))])
  }

  private func bytes(_ values: [Int8]) -> Embedding {
    Embedding(heads: [.init(values: .int8(values))])
  }

  private func similarity(_ first: Embedding, _ second: Embedding) throws -> Double {
    try first.cosineSimilarity(to: second)
  }

  @Test("is the cosine of the angle, for any lengths")
  func cosine() throws {
    #expect(try similarity(floats([1, 0]), floats([3, 0])) == 1)
    #expect(try similarity(floats([1, 0]), floats([0, 2])) == 0)
    #expect(try similarity(floats([1, 2]), floats([-1, -2])) == -1)
    #expect(abs(try similarity(floats([1, 1]), floats([1, 0])) - 0.7071067811865475) < 1e-15)
  }

  @Test("treats quantized values as signed")
  func quantized() throws {
    #expect(abs(try similarity(bytes([127, -128]), bytes([-127, 127])) + 0.9999923) < 1e-6)
    #expect(try similarity(bytes([-128, -128]), bytes([-128, -128])) == 1)
  }

  @Test("rejects comparing a quantized embedding with a float embedding")
  func mixed() {
    let error = taskError { _ = try similarity(floats([1]), bytes([1])) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == "one embedding is quantized and the other is not; make both with the same options, by the same model")
  }

  @Test("rejects different lengths and reports them")
  func lengths() {
    let error = taskError { _ = try similarity(floats([1, 2]), floats([1, 2, 3])) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the embeddings have 2 and 3 numbers; compare those of the same output of one model")
    #expect((thrownError { _ = try similarity(bytes([1, 2]), bytes([])) } as TaskError?)?.code == .invalidArgument)
  }

  @Test("is NaN for zero vectors")
  func noDirection() throws {
    #expect(try similarity(floats([0, 0]), floats([1, 2])).isNaN)
    #expect(try similarity(floats([]), floats([])).isNaN)
    #expect(try similarity(bytes([0]), bytes([5])).isNaN)
  }
}
