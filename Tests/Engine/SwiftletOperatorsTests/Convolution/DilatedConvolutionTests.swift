import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A dilated CONV_2D of integer weights, and the same convolution with zeros between the weights.
struct DilatedCase: Sendable, CustomTestStringConvertible {
  var height = 11
  var width: Int
  var channels: Int
  var filters = 5
  var window: (height: Int, width: Int) = (3, 3)
  var strides: (height: Int, width: Int) = (1, 1)
  var dilations: (height: Int, width: Int)
  var same = true

  var testDescription: String {
    "\(height)×\(width)×\(channels), \(window), strides \(strides), dilations \(dilations), \(same ? "same" : "valid")"
  }

  var shape: [Int] { [2, height, width, channels] }

  private var weights: [Int8] {
    var random = SplitMix64(state: 7)
    let count = filters * window.height * window.width * channels
    return (0..<count).map { _ in Int8.random(in: -127...127, using: &random) }
  }

  /// Returns the shape and the weights of the filter, with zeros instead of dilation if `isSpread`.
  private func filter(isSpread: Bool) -> (shape: [Int], weights: [Int8]) {
    guard isSpread else { return ([filters, window.height, window.width, channels], weights) }
    let rows = (window.height - 1) * dilations.height + 1, columns = (window.width - 1) * dilations.width + 1
    var spread = [Int8](repeating: 0, count: filters * rows * columns * channels)
    for (index, weight) in weights.enumerated() {
      let (tap, channel) = index.quotientAndRemainder(dividingBy: channels)
      let column = tap % window.width, row = tap / window.width % window.height
      let filter = tap / window.width / window.height
      let target = (filter * rows + row * dilations.height) * columns + column * dilations.width
      spread[target * channels + channel] = weight
    }
    return ([filters, rows, columns, channels], spread)
  }

  func run<Element: TensorScalar, Result: TensorScalar>(
    _ type: ElementType, _ values: [Element], isSpread: Bool, numerics: Numerics, _: Result.Type
  ) throws -> [Result] {
    let isFloat = type == .float32, filter = filter(isSpread: isSpread)
    var graph = TestGraph()
    let data = isFloat ? graph.input(type, shape) : graph.input(type, shape, scale: 0.5, zeroPoint: 3)
    let weights = graph.constant(filter.weights, shape: filter.shape, scale: 0.01)
    let bias =
      isFloat ? graph.constant((0..<filters).map { Float($0) }) : graph.constant((0..<filters).map { Int32($0 * 100) })
    let result = isFloat ? graph.output(type, []) : graph.output(type, [], scale: 4, zeroPoint: -1)
    let dilations = isSpread ? (height: 1, width: 1) : self.dilations
    graph.add(
      .conv2D, [data, weights, bias], [result],
      options: Conv2DOptions.with {
        [
          $0.padding(same ? .same : .valid), $0.strideWidth(Int32(strides.width)),
          $0.strideHeight(Int32(strides.height)), $0.dilationWidth(Int32(dilations.width)),
          $0.dilationHeight(Int32(dilations.height)),
        ]
      }, version: 3)
    return try graph.session(options: RuntimeOptions(threads: 3, numerics: numerics)).run([
      try Tensor(values, shape: Shape(shape))
    ])[0].values()
  }

  static let cases: [DilatedCase] = {
    var cases = [
      DilatedCase(width: 13, channels: 1, filters: 33, window: (6, 6), dilations: (2, 2)),
      DilatedCase(width: 12, channels: 3, window: (3, 5), strides: (3, 3), dilations: (3, 3)),
      DilatedCase(width: 9, channels: 2, window: (1, 2), dilations: (1, 4)),
      DilatedCase(width: 9, channels: 2, window: (2, 1), dilations: (4, 1)),
      DilatedCase(height: 1, width: 9, channels: 5, window: (1, 3), dilations: (1, 2), same: false),
      DilatedCase(height: 5, width: 5, channels: 4, window: (3, 3), dilations: (2, 2), same: false),
    ]
    // At the limit of the channels whose columns are made adjacent, and one beyond; only at stride 1.
    for channels in [7, 32, 33] {
      for width in 7...10 {
        for stride in 1...3 {
          cases.append(
            DilatedCase(
              width: width, channels: channels, strides: (1, stride), dilations: (1, 3), same: stride != 2))
        }
      }
    }
    return cases
  }()
}

@Suite("CONV_2D with dilation and integer weights")
struct DilatedConvolutionTests {
  @Test("int8 agrees with zeros between the weights", arguments: DilatedCase.cases)
  func codes(_ item: DilatedCase) throws {
    var random = SplitMix64(state: 8)
    let values = (0..<item.shape.reduce(1, *)).map { _ in Int8.random(in: -128...127, using: &random) }
    for numerics in Numerics.allCases {
      #expect(
        try item.run(.int8, values, isSpread: false, numerics: numerics, Int8.self)
          == item.run(.int8, values, isSpread: true, numerics: numerics, Int8.self))
    }
  }

  @Test("float32 with int8 weights agrees with zeros between the weights", arguments: DilatedCase.cases)
  func dynamicRange(_ item: DilatedCase) throws {
    var random = SplitMix64(state: 9)
    let values = (0..<item.shape.reduce(1, *)).map { _ in Float.random(in: -1...2, using: &random) }
    for numerics in Numerics.allCases {
      #expect(
        try item.run(.float32, values, isSpread: false, numerics: numerics, Float.self)
          == item.run(.float32, values, isSpread: true, numerics: numerics, Float.self))
    }
  }
}
