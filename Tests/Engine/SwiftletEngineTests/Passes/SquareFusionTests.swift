import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Squares fused into sums and means")
struct SquareFusionTests {
  /// Checks the values of `reduction(x · x)`, and returns the names of the operators that run.
  private func names(
    _ kind: BuiltinOperator, axes: [Int32], exposingSquares: Bool = false, _ options: RuntimeOptions = RuntimeOptions()
  ) throws -> [String] {
    var graph = TestGraph()
    let shape = [3, 5, 7], kept = axes == [2] ? [3, 5] : [3, 7]
    let input = graph.input(.float32, shape), squares = graph.tensor(.float32, shape)
    let result = graph.tensor(.float32, kept)
    graph.add(.mul, [input, input], [squares])
    graph.add(
      kind, [squares, graph.constant(axes)], [result], options: ReducerOptions.with { [$0.keepDimensions(false)] })
    graph.addOutput(result)
    if exposingSquares { graph.addOutput(squares) }
    let compiled = try CompiledModel(try graph.model(), options: options)
    let values: [Float] = (0..<105).map { (index: Int) -> Float in Float((index &* 37) % 101) / 20 - 2 }
    let results = try Session(compiled).run([try Tensor(values, shape: Shape(shape))])[0].values(as: Float.self)
    let count = axes == [2] ? 7 : 5
    for (index, value) in results.enumerated() {
      let positions = (0..<count).map { axes == [2] ? index * 7 + $0 : index / 7 * 35 + $0 * 7 + index % 7 }
      let sum = positions.reduce(0.0) { $0 + Double(values[$1]) * Double(values[$1]) }
      #expect(abs(Double(value) - sum / (kind == .mean ? Double(count) : 1)) < 1e-4)
    }
    return compiled.operatorNames
  }

  @Test("sums of squares over contiguous elements become one node", arguments: [BuiltinOperator.sum, .mean])
  func fused(_ kind: BuiltinOperator) throws {
    let name = kind == .sum ? "SUM" : "MEAN"
    #expect(try names(kind, axes: [2]) == [name])
    #expect(try names(kind, axes: [1]) == ["MUL", name])
    #expect(try names(kind, axes: [2], exposingSquares: true) == ["MUL", name])
    #expect(try names(kind, axes: [2], RuntimeOptions(numerics: .bitExact)) == ["MUL", name])
  }
}
