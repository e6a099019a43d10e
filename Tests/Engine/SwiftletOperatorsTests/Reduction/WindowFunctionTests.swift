import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Windows reduced by REDUCE_WINDOW")
struct WindowFunctionTests {
  /// Returns a reduction with windows of elements 0 and 3, and of 2 and 5, in both rows.
  private func reduce<Scalar: TensorScalar>(
    _ function: ReduceWindowFunction, _ values: [Scalar], from initial: Scalar
  ) throws -> [Scalar] {
    let result = try Probe(
      .reduceWindow,
      [
        .values(values, [2, 6]), .values([initial], []), .constant([Int64(1), 2]), .constant([Int64(1), 2]),
        .constant([Int64(1), 3]),
      ], [ProbeTensor.of(Scalar.elementType)],
      ReduceWindowOptions.with { [$0.reduceFunction(code: function.rawValue)] }
    ).run()[0]
    #expect(result.shape == [2, 2])
    return try result.values()
  }

  private func check<Scalar: TensorScalar & Numeric>(_ type: Scalar.Type) throws {
    let values: [Scalar] = [2, 3, 5, 1, 7, 4, 3, 1, 2, 4, 0, 6]
    #expect(try reduce(.add, values, from: 10) == [13, 19, 17, 18])
    #expect(try reduce(.multiply, values, from: 2) == [4, 40, 24, 24])
    #expect(try reduce(.minimum, values, from: 2) == [1, 2, 2, 2])
    #expect(try reduce(.maximum, values, from: 3) == [3, 5, 4, 6])
  }

  @Test("support every numeric type")
  func numbers() throws {
    try check(Float.self)
    try check(Double.self)
    try check(Int8.self)
    try check(UInt8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
  }

  @Test("wrap integers")
  func wraps() throws {
    let values = [Int8](repeating: 100, count: 12)
    #expect(try reduce(.add, values, from: 0) == [-56, -56, -56, -56])
    #expect(try reduce(.multiply, values, from: 1) == [16, 16, 16, 16])
  }

  @Test("combine bools")
  func truths() throws {
    let values = [true, false, true, true, false, false, false, true, false, false, true, false]
    #expect(try reduce(.all, values, from: true) == [true, false, false, false])
    #expect(try reduce(.all, values, from: false) == [false, false, false, false])
    #expect(try reduce(.any, values, from: false) == [true, true, false, false])
    #expect(try reduce(.any, values, from: true) == [true, true, true, true])
  }
}
