import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A FULLY_CONNECTED with shuffled weights: row `i` of the input is 128 except for 130 in column `i`, so that the
/// result reveals the weights.
private struct Shuffled {
  var rows = 32
  var units = 4
  var depth = 32
  var workspace = ElementType.uint8
  var inputZeroPoint: Int32 = 128

  func run() throws -> [Tensor] {
    var graph = TestGraph()
    let data = graph.input(.uint8, [rows, depth], scale: 1, zeroPoint: inputZeroPoint)
    let codes = (0..<units * depth).map { UInt8(truncatingIfNeeded: $0) }
    let weights = graph.constant(codes, shape: [units, depth], scale: 1, zeroPoint: 128)
    let bias = graph.constant([Int32](repeating: 0, count: units))
    // A factor of one half, because factors of one and more are rejected.
    let result = graph.output(.int16, [], scale: 2, zeroPoint: 0)
    let second = graph.output(workspace, [], scale: 1, zeroPoint: 128)
    graph.add(
      .fullyConnected, [data, weights, bias], [result, second],
      options: FullyConnectedOptions.with { [$0.weightsFormat(.shuffled4x16Int8)] }, version: 2)
    var values = [UInt8](repeating: 128, count: rows * depth)
    for row in 0..<min(rows, depth) { values[row * depth + row] += 2 }
    return try graph.session().run([try Tensor(values, shape: [rows, depth])])
  }
}

@Suite("FULLY_CONNECTED with shuffled weights")
struct ShuffledProductTests {
  @Test("reads four units at a time, sixteen terms of each")
  func readsOrder() throws {
    let outputs = try Shuffled().run()
    let expected = (0..<32).flatMap { term in
      (0..<4).map { unit in Int16(Int8(truncatingIfNeeded: term / 16 * 64 + unit * 16 + term % 16)) }
    }
    #expect(try outputs[0].values(as: Int16.self) == expected)
    #expect(try outputs[1].values(as: UInt8.self) == [UInt8](repeating: 0, count: 32 * 32))
  }

  @Test("leaves zeros in the second output if the first is empty")
  func clearsWithoutUnits() throws {
    let outputs = try Shuffled(rows: 3, units: 0, depth: 16).run()
    #expect(outputs[0].shape == [3, 0])
    #expect(try outputs[1].values(as: UInt8.self) == [UInt8](repeating: 0, count: 48))
    #expect(try Shuffled(rows: 0).run()[0].shape == [0, 4])
  }

  @Test("rejects sizes, types, and zero points that the shuffled layout doesn't support")
  func refuses() {
    for layer in [
      Shuffled(units: 3), Shuffled(depth: 24), Shuffled(depth: 0), Shuffled(workspace: .int32),
      Shuffled(inputZeroPoint: 127),
    ] {
      #expect(throws: RuntimeError.self) { try layer.run() }
    }
  }
}
