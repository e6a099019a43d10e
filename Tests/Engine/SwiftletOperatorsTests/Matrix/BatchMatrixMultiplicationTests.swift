import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func multiply(
  _ left: [Int], _ right: [Int], transposed: (Bool, Bool) = (false, false), constantRight: Bool = false
) throws -> Tensor {
  var graph = TestGraph()
  let first = graph.input(.float32, left)
  let rightValues = (0..<right.reduce(1, *)).map { Float($0 + 1) }
  let second = constantRight ? graph.constant(rightValues, shape: right) : graph.input(.float32, right)
  let result = graph.output(.float32, [])
  graph.add(
    .batchMatMul, [first, second], [result],
    options: BatchMatMulOptions.with { [$0.adjointX(transposed.0), $0.adjointY(transposed.1)] })
  let leftTensor = try Tensor((0..<left.reduce(1, *)).map { Float($0 + 1) }, shape: Shape(left))
  let inputs = constantRight ? [leftTensor] : [leftTensor, try Tensor(rightValues, shape: Shape(right))]
  return try graph.session().run(inputs)[0]
}

@Suite("BATCH_MATMUL")
struct BatchMatrixMultiplicationTests {
  @Test("multiplies matrices, computed or constant", arguments: [false, true])
  func multiplies(isConstant: Bool) throws {
    let result = try multiply([2, 3], [3, 2], constantRight: isConstant)
    #expect(try result.values(as: Float.self) == [22, 28, 49, 64])
  }

  @Test("reads transposed factors")
  func readsTransposed() throws {
    // [1 3 5; 2 4 6] times [1 3 5; 2 4 6] transposed, and times [1 2; 3 4; 5 6].
    #expect(
      try multiply([3, 2], [2, 3], transposed: (true, true)).values(as: Float.self) == [22, 49, 28, 64])
    #expect(try multiply([3, 2], [3, 2], transposed: (true, false)).values(as: Float.self) == [35, 44, 44, 56])
    #expect(try multiply([1, 2], [2, 2], transposed: (false, true)).values(as: Float.self) == [5, 11])
  }

  @Test("broadcasts leading dimensions")
  func broadcasts() throws {
    let both = try multiply([2, 1, 1, 2], [3, 2, 1])
    #expect(both.shape == [2, 3, 1, 1])
    #expect(try both.values(as: Float.self) == [5, 11, 17, 11, 25, 39])
    let left = try multiply([2, 1, 2], [2, 2])
    #expect(try left.values(as: Float.self) == [7, 10, 15, 22])
    let right = try multiply([1, 2], [2, 2, 1])
    #expect(try right.values(as: Float.self) == [5, 11])
  }

  @Test("is empty for empty factors, and zero for empty rows")
  func acceptsEmpty() throws {
    #expect(try multiply([0, 3], [3, 2]).shape == [0, 2])
    #expect(try multiply([2, 0], [0, 2]).values(as: Float.self) == [0, 0, 0, 0])
    #expect(try multiply([0, 2, 3], [1, 3, 2]).shape == [0, 2, 2])
  }

  @Test("rejects inconsistent factors")
  func refusesSizes() {
    #expect(throws: RuntimeError.self) { try multiply([2, 3], [2, 3]) }
    #expect(throws: RuntimeError.self) { try multiply([2, 2, 3], [3, 3, 2]) }
    #expect(throws: RuntimeError.self) { try multiply([3], [3, 2]) }
    #expect(throws: RuntimeError.self) {
      try multiply([2, 3], [3, 3], transposed: (true, false), constantRight: true)
    }
  }

  @Test("returns unscaled int8 sums for int32 results")
  func givesSums() throws {
    var graph = TestGraph()
    let first = graph.input(.int8, [1, 2], scale: 0.5, zeroPoint: 5)
    let second = graph.input(.int8, [2, 2], scale: 0.5, zeroPoint: -5)
    let result = graph.output(.int32, [], scale: 0.25)
    graph.add(.batchMatMul, [first, second], [result], options: BatchMatMulOptions.empty, version: 2)
    let output = try graph.session().run([
      Tensor([Int8(-128), 127], shape: [1, 2]), Tensor([Int8(1), -128, 2, 127], shape: [2, 2]),
    ])[0]
    #expect(try output.values(as: Int32.self) == [126, 32513])
  }
}
