import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Returns a model of one reduction with constant axes.
private func reduce<Scalar: TensorScalar>(
  _ kind: BuiltinOperator, _ values: [Scalar], shape: [Int], axes: [Int32], keep: Bool = false,
  scales: (input: Float, output: Float)? = nil, zeroPoints: (input: Int32, output: Int32) = (0, 0),
  run: RuntimeOptions = RuntimeOptions()
) throws -> Tensor {
  var graph = TestGraph()
  let data = graph.input(Scalar.elementType, shape, scale: scales?.input, zeroPoint: zeroPoints.input)
  let axis = graph.constant(axes)
  let result = graph.output(Scalar.elementType, [], scale: scales?.output, zeroPoint: zeroPoints.output)
  graph.add(kind, [data, axis], [result], options: ReducerOptions.with { [$0.keepDimensions(keep)] })
  return try graph.session(options: run).run([try Tensor(values, shape: Shape(shape))])[0]
}

@Suite("Reductions")
struct ReductionTests {
  private static let counting = (0..<24).map { Float($0) }

  @Test(
    "reduce any set of axes",
    arguments: [
      ([0], [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23].map(Float.init), [3, 4]),
      ([1], [8, 9, 10, 11, 20, 21, 22, 23], [2, 4]),
      ([2], [3, 7, 11, 15, 19, 23], [2, 3]),
      ([0, 2], [15, 19, 23], [3]),
      ([0, 1], [20, 21, 22, 23], [4]),
      ([-1, 1, 1], [11, 23], [2]),
      ([0, 1, 2], [23], []),
      ([], counting, [2, 3, 4]),
    ] as [([Int32], [Float], [Int])])
  func goesOverAnyAxes(axes: [Int32], expected: [Float], shape: [Int]) throws {
    let result = try reduce(.reduceMax, Self.counting, shape: [2, 3, 4], axes: axes)
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test("compute means over pixels bit-exactly with XNNPACK in fast numerics", arguments: [3, 40, 130])
  func equalsXNNPACK(channels: Int) throws {
    var random = SplitMix64(state: 8)
    let values = (0..<2 * 49 * channels).map { _ in Float.random(in: -2...2, using: &random) }
    let result: [Float] = try reduce(.mean, values, shape: [2, 7, 7, channels], axes: [1, 2]).values()
    let expected = (0..<2 * channels).map { index -> Float in
      let (image, channel) = index.quotientAndRemainder(dividingBy: channels)
      let sum = (0..<49).reduce(Float(0)) { $0 + values[(image * 49 + $1) * channels + channel] }
      return sum * (1 / 49)
    }
    #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("keep dimensions of one if requested")
  func keepsDimensions() throws {
    #expect(try reduce(.sum, Self.counting, shape: [2, 3, 4], axes: [0, 2], keep: true).shape == [1, 3, 1])
    #expect(try reduce(.sum, Self.counting, shape: [2, 3, 4], axes: [0, 2]).shape == [3])
  }

  @Test("return a scalar unchanged, whatever the axis")
  func passesScalarOn() throws {
    let result = try reduce(.sum, [Float(5)], shape: [], axes: [3])
    #expect(try result.values() == [Float(5)])
    #expect(result.shape == [])
  }

  @Test(
    "return their neutral element for an empty input",
    arguments: [
      (BuiltinOperator.sum, Float(0)), (.reduceProd, 1), (.reduceMax, -Float.greatestFiniteMagnitude),
      (.reduceMin, Float.greatestFiniteMagnitude),
    ])
  func givesNeutralElement(kind: BuiltinOperator, expected: Float) throws {
    #expect(try reduce(kind, [Float](), shape: [2, 0], axes: [1]).values() == [expected, expected])
  }

  @Test("return NaN for the mean of no elements, and 0 for integers")
  func averagesNothing() throws {
    let floats: [Float] = try reduce(.mean, [Float](), shape: [0, 1], axes: [0]).values()
    #expect(floats.count == 1 && floats[0].isNaN)
    #expect(try reduce(.mean, [Int32](), shape: [0, 1], axes: [0]).values() == [Int32(0)])
  }

  @Test("have an empty output when a kept dimension is empty")
  func hasEmptyOutput() throws {
    let result = try reduce(.mean, [Float](), shape: [0, 3], axes: [1])
    #expect(result.shape == [0])
    #expect(result.bytes.isEmpty)
  }

  @Test("sum signed quantized values in single precision, like the reference", arguments: bothNumerics)
  func sumsSignedCodes(run: RuntimeOptions) throws {
    let axis = Operand.constant([Int32(1)])
    let codes = try Operand.input([Int8(-9), -86, 52, 29, -1, 79], [3, 1, 2], scale: 0.012549019, zeroPoint: 7)
    let sums = try evaluate(.sum, [codes, axis], to: .int8, TestQuantization(scale: 0.014117647), run: run)
    #expect(try sums.values() == [Int8(-14), -83, 40, 20, -7, 64])
    // 18 × 0.19 is 3.43, which two roundings turn into 4. Values outside the range are clamped.
    let wide = try Operand.input([Int16(25), -7, 32767, 32767], [2, 2], scale: 5.1881467e-05)
    let wideSums = try evaluate(.sum, [wide, axis], to: .int16, TestQuantization(scale: 0.0002721288), run: run)
    #expect(try wideSums.values() == [Int16(3), 12494])
    let narrow = try evaluate(.sum, [wide, axis], to: .int16, TestQuantization(scale: 1e-6), run: run)
    #expect(try narrow.values() == [Int16(934), 32767])
  }

  @Test("sum a run of any length", arguments: [1, 2, 15, 16, 17, 31, 64, 1000])
  func sumsRuns(length: Int) throws {
    let values = (0..<(3 * length)).map { Float($0 % 7) - 3 }
    let expected = (0..<3).map { row in values[(row * length)..<((row + 1) * length)].reduce(0, +) }
    #expect(try reduce(.sum, values, shape: [3, length], axes: [1]).values() == expected)
  }

  @Test("sum columns of any width", arguments: [1, 2, 5, 511, 512, 513, 1100])
  func sumsColumns(width: Int) throws {
    let values = (0..<(6 * width)).map { Int32($0 % 11) - 5 }
    let expected = (0..<width).map { column in (0..<6).reduce(0) { $0 + values[$1 * width + column] } }
    #expect(try reduce(.sum, values, shape: [6, width], axes: [0]).values() == expected)
  }

  @Test(
    "combine runs across pieces of outputs", arguments: [[700, 6], [3, 5, 200, 4], [2, 3, 300, 2, 3]])
  func combinesRunsOfManyOutputs(shape: [Int]) throws {
    let values = (0..<shape.reduce(1, *)).map { Int32($0 * 31 % 101) - 50 }
    let axes = shape.indices.filter { $0 % 2 == (shape.count - 1) % 2 }
    let strides = Shape(shape).strides
    let kept = shape.indices.filter { !axes.contains($0) }
    var expected = [Int32](repeating: 0, count: kept.reduce(1) { $0 * shape[$1] })
    for (index, value) in values.enumerated() {
      let output = kept.reduce(0) { $0 * shape[$1] + index / strides[$1] % shape[$1] }
      expected[output] += value
    }
    #expect(try reduce(.sum, values, shape: shape, axes: axes.map(Int32.init)).values() == expected)
  }

  @Test(
    "average quantized columns of any width and any number of rows", arguments: [1, 15, 255, 256, 257, 600], [1, 2, 9])
  func averagesColumns(width: Int, rows: Int) throws {
    let codes = (0..<(2 * rows * width)).map { Int8(truncatingIfNeeded: $0 &* 37) }
    let expected = (0..<2 * width).map { index -> Int8 in
      let image = index / width, column = index % width
      let sum = (0..<rows).reduce(0) { $0 + Int(codes[(image * rows + $1) * width + column]) + 128 }
      return Int8(clamping: Int((Double(sum) / Double(rows) / 4).rounded(.toNearestOrAwayFromZero)) - 128)
    }
    let means = try reduce(
      .mean, codes, shape: [2, rows, width], axes: [1], scales: (0.25, 1), zeroPoints: (-128, -128)
    ).values(as: Int8.self)
    #expect(means.count == expected.count)
    // The reference rounds twice.
    #expect(zip(means, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test("wrap plain integers that overflow")
  func wrapsIntegers() throws {
    #expect(try reduce(.sum, [Int32.max, 1], shape: [2], axes: [0]).values() == [Int32.min])
    #expect(try reduce(.reduceProd, [Int64.max, 2], shape: [2], axes: [0]).values() == [Int64(-2)])
  }

  @Test("average integers toward zero without overflow")
  func averagesIntegers() throws {
    #expect(try reduce(.mean, [Int32.max, Int32.max], shape: [2], axes: [0]).values() == [Int32.max])
    #expect(try reduce(.mean, [Int32(-3), -4], shape: [2], axes: [0]).values() == [Int32(-3)])
    #expect(try reduce(.mean, [Int64.max, Int64.max], shape: [2], axes: [0]).values() == [Int64(-1)])
  }

  @Test("never prefer NaN to a number")
  func ignoresNaN() throws {
    let values: [Float] = [.nan, 1, 3, .nan, 2, .nan]
    #expect(try reduce(.reduceMax, values, shape: [6], axes: [0]).values() == [Float(3)])
    #expect(try reduce(.reduceMin, values, shape: [2, 3], axes: [1]).values() == [Float(1), 2])
    #expect(try reduce(.reduceMin, values, shape: [3, 2], axes: [0]).values() == [Float(2), 1])
  }

  @Test("requantize means and sums", arguments: bothNumerics)
  func rescalesQuantized(run: RuntimeOptions) throws {
    // The real values are 1, 2, 3, 6 with zero point 10; the mean 3 is 12 quarters, the sum 12 is 24 halves.
    let codes: [Int8] = [12, 14, 16, 22]
    #expect(
      try reduce(.mean, codes, shape: [4], axes: [0], scales: (0.5, 0.25), zeroPoints: (10, -5), run: run).values() == [
        Int8(7)
      ])
    #expect(
      try reduce(.sum, codes, shape: [4], axes: [0], scales: (0.5, 0.5), zeroPoints: (10, -5), run: run).values() == [
        Int8(19)
      ])
    #expect(
      try reduce(.sum, codes, shape: [4], axes: [0], scales: (0.5, 0.01), zeroPoints: (10, -5), run: run).values() == [
        Int8(127)
      ])
  }

