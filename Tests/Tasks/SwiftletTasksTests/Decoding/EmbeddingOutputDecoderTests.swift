import Testing

@testable import SwiftletTasks

@Suite("Embedding output decoder")
struct EmbeddingOutputDecoderTests {
  private func values(_ values: [Float], normalizes: Bool = false, quantizes: Bool = false) -> Embedding.Values {
    values.withUnsafeBufferPointer { EmbeddingOutputDecoder(normalizes: normalizes, quantizes: quantizes).decode($0) }
  }

  @Test("values are unchanged")
  func plain() {
    #expect(values([3, -4, 0.5]) == .float([3, -4, 0.5]))
  }

  @Test("normalized vectors have length 1")
  func normalized() {
    #expect(values([3, -4], normalizes: true) == .float([0.6, -0.8]))
    let long = (0..<1000).map { Float($0 % 17) - 8 }
    guard case .float(let numbers) = values(long, normalizes: true) else { return #expect(Bool(false)) }
    let length = numbers.reduce(0) { $0 + $1 * $1 }
    #expect(abs(length - 1) < 1e-4)
  }

  @Test("a vector of zeros stays zero")
  func zeros() {
    #expect(values([0, 0, 0], normalizes: true) == .float([0, 0, 0]))
  }

  @Test("quantized values are multiplied by 128, rounded half away from zero, and clamped to a signed byte")
  func quantized() {
    let halves = [Float(0.5), 1.5, -0.5, -2.5, 0.49].map { $0 / 128 }
    let found = values(halves + [1, -1, 0.9922, 5, -7, .infinity, .nan], quantizes: true)
    #expect(found == .int8([1, 2, -1, -3, 0, 127, -128, 127, 127, -128, 127, 0]))
  }

  @Test("normalizing comes before quantizing")
  func normalizedAndQuantized() {
    #expect(values([30, -40], normalizes: true, quantizes: true) == .int8([77, -102]))
  }
}
