import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("CONV_2D by Winograd")
struct WinogradConvolutionTests {
  struct Case: CustomTestStringConvertible {
    var batch = 1
    var height: Int
    var width: Int
    var channels: Int
    var filters: Int
    var same = true
    var activation: Int8 = 0
    var addsResidual = false

    var testDescription: String { "\(batch)×\(height)×\(width)×\(channels) to \(filters)\(same ? "" : ", not padded")" }
  }

  static let cases = [
    Case(height: 16, width: 16, channels: 16, filters: 16),
    Case(batch: 2, height: 17, width: 23, channels: 33, filters: 19, activation: 1),
    Case(height: 40, width: 13, channels: 24, filters: 64, same: false, activation: 3),
    Case(height: 30, width: 31, channels: 64, filters: 40, addsResidual: true),
    Case(batch: 3, height: 9, width: 10, channels: 12, filters: 12),
    Case(height: 64, width: 64, channels: 32, filters: 32),
  ]

  private func run(_ item: Case, numerics: Numerics, threads: Int) throws -> (values: [Float], packedBytes: Int) {
    func numbers(_ count: Int, _ factor: Int) -> [Float] { (0..<count).map { Float($0 * factor % 1009) / 1009 - 0.5 } }
    var graph = TestGraph()
    let shape = [item.batch, item.height, item.width, item.channels]
    let data = graph.input(.float32, shape)
    let weights = graph.constant(
      numbers(item.filters * 9 * item.channels, 104_729), shape: [item.filters, 3, 3, item.channels])
    let bias = graph.constant(numbers(item.filters, 31))
    let lost = item.same ? 0 : 2
    let outputShape = [item.batch, item.height - lost, item.width - lost, item.filters]
    let sums = item.addsResidual ? graph.tensor(.float32, outputShape) : graph.output(.float32, outputShape)
    graph.add(
      .conv2D, [data, weights, bias], [sums],
      options: Conv2DOptions.with {
        [
          $0.padding(item.same ? .same : .valid), $0.strideWidth(1), $0.strideHeight(1),
          $0.fusedActivation(code: item.activation),
        ]
      })
    var inputs = [try Tensor(numbers(shape.reduce(1, *), 7919), shape: Shape(shape))]
    if item.addsResidual {
      let other = graph.input(.float32, outputShape)
      graph.add(.add, [sums, other], [graph.output(.float32, outputShape)])
      inputs.append(try Tensor(numbers(outputShape.reduce(1, *), 613), shape: Shape(outputShape)))
    }
    let session = try graph.session(options: RuntimeOptions(threads: threads, numerics: numerics))
    return (try session.run(inputs)[0].values(as: Float.self), session.model.packedConstantsByteCount)
  }

  @Test(
    "results match sums in order to a few units in the sixth digit, on one thread and three", arguments: cases)
  func agrees(_ item: Case) throws {
    let ordered = try run(item, numerics: .bitExact, threads: 1)
    let minimal = try run(item, numerics: .fast, threads: 1)
    // The use of Winograd is only visible from outside by larger packed filters.
    #expect(minimal.packedBytes > 3 * item.filters * 9 * item.channels * 4)
    let largest = ordered.values.reduce(Float(1)) { max($0, abs($1)) }
    for (index, value) in minimal.values.enumerated() {
      #expect(abs(value - ordered.values[index]) < 2e-5 * largest, "element \(index)")
    }
    #expect(try run(item, numerics: .fast, threads: 3).values == minimal.values)
  }
}