  @Test("round a quantized mean to even, and away from zero in bit-exact numerics")
  func roundsMeans() throws {
    for (run, expected) in zip(bothNumerics, [UInt8(2), 3]) {
      #expect(
        try reduce(.mean, [UInt8(2), 3], shape: [2], axes: [0], scales: (0.5, 0.5), run: run).values() == [expected])
    }
    // The zero point is added before rounding: 2.5 + 1 is 3.5, and 4 is even.
    #expect(
      try reduce(.mean, [UInt8(2), 3], shape: [2], axes: [0], scales: (0.5, 0.5), zeroPoints: (0, 1)).values() == [
        UInt8(4)
      ])
  }

  @Test("rescale a mean before the zero point is subtracted")
  func ordersSteps() throws {
    // 26 values with a sum of -2951: the mean is -113.5 and its float slightly less, so 65.5 becomes 65.
    let codes = [Int8](repeating: -114, count: 13) + [Int8](repeating: -113, count: 13)
    let result = try reduce(
      .mean, codes, shape: [26], axes: [0], scales: (0.15848763, 0.15848763), zeroPoints: (-128, 51))
    #expect(try result.values() == [Int8(65)])
  }

  @Test(
    "multiply quantized numbers",
    arguments: [
      ([3, 5], 15), ([-4, 2], -8), ([100, 100], 127),
    ] as [([Int8], Int8)])
  func multipliesQuantized(factors: [Int8], expected: Int8) throws {
    #expect(try reduce(.reduceProd, factors, shape: [2], axes: [0], scales: (1, 1)).values() == [expected])
  }

  @Test("combine booleans")
  func combinesBooleans() throws {
    let values = [true, false, true, true, false, false]
    #expect(try reduce(.reduceAny, values, shape: [3, 2], axes: [1]).values() == [true, true, false])
    #expect(try reduce(.reduceAll, values, shape: [3, 2], axes: [1]).values() == [false, true, false])
    #expect(try reduce(.reduceAll, values, shape: [3, 2], axes: [0]).values() == [false, false])
  }

  @Test("give the same bytes for every thread count")
  func isDeterministic() throws {
    var generator = SplitMix64(state: 1)
    let values = (0..<(64 * 900)).map { _ in Float.random(in: -1...1, using: &generator) }
    var graph = TestGraph()
    let data = graph.input(.float32, [64, 900])
    let axis = graph.constant([Int32(1)])
    let result = graph.output(.float32, [64])
    graph.add(.sum, [data, axis], [result])
    let tensor = try Tensor(values, shape: [64, 900])
    let alone = try graph.session().run([tensor])
    #expect(try graph.session(options: RuntimeOptions(threads: 4)).run([tensor]) == alone)
  }

  @Test("accept axes that are known only in the run")
  func takesComputedAxes() throws {
    var graph = TestGraph()
    let data = graph.input(.int32, [2, 3])
    let axis = graph.input(.int32, [1])
    let result = graph.output(.int32, [])
    graph.add(.sum, [data, axis], [result])
    let session = try graph.session()
    let values = try Tensor([Int32(1), 2, 3, 4, 5, 6], shape: [2, 3])
    for (axis, expected) in [(Int32(0), [Int32(5), 7, 9]), (1, [6, 15]), (-2, [5, 7, 9])] {
      #expect(try session.run([values, Tensor([axis], shape: [1])])[0].values() == expected)
    }
    #expect(throws: RuntimeError.self) { try session.run([values, Tensor([Int32(2)], shape: [1])]) }
  }

  @Test("reject an axis outside the rank", arguments: [[Int32(2)], [-3], [0, 7], [.min], [.max]])
  func refusesAxis(axes: [Int32]) {
    #expect(throws: RuntimeError.self) { try reduce(.mean, [Float(1), 2], shape: [1, 2], axes: axes) }
  }

  @Test("reject quantized tensors without parameters, and int16 with a zero point")
  func refusesQuantization() {
    #expect(throws: RuntimeError.self) { try reduce(.mean, [Int8(1)], shape: [1], axes: [0]) }
    #expect(throws: RuntimeError.self) {
      try reduce(.mean, [Int16(1)], shape: [1], axes: [0], scales: (1, 1), zeroPoints: (3, 0))
    }
    #expect(throws: RuntimeError.self) { try reduce(.reduceMax, [Int8(1)], shape: [1], axes: [0], scales: (1, 0.5)) }
  }
}
