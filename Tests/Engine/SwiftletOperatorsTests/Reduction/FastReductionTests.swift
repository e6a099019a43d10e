import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks that sums and means of quantized values are rounded once, in fast numerics too.
@Suite("Quantized reductions and windows in fast numerics")
struct FastReductionTests {
  private static func compare(
    _ result: [Double], _ expected: [Double], _ range: ClosedRange<Double>, within tolerance: Double = 0.51
  ) {
    #expect(result.count == expected.count)
    let worst = zip(result, expected).map { abs($0 - min(max($1, range.lowerBound), range.upperBound)) }.max() ?? 0
    #expect(worst <= tolerance)
    #expect(Set(result).count > 2)
  }

  @Test("sums and means over the last, the first and the middle axis", arguments: QuantizedCase.all, [0, 1, 2])
  func sums(item: QuantizedCase, axis: Int) throws {
    let shape = [6, 7, 5], count = 210
    let codes = (0..<count).map { index in
      (item.range.lowerBound + (item.range.upperBound - item.range.lowerBound) * Double(index * 37 % 101) / 100)
        .rounded()
    }
    let strides = Shape(shape).strides
    for (kind, output) in [
      (BuiltinOperator.mean, TestQuantization(scale: item.output.scale, zeroPoint: item.left.zeroPoint)),
      (.sum, TestQuantization(scale: item.output.scale * 8, zeroPoint: item.left.zeroPoint)),
    ] {
      let probe = Probe(
        kind, [item.tensor(codes, shape, item.left), .ints([Int32(axis)])],
        [.of(item.type, scale: output.scale, zeroPoint: output.zeroPoint)], ReducerOptions.empty, version: 2)
      var expected = [Double](repeating: 0, count: count / shape[axis])
      for (index, code) in codes.enumerated() {
        let place = index / (strides[axis] * shape[axis]) * strides[axis] + index % strides[axis]
        expected[place] += Double(item.left.scale) * (code - Double(item.left.zeroPoint))
      }
      let divisor = kind == .mean ? Double(shape[axis]) : 1
      expected = expected.map { $0 / divisor / Double(output.scale) + Double(output.zeroPoint) }
      // Int16 uses 16-bit factors.
      Self.compare(
        try item.result(try probe.run()[0]), expected, item.range, within: item.type == .int16 ? 1.51 : 0.51)
    }
  }

  /// Means of the quantized values themselves, because pooling keeps scale and zero point.
  @Test("windows of an average, without their padding", arguments: [ElementType.int8, .uint8, .int16])
  func averages(type: ElementType) throws {
    let item = QuantizedCase(type: type, left: .init(scale: 1), right: .init(scale: 1), output: .init(scale: 1))
    let (height, width, channels) = (5, 6, 3)
    let codes = (0..<height * width * channels).map { index in
      (item.range.lowerBound + (item.range.upperBound - item.range.lowerBound) * Double(index * 37 % 101) / 100)
        .rounded()
    }
    let probe = Probe(
      .averagePool2D, [item.tensor(codes, [1, height, width, channels], item.left)], [.of(type, scale: 1)],
      Pool2DOptions.with {
        [$0.padding(.same), $0.strideHeight(2), $0.strideWidth(1), $0.filterHeight(3), $0.filterWidth(4)]
      }, version: 2)
    var expected: [Double] = []
    // Rows and columns begin one element before the first.
    for row in 0..<3 {
      for column in 0..<6 {
        for channel in 0..<channels {
          var (sum, taps) = (0.0, 0.0)
          for y in (2 * row - 1)..<(2 * row + 2) where (0..<height).contains(y) {
            for x in (column - 1)..<(column + 3) where (0..<width).contains(x) {
              sum += codes[(y * width + x) * channels + channel]
              taps += 1
            }
          }
          expected.append(sum / taps)
        }
      }
    }
    Self.compare(try item.result(try probe.run()[0]), expected, item.range)
  }

