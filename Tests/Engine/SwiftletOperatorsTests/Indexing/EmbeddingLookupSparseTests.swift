import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("EMBEDDING_LOOKUP_SPARSE")
struct EmbeddingLookupSparseTests {
  private func look(
    _ numbers: [Int32], at places: [Int32], shape: [Int32] = [3, 2], combiner: Int8 = 0
  ) throws -> Tensor {
    try SingleNode(
      .embeddingLookupSparse,
      [
        try .input(numbers), try .input(places, [numbers.count, shape.count]), .constant(shape),
        try .input(numbers.map { _ in Float(2) }), .constant([Float(1), 2, 3, 4], [2, 2]),
      ], gives: [.float32], options: EmbeddingLookupSparseOptions.with { [$0.combiner(code: combiner)] })()
  }

  @Test("adds rows at the same position, and keeps the others zero")
  func sums() throws {
    let result = try look([0, 1, 1], at: [0, 0, 0, 1, 2, 0])
    #expect(result.shape == [3, 2])
    #expect(try result.values() == [Float(8), 12, 0, 0, 6, 8])
    #expect(try look([0, 1, 1], at: [0, 0, 0, 1, 2, 0], combiner: 1).values() == [Float(2), 3, 0, 0, 3, 4])
  }

  @Test(
    "rejects rows and positions that don't exist",
    arguments: [([2], [0, 0]), ([-1], [0, 0]), ([0], [3, 0]), ([0], [-1, 0])] as [([Int32], [Int32])])
  func refuses(numbers: [Int32], places: [Int32]) {
    let error = #expect(throws: RuntimeError.self) { try look(numbers, at: places) }
    #expect(error?.code == .invalidInput)
  }

  @Test("rejects a combiner that the format does not define")
  func refusesCombiner() {
    #expect(throws: RuntimeError.self) { try look([0], at: [0, 0], combiner: 3) }
  }
}
