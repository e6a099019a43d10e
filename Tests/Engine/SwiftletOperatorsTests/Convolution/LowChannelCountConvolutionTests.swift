import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("CONV_2D with few filters")
struct LowChannelCountConvolutionTests {
  struct Case: CustomTestStringConvertible {
    var batch = 1
    var height: Int
    var width: Int
    var channels: Int
    var filters = 1
    var window: (height: Int32, width: Int32) = (3, 3)
    var stride: Int32 = 1
    var dilation: Int32 = 1
    var same = true
    var activation: Int8 = 0
    var addsResidual = false
    var hasBias = true

    var testDescription: String {
      "\(batch)×\(height)×\(width)×\(channels) to \(filters), \(window.height)×\(window.width), stride \(stride), dilation \(dilation)"
    }
  }

  static let cases = [
    Case(height: 64, width: 64, channels: 8),
    Case(batch: 2, height: 17, width: 23, channels: 33, activation: 1),
    Case(height: 40, width: 13, channels: 4, filters: 2, same: false, activation: 3),
    Case(height: 30, width: 31, channels: 16, addsResidual: true),
    Case(height: 21, width: 19, channels: 1, window: (7, 7), hasBias: false),
    Case(height: 33, width: 20, channels: 24, filters: 3, window: (5, 5), stride: 2, addsResidual: true),
    Case(height: 25, width: 26, channels: 2, window: (5, 3), dilation: 2),
    Case(batch: 3, height: 5, width: 5, channels: 20, window: (9, 9)),
    Case(height: 2, width: 2, channels: 640, window: (3, 3)),
    // Dot products of window rows, with ends of image rows, and of taps.
    Case(height: 33, width: 41, channels: 3, window: (5, 5), stride: 2, activation: 1),
    Case(batch: 2, height: 20, width: 37, channels: 40, filters: 3, window: (4, 4), addsResidual: true),
    Case(height: 31, width: 24, channels: 65, filters: 6, window: (2, 3), activation: 3),
    Case(height: 31, width: 24, channels: 70, filters: 2, dilation: 2, hasBias: false),
    Case(height: 64, width: 50, channels: 20, filters: 1, window: (1, 1), stride: 2),
    Case(height: 19, width: 26, channels: 424, filters: 2, same: false),
  ]

  /// Names of implementations that sum channels or lanes apart.
  static let kinds = ["sums by channel float32", "indirect dot products float32"]

  private func numbers(_ count: Int, _ factor: Int) -> [Float] {
    (0..<count).map { Float($0 * factor % 1009) / 1009 - 0.5 }
  }

  private func run(_ item: Case, numerics: Numerics, threads: Int) throws -> (values: [Float], kernel: String) {
    var graph = TestGraph()
    let shape = [item.batch, item.height, item.width, item.channels]
    let data = graph.input(.float32, shape)
    let filter = [item.filters, Int(item.window.height), Int(item.window.width), item.channels]
    let weights = graph.constant(numbers(filter.reduce(1, *), 104_729), shape: filter)
    let bias = item.hasBias ? [graph.constant(numbers(item.filters, 31))] : []
    let sums = item.addsResidual ? graph.tensor(.float32, []) : graph.output(.float32, [])
    graph.add(
      .conv2D, [data, weights] + bias, [sums],
      options: Conv2DOptions.with {
        [
          $0.padding(item.same ? .same : .valid), $0.strideWidth(item.stride), $0.strideHeight(item.stride),
          $0.dilationWidth(item.dilation), $0.dilationHeight(item.dilation), $0.fusedActivation(code: item.activation),
        ]
      })
    if item.addsResidual {
      let other = graph.constant(numbers(item.filters, 613))
      graph.add(.mul, [sums, other], [graph.output(.float32, [])])
    }
    let session = try graph.session(options: RuntimeOptions(threads: threads, numerics: numerics))
    let input = try Tensor(numbers(shape.reduce(1, *), 7919), shape: Shape(shape))
    return (try session.run([input])[0].values(as: Float.self), session.model.implementations[0].implementation)
  }

  @Test(
    "results match sums in order to a few units in the sixth digit, on one thread and three", arguments: cases)
  func agrees(_ item: Case) throws {
    let ordered = try run(item, numerics: .bitExact, threads: 1)
    let few = try run(item, numerics: .fast, threads: 1)
    #expect(ordered.kernel.hasPrefix("indirect GEMM"))
    #expect(few.values.count == ordered.values.count)
    let largest = ordered.values.reduce(Float(1)) { max($0, abs($1)) }
    for (value, expected) in zip(few.values, ordered.values) { #expect(abs(value - expected) < 2e-5 * largest) }
    #expect(try run(item, numerics: .fast, threads: 3).values == few.values)
    // With one row per lane, panels are faster for some of them.
    if KernelTable.current.name == "avx2" {
      #expect(Self.kinds.contains { few.kernel.hasPrefix($0) }, "\(few.kernel)")
    }
  }

  @Test("long taps are dot products, and short ones are summed by channel")
  func kinds() throws {
    func kernel(_ item: Case) throws -> String {
      String(try run(item, numerics: .fast, threads: 1).kernel.prefix { $0 != "," })
    }
    #expect(
      try kernel(Case(height: 40, width: 40, channels: 4, window: (3, 3), dilation: 3))
        == "sums by channel float32 3×3")
    #expect(
      try kernel(Case(height: 20, width: 20, channels: 240, window: (4, 4))) == "indirect dot products float32 4×4")
    #expect(
      try kernel(Case(height: 20, width: 20, channels: 240, filters: 7, window: (4, 4))) == "indirect GEMM float32 4×4")
  }

  @Test("small heads are bit-exact with XNNPACK's order of additions", arguments: [1, 30, 128])
  func equalsXNNPACK(channels: Int) throws {
    let item = Case(height: 2, width: 2, channels: channels, window: (2, 2), same: false)
    let result = try run(item, numerics: .fast, threads: 1).values
    let count = 4 * channels
    let expected = zip(numbers(count, 7919), numbers(count, 104_729)).reduce(numbers(1, 31)[0]) { sum, pair in
      KernelTable.current.name == "portable" ? sum + pair.0 * pair.1 : sum.addingProduct(pair.0, pair.1)
    }
    #expect(result.map(\.bitPattern) == [expected.bitPattern])
  }

  @Test(
    "many filters, small windows, and channels that don't fill vectors use GEMM",
    arguments: [
      Case(height: 16, width: 16, channels: 8, filters: 8), Case(height: 16, width: 16, channels: 8, window: (1, 1)),
      Case(height: 16, width: 16, channels: 3), Case(height: 16, width: 16, channels: 2, stride: 2),
      Case(height: 2, width: 2, channels: 128, window: (2, 2), same: false),
    ])
  func leavesOthers(_ item: Case) throws {
    #expect(try run(item, numerics: .fast, threads: 1).kernel.contains("GEMM"))
  }
}
