import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A padded CONV_2D of two images, and the same convolution of images with their padding.
struct SmallImageCase: Sendable, CustomTestStringConvertible {
  var height: Int
  var width: Int
  var channels = 3
  var filters = 5
  var windowHeight: Int
  var windowWidth: Int
  var stride = 1
  var dilation = 1

  var testDescription: String {
    "\(height)×\(width)×\(channels), \(windowHeight)×\(windowWidth)/\(stride) dilation \(dilation)"
  }

  static let batch = 2

  /// Returns the size with padding and the elements before the image, by the rule of SAME.
  private func padded(_ size: Int, _ window: Int) -> (size: Int, before: Int) {
    let extent = (window - 1) * dilation + 1, outputs = (size + stride - 1) / stride
    let missing = max(0, (outputs - 1) * stride + extent - size)
    return (size + missing, missing / 2)
  }

  /// Returns images with their padding of `zero`.
  func padded<Value>(_ values: [Value], zero: Value) -> (shape: [Int], values: [Value]) {
    let rows = padded(height, windowHeight), columns = padded(width, windowWidth)
    var result = [Value](repeating: zero, count: Self.batch * rows.size * columns.size * channels)
    for image in 0..<Self.batch {
      for y in 0..<height {
        for x in 0..<width * channels {
          let row = (image * rows.size + y + rows.before) * columns.size + columns.before
          result[row * channels + x] = values[(image * height + y) * width * channels + x]
        }
      }
    }
    return ([Self.batch, rows.size, columns.size, channels], result)
  }

  func options(same: Bool) -> WrittenOptions {
    Conv2DOptions.with {
      [
        $0.padding(same ? .same : .valid), $0.strideWidth(Int32(stride)), $0.strideHeight(Int32(stride)),
        $0.dilationWidth(Int32(dilation)), $0.dilationHeight(Int32(dilation)),
      ]
    }
  }

  var filterShape: [Int] { [filters, windowHeight, windowWidth, channels] }
  var shape: [Int] { [Self.batch, height, width, channels] }

  func floats(_ shape: [Int], _ values: [Float], same: Bool) throws -> [Float] {
    var graph = TestGraph(), random = SplitMix64(state: 5)
    let data = graph.input(.float32, shape)
    let weights = (0..<filterShape.reduce(1, *)).map { _ in Float(Int.random(in: -8...8, using: &random)) }
    let filter = graph.constant(weights, shape: filterShape), bias = graph.constant((0..<filters).map { Float($0) })
    let result = graph.output(.float32, [])
    graph.add(.conv2D, [data, filter, bias], [result], options: options(same: same))
    return try graph.session().run([try Tensor(values, shape: Shape(shape))])[0].values()
  }

  func codes(_ shape: [Int], _ values: [Int8], same: Bool, numerics: Numerics) throws -> [Int8] {
    var graph = TestGraph(), random = SplitMix64(state: 6)
    let data = graph.input(.int8, shape, scale: 0.5, zeroPoint: 3)
    let weights = (0..<filterShape.reduce(1, *)).map { _ in Int8.random(in: -127...127, using: &random) }
    let filter = graph.constant(weights, shape: filterShape, scale: 0.01)
    let bias = graph.constant((0..<filters).map { Int32($0 * 100) })
    let result = graph.output(.int8, [], scale: 8, zeroPoint: -1)
    graph.add(.conv2D, [data, filter, bias], [result], options: options(same: same), version: 3)
    return try graph.session(options: RuntimeOptions(numerics: numerics)).run([
      try Tensor(values, shape: Shape(shape))
    ])[0].values()
  }