  @Test("a softmax is within a step of the real result", arguments: [ElementType.int8, .uint8])
  func shares(type: ElementType) throws {
    let item = QuantizedCase(type: type, left: .init(scale: 0.04), right: .init(scale: 1), output: .init(scale: 1))
    let codes = (0..<60).map { (item.range.lowerBound + Double($0 * 37 % 256)).rounded() }
    let zero: Int32 = type == .int8 ? -128 : 0
    let probe = Probe(
      .softmax, [item.tensor(codes, [5, 12], item.left)], [.of(type, scale: 0x1p-8, zeroPoint: zero)],
      SoftmaxOptions.with { [$0.beta(0.7)] }, version: 2)
    let result = try item.result(try probe.run()[0])
    for row in 0..<5 {
      let powers = codes[12 * row..<12 * row + 12].map { power(0.04 * $0 * 0.7) }
      let total = powers.reduce(0, +)
      for (column, value) in powers.enumerated() {
        #expect(abs(result[12 * row + column] - (value / total * 256 + Double(zero))) <= 1)
      }
    }
  }

  /// The step is one sixteenth, down from the highest quantized value; lower values are clamped to the lowest.
  @Test("a log softmax is within a step of the real result", arguments: [ElementType.int8, .uint8])
  func logarithms(type: ElementType) throws {
    let item = QuantizedCase(type: type, left: .init(scale: 0.05), right: .init(scale: 1), output: .init(scale: 1))
    let codes =
      (0..<60).map { (item.range.lowerBound + Double($0 * 37 % 128)).rounded() } + [
        item.range.upperBound, item.range.lowerBound, item.range.upperBound - 40, item.range.upperBound - 1,
      ]
    let result = try item.result(
      try Probe(
        .logSoftmax, [item.tensor(codes, [16, 4], .init(scale: 0.2))],
        [.of(type, scale: 0x1p-4, zeroPoint: Int32(item.range.upperBound))], version: 2
      ).run()[0])
    for row in 0..<16 {
      let reals = codes[4 * row..<4 * row + 4].map { 0.2 * $0 }
      let largest = reals.max() ?? 0
      let total = largest + logarithm(reals.map { power(max($0 - largest, -20)) }.reduce(0, +))
      for (column, real) in reals.enumerated() {
        let steps = max((real - total) * 16 + item.range.upperBound, item.range.lowerBound)
        #expect(abs(result[4 * row + column] - steps) <= 1)
      }
    }
  }

  /// Returns the natural logarithm, by Newton's method.
  private func logarithm(_ number: Double) -> Double {
    (0..<60).reduce(0) { guess, _ in guess + number / power(guess) - 1 }
  }

  /// Returns e to a power, by squaring a series.
  private func power(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for index in 1..<15 {
      term *= x / 16 / Double(index)
      sum += term
    }
    return (0..<4).reduce(sum) { value, _ in value * value }
  }

  @Test("a quantized image is interpolated and rounded once", arguments: [ElementType.int8, .uint8, .int16])
  func mixes(type: ElementType) throws {
    let item = QuantizedCase(type: type, left: .init(scale: 1), right: .init(scale: 1), output: .init(scale: 1))
    let codes = (0..<24).map { index in
      (item.range.lowerBound + (item.range.upperBound - item.range.lowerBound) * Double(index * 5 % 24) / 23).rounded()
    }
    let probe = Probe(
      .resizeBilinear, [item.tensor(codes, [1, 3, 4, 2], item.left), .ints([6, 8])], [.of(type, scale: 1)],
      ResizeBilinearOptions.with { [$0.halfPixelCenters(true)] }, version: 3)
    let result = try item.result(try probe.run()[0])
    func tap(_ position: Int, _ size: Int) -> (Int, Int, Double) {
      let place = max(0, (Double(position) + 0.5) / 2 - 0.5), lower = Int(place)
      return (lower, min(lower + 1, size - 1), place - Double(lower))
    }
    for row in 0..<6 {
      for column in 0..<8 {
        let (top, bottom, down) = tap(row, 3), (left, right, along) = tap(column, 4)
        for channel in 0..<2 {
          func code(_ y: Int, _ x: Int) -> Double { codes[(y * 4 + x) * 2 + channel] }
          let upper = code(top, left) * (1 - along) + code(top, right) * along
          let lower = code(bottom, left) * (1 - along) + code(bottom, right) * along
          let exact = upper * (1 - down) + lower * down
          // For types other than bytes, the reference truncates fixed-point values.
          #expect(abs(result[(row * 8 + column) * 2 + channel] - exact) <= 1)
        }
      }
    }
  }
}
