import SwiftletSchema
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks operators whose output shape depends on values, when the values change after the shapes were computed.
@Suite("Values that change after shape inference")
struct ChangedValuesTests {
  @Test("WHERE stops at the end of its memory, and if rows are missing")
  func nonzero() throws {
    let known = try Tensor([Float(1), 0, 0, 2, 0, 0, 0, 0], shape: [2, 4])
    let node = try PreparedNode(.whereNonzero, WhereOperator.self, known, gives: [.int64])
    let same = try node.run(on: known)
    #expect(same.error == nil && same.damage == 0)
    for other in [[Float](repeating: 1, count: 8), [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1, 1]] {
      let result = try node.run(on: try Tensor(other, shape: [2, 4]))
      #expect(result.error?.code == .invalidInput)
      #expect(result.damage == 0)
    }
  }

  @Test("UNIQUE stops at more values and at fewer")
  func unique() throws {
    let known = try Tensor([Int32(5), 5, 7, 5], shape: [4])
    let node = try PreparedNode(.unique, UniqueOperator.self, known, gives: [.int32, .int32])
    #expect(try node.run(on: try Tensor([Int32(1), 2, 2, 1], shape: [4])).error == nil)
    for other in [[Int32(1), 2, 3, 4], [9, 9, 9, 9]] {
      let result = try node.run(on: try Tensor(other, shape: [4]))
      #expect(result.error?.code == .invalidInput)
      #expect(result.damage == 0)
    }
  }
}