  static let cases: [SmallImageCase] = {
    var cases = [
      // Images of one pixel, of one row, and of one column.
      SmallImageCase(height: 1, width: 1, windowHeight: 3, windowWidth: 3),
      SmallImageCase(height: 1, width: 1, windowHeight: 4, windowWidth: 2, stride: 2),
      SmallImageCase(height: 1, width: 9, windowHeight: 3, windowWidth: 3),
      SmallImageCase(height: 9, width: 1, windowHeight: 3, windowWidth: 5, dilation: 2),
      // Window rows that stay whole, and rows that don't.
      SmallImageCase(height: 2, width: 2, windowHeight: 5, windowWidth: 5, stride: 2),
      SmallImageCase(height: 2, width: 6, windowHeight: 7, windowWidth: 3),
      SmallImageCase(height: 3, width: 3, windowHeight: 7, windowWidth: 7, stride: 3),
      SmallImageCase(height: 5, width: 5, channels: 1, filters: 33, windowHeight: 7, windowWidth: 7, dilation: 3),
      SmallImageCase(height: 4, width: 5, channels: 20, windowHeight: 6, windowWidth: 3, stride: 3, dilation: 2),
    ]
    for dilation in 1...6 {
      cases.append(SmallImageCase(height: 5, width: 4, windowHeight: 3, windowWidth: 3, dilation: dilation))
      cases.append(SmallImageCase(height: 5, width: 4, windowHeight: 4, windowWidth: 2, stride: 2, dilation: dilation))
    }
    return cases
  }()
}

@Suite("CONV_2D of images that are smaller than the window")
struct CroppedFilterTests {
  @Test("float32 agrees with the same convolution of images with their padding", arguments: SmallImageCase.cases)
  func floats(_ shape: SmallImageCase) throws {
    var random = SplitMix64(state: 3)
    let values = (0..<shape.shape.reduce(1, *)).map { _ in Float(Int.random(in: -9...9, using: &random)) }
    let padded = shape.padded(values, zero: 0)
    // All sums are small integers, so that they are exact in any order.
    #expect(
      try shape.floats(shape.shape, values, same: true) == shape.floats(padded.shape, padded.values, same: false))
  }

  @Test("int8 agrees with the same convolution of images with their padding", arguments: SmallImageCase.cases)
  func codes(_ shape: SmallImageCase) throws {
    var random = SplitMix64(state: 4)
    let values = (0..<shape.shape.reduce(1, *)).map { _ in Int8.random(in: -128...127, using: &random) }
    let padded = shape.padded(values, zero: 3)
    for numerics in Numerics.allCases {
      #expect(
        try shape.codes(shape.shape, values, same: true, numerics: numerics)
          == shape.codes(padded.shape, padded.values, same: false, numerics: numerics))
    }
  }

  @Test("a window keeps the elements that are inside the image at some position")
  func reachedElements() {
    func reached(
      _ input: Int, window: Int, stride: Int = 1, dilation: Int = 1, before: Int, outputs: Int
    ) -> Range<Int> {
      WindowAxis(
        inputSize: input, windowSize: window, stride: stride, dilation: dilation, paddingBefore: before,
        outputSize: outputs
      ).reachedElements
    }
    #expect(reached(5, window: 3, before: 1, outputs: 5) == 0..<3)
    #expect(reached(1, window: 3, before: 1, outputs: 1) == 1..<2)
    #expect(reached(5, window: 7, dilation: 3, before: 9, outputs: 5) == 2..<5)
    // At a dilation of the image's size, only the center is left; one below, all elements.
    #expect(reached(5, window: 3, dilation: 5, before: 5, outputs: 5) == 1..<2)
    #expect(reached(5, window: 3, dilation: 4, before: 4, outputs: 5) == 0..<3)
    // An element before the image stays if padding would become negative without it.
    #expect(reached(4, window: 2, dilation: 2, before: 1, outputs: 1) == 0..<2)
    // No element is inside the image, or there is no output.
    #expect(reached(1, window: 2, stride: 9, dilation: 9, before: 4, outputs: 1).count == 1)
    #expect(reached(4, window: 3, before: 1, outputs: 0) == 0..<3)
  }
}
