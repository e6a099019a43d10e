import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A quantized product with all its inputs, computed in double precision.
struct ProductCase {
  var type: ElementType
  var weightType: ElementType
  var input = TestQuantization(scale: 0.05, zeroPoint: 0)
  var output = TestQuantization(scale: 0.4, zeroPoint: 0)
  var weightScales: [Float] = [0.02]
  var weightZeroPoint: Int32 = 0
  var activation = FusedActivation.none
  /// Whether values are near their zero points, so that factors above 1 don't saturate all results.
  var isNarrow = false

  private var range: ClosedRange<Int> { Self.range(type) }

  private static func range(_ type: ElementType) -> ClosedRange<Int> {
    switch type {
    case .int8: -128...127
    case .uint8: 0...255
    default: -32768...32767
    }
  }

  /// Returns quantized values that cover the type's range, or the seven around `zeroPoint`.
  func codes(_ count: Int, _ type: ElementType, zeroPoint: Int32, seed: Int) -> [Int] {
    let range = isNarrow ? Int(zeroPoint) - 3...Int(zeroPoint) + 3 : Self.range(type)
    return (0..<count).map { range.lowerBound + ($0 * 7919 + seed * 104_729) % range.count }
  }

  func tensor(_ codes: [Int], _ type: ElementType, _ shape: [Int], isConstant: Bool) -> ProbeTensor {
    switch (type, isConstant) {
    case (.int8, false): .values(codes.map { Int8($0) }, shape)
    case (.int8, true): .constant(codes.map { Int8($0) }, shape)
    case (.uint8, false): .values(codes.map { UInt8($0) }, shape)
    case (.uint8, true): .constant(codes.map { UInt8($0) }, shape)
    case (_, false): .values(codes.map { Int16($0) }, shape)
    case (_, true): .constant(codes.map { Int16($0) }, shape)
    }
  }

  /// Returns the result for an accumulator: the sum of products of zero-point-corrected values, including the bias.
  ///
  /// Results of 8 bits are rounded as in XNNPACK: multiplied in single precision, ties to even. Results of 16 bits
  /// aren't rounded.
  func result(ofSum sum: Double, column: Int) -> Double {
    let scale = weightScales.count == 1 ? weightScales[0] : weightScales[column]
    guard type == .int16 else {
      let limits = activation.quantizedRange(
        scale: output.scale, zeroPoint: output.zeroPoint, in: Int32(range.lowerBound)...Int32(range.upperBound))
      let value = Double((Float(sum) * (input.scale * scale / output.scale)).rounded(.toNearestOrEven))
      return min(max(value + Double(output.zeroPoint), Double(limits.lowerBound)), Double(limits.upperBound))
    }
    var real = sum * Double(input.scale) * Double(scale)
    switch activation {
    case .relu: real = max(real, 0)
    case .relu6: real = min(max(real, 0), 6)
    case .reluN1To1: real = min(max(real, -1), 1)
    default: break
    }
    return min(
      max(real / Double(output.scale) + Double(output.zeroPoint), Double(range.lowerBound)), Double(range.upperBound))
  }

  func result(_ tensor: Tensor) throws -> [Double] {
    switch type {
    case .int8: try tensor.values(as: Int8.self).map { Double($0) }
    case .uint8: try tensor.values(as: UInt8.self).map { Double($0) }
    default: try tensor.values(as: Int16.self).map { Double($0) }
    }
  }

  static let all: [ProductCase] = [
    ProductCase(
      type: .int8, weightType: .int8, input: .init(scale: 0.05, zeroPoint: -11), output: .init(scale: 1.5, zeroPoint: 7)
    ),
    ProductCase(
      type: .int8, weightType: .int8, input: .init(scale: 0.05, zeroPoint: 100),
      output: .init(scale: 1.1, zeroPoint: -30), weightScales: [0.02, 0.01, 0.03, 0.015], activation: .relu),
    ProductCase(
      type: .uint8, weightType: .uint8, input: .init(scale: 0.05, zeroPoint: 131),
      output: .init(scale: 1.4, zeroPoint: 120), weightZeroPoint: 117),
    ProductCase(
      type: .uint8, weightType: .uint8, input: .init(scale: 0.01, zeroPoint: 3),
      output: .init(scale: 0.03, zeroPoint: 10), weightScales: [0.004], weightZeroPoint: 140, activation: .relu6),
    // Factors above 1, in some columns and in all.
    ProductCase(
      type: .int8, weightType: .int8, input: .init(scale: 0.05, zeroPoint: -11),
      output: .init(scale: 0.9, zeroPoint: 7), weightScales: [0.02, 18.5, 0.03, 36]),
    ProductCase(
      type: .int8, weightType: .int8, input: .init(scale: 0.05, zeroPoint: -11),
      output: .init(scale: 0.9, zeroPoint: 7), weightScales: [2.3, 18.5, 19, 36], isNarrow: true),
    ProductCase(
      type: .uint8, weightType: .uint8, input: .init(scale: 0.5, zeroPoint: 131),
      output: .init(scale: 0.3, zeroPoint: 99), weightScales: [0.7], weightZeroPoint: 117, isNarrow: true),
    ProductCase(type: .int16, weightType: .int8, input: .init(scale: 0.0005), output: .init(scale: 0.002)),
    ProductCase(
      type: .int16, weightType: .int8, input: .init(scale: 0.000_005), output: .init(scale: 0.000_05),
      weightScales: [0.02, 0.01, 0.03, 0.015], activation: .reluN1To1),
  ]
}

extension ProductCase: CustomTestStringConvertible {
  var testDescription: String { "\(type.name), \(weightScales.count) scales, \(activation)" }
}

/// Checks that fast numerics round sums of 8-bit products exactly like XNNPACK, and others to nearby values.
@Suite("Quantized products in fast numerics")
struct FastProductTests {
  private func bias(_ product: ProductCase, _ count: Int) -> (values: [Int], tensor: ProbeTensor) {
    let values = (0..<count).map {
      product.isNarrow ? $0 * 7 - 10 : ($0 * 977 - 1400) * (product.type == .int16 ? 200 : 1)
    }
    return (values, product.type == .int16 ? .constant(values.map { Int64($0) }) : .constant(values.map { Int32($0) }))
  }

  private func weights(_ product: ProductCase, _ shape: [Int], axis: Int, isConstant: Bool = true) -> (
    codes: [Int], tensor: ProbeTensor
  ) {
    let codes = product.codes(
      shape.reduce(1, *), product.weightType, zeroPoint: product.weightZeroPoint, seed: 5)
    let zeroPoints = product.weightScales.map { _ in product.weightZeroPoint }
    return (
      codes,
      product.tensor(codes, product.weightType, shape, isConstant: isConstant).scaled(
        product.weightScales, zeroPoints, axis: axis)
    )
  }

  private func data(_ product: ProductCase, _ shape: [Int]) -> (codes: [Int], tensor: ProbeTensor) {
    let codes = product.codes(shape.reduce(1, *), product.type, zeroPoint: product.input.zeroPoint, seed: 2)
    return (
      codes,
      product.tensor(codes, product.type, shape, isConstant: false).scaled(product.input.scale, product.input.zeroPoint)
    )
  }

  private func output(_ product: ProductCase) -> ProbeTensor {
    .of(product.type, scale: product.output.scale, zeroPoint: product.output.zeroPoint)
  }

  private func compare(_ product: ProductCase, _ result: [Double], _ expected: [Double]) {
    #expect(result.count == expected.count)
    let worst = zip(result, expected).map { abs($0 - $1) }.max() ?? 0
    // Int16 uses 16-bit factors.
    #expect(worst <= (product.type == .int16 ? 1.51 : 0))
    // A test with only saturated values would be meaningless.
    #expect(Set(result).count > 5)
  }

  @Test("a fully connected layer", arguments: ProductCase.all)
  func layers(product: ProductCase) throws {
    let (rows, units, depth) = (5, 4, 19)
    let data = data(product, [rows, depth]), weights = weights(product, [units, depth], axis: 0)
    let bias = bias(product, units)
    let probe = Probe(
      .fullyConnected, [data.tensor, weights.tensor, bias.tensor], [output(product)],
      FullyConnectedOptions.with { [$0.fusedActivation(product.activation)] }, version: 4)
    var expected: [Double] = []
    for row in 0..<rows {
      for unit in 0..<units {
        var sum = bias.values[unit]
        for place in 0..<depth {
          sum +=
            (data.codes[row * depth + place] - Int(product.input.zeroPoint))
            * (weights.codes[unit * depth + place] - Int(product.weightZeroPoint))
        }
        expected.append(product.result(ofSum: Double(sum), column: unit))
      }
    }
    compare(product, try product.result(try probe.run()[0]), expected)
  }

  /// A window with different heights, widths, and strides, so that swapped dimensions are detected.
  private struct Window {
    var input = (height: 7, width: 6)
    var size = (height: 3, width: 2)
    var stride = (height: 1, width: 2)
    var dilation = (height: 2, width: 1)

    /// Returns the output size and the leading padding, with padding SAME.
    func axis(_ input: Int, _ size: Int, _ stride: Int, _ dilation: Int) -> (count: Int, before: Int) {
      let count = (input + stride - 1) / stride
      return (count, max(0, (count - 1) * stride + (size - 1) * dilation + 1 - input) / 2)
    }
  }

  @Test("a convolution and a depthwise convolution", arguments: ProductCase.all, [false, true])
  func convolutions(product: ProductCase, isDepthwise: Bool) throws {
    let window = Window(), batch = 2, channels = isDepthwise ? 2 : 3, filters = 4
    let data = data(product, [batch, window.input.height, window.input.width, channels])
    let shape =
      isDepthwise
      ? [1, window.size.height, window.size.width, filters]
      : [filters, window.size.height, window.size.width, channels]
    let weights = weights(product, shape, axis: isDepthwise ? 3 : 0), bias = bias(product, filters)
    let options =
      isDepthwise
      ? DepthwiseConv2DOptions.with {
        [
          $0.padding(.same), $0.strideHeight(window.stride.height), $0.strideWidth(window.stride.width),
          $0.dilationHeight(window.dilation.height), $0.dilationWidth(window.dilation.width),
          $0.fusedActivation(product.activation),
        ]
      }
      : Conv2DOptions.with {
        [
          $0.padding(.same), $0.strideHeight(window.stride.height), $0.strideWidth(window.stride.width),
          $0.dilationHeight(window.dilation.height), $0.dilationWidth(window.dilation.width),
          $0.fusedActivation(product.activation),
        ]
      }
    let probe = Probe(
      isDepthwise ? .depthwiseConv2D : .conv2D, [data.tensor, weights.tensor, bias.tensor], [output(product)], options,
      version: 3)
    let rows = window.axis(window.input.height, window.size.height, window.stride.height, window.dilation.height)
    let columns = window.axis(window.input.width, window.size.width, window.stride.width, window.dilation.width)
    var expected: [Double] = []
    for image in 0..<batch {
      for row in 0..<rows.count {
        for column in 0..<columns.count {
          for filter in 0..<filters {
            var sum = bias.values[filter]
            for line in 0..<window.size.height {
              for place in 0..<window.size.width {
                let y = row * window.stride.height - rows.before + line * window.dilation.height
                let x = column * window.stride.width - columns.before + place * window.dilation.width
                guard y >= 0, y < window.input.height, x >= 0, x < window.input.width else { continue }
                let pixel = ((image * window.input.height + y) * window.input.width + x) * channels
                if isDepthwise {
                  let weight = weights.codes[(line * window.size.width + place) * filters + filter]
                  sum +=
                    (data.codes[pixel + filter / 2] - Int(product.input.zeroPoint))
                    * (weight - Int(product.weightZeroPoint))
                } else {
                  for channel in 0..<channels {
                    let weight = weights.codes[
                      ((filter * window.size.height + line) * window.size.width + place) * channels + channel]
                    sum +=
                      (data.codes[pixel + channel] - Int(product.input.zeroPoint))
                      * (weight - Int(product.weightZeroPoint))
                  }
                }
              }
            }
            expected.append(product.result(ofSum: Double(sum), column: filter))
          }
        }
      }
    }
    let result = try probe.run()[0]
    #expect(result.shape == Shape([batch, rows.count, columns.count, filters]))
    compare(product, try product.result(result), expected)
  }

  @Test("a transposed convolution", arguments: ProductCase.all)
  func transposedConvolutions(product: ProductCase) throws {
    // An output of 8 × 6 from 4 × 2 with strides 2 and 3, where the reverse convolution has padding SAME.
    let (batch, height, width, channels, filters) = (2, 4, 2, 3, 4), size = (3, 4), stride = (2, 3), out = (8, 6)
    let data = data(product, [batch, height, width, channels])
    let weights = weights(product, [filters, size.0, size.1, channels], axis: 0), bias = bias(product, filters)
    let probe = Probe(
      .transposeConv,
      [.ints([Int32(batch), Int32(out.0), Int32(out.1), Int32(filters)]), weights.tensor, data.tensor, bias.tensor],
      [output(product)],
      TransposeConvOptions.with {
        [
          $0.padding(.same), $0.strideHeight(stride.0), $0.strideWidth(stride.1),
          $0.fusedActivation(product.activation),
        ]
      }, version: 3)
    let top = max(0, (height - 1) * stride.0 + size.0 - out.0) / 2,
      left = max(0, (width - 1) * stride.1 + size.1 - out.1) / 2
    var sums = (0..<batch * out.0 * out.1).flatMap { _ in bias.values }
    for image in 0..<batch {
      for row in 0..<height {
        for column in 0..<width {
          for line in 0..<size.0 {
            for place in 0..<size.1 {
              let y = row * stride.0 - top + line, x = column * stride.1 - left + place
              guard y >= 0, y < out.0, x >= 0, x < out.1 else { continue }
              for filter in 0..<filters {
                for channel in 0..<channels {
                  let code =
                    data.codes[((image * height + row) * width + column) * channels + channel]
                    - Int(product.input.zeroPoint)
                  let weight =
                    weights.codes[((filter * size.0 + line) * size.1 + place) * channels + channel]
                    - Int(product.weightZeroPoint)
                  sums[((image * out.0 + y) * out.1 + x) * filters + filter] += code * weight
                }
              }
            }
          }
        }
      }
    }
    let expected = sums.enumerated().map { product.result(ofSum: Double($0.element), column: $0.offset % filters) }
    compare(product, try product.result(try probe.run()[0]), expected)
  }

  @Test(
    "a batch of products", arguments: ProductCase.all.filter { $0.weightScales.count == 1 && $0.type != .uint8 })
  func batches(product: ProductCase) throws {
    let (batch, rows, depth, columns) = (3, 4, 11, 5)
    let data = data(product, [batch, rows, depth]),
      weights = weights(product, [batch, depth, columns], axis: 0, isConstant: false)
    let probe = Probe(
      .batchMatMul, [data.tensor, weights.tensor], [output(product)], BatchMatMulOptions.empty, version: 4)
    var expected: [Double] = []
    for item in 0..<batch {
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0
          for place in 0..<depth {
            let value = data.codes[(item * rows + row) * depth + place] - Int(product.input.zeroPoint)
            sum += value * weights.codes[(item * depth + place) * columns + column]
          }
          expected.append(product.result(ofSum: Double(sum), column: 0))
        }
      }
    }
    compare(product, try product.result(try probe.run()[0]), expected)
  }

  // MARK: Float inputs with integer weights

  @Test("float inputs are quantized row by row, with an error of at most half a step", arguments: [false, true])
  func dynamicRange(isAsymmetric: Bool) throws {
    let (rows, units, depth) = (6, 5, 40)
    let data = (0..<rows * depth).map { Float($0 * 37 % 101) / 20 - 1.5 + Float($0 / depth) }
    let codes = (0..<units * depth).map { Int8(truncatingIfNeeded: $0 * 53 % 255 - 127) },
      scales: [Float] = [0.01, 0.02, 0.03, 0.015, 0.025]
    let bias: [Float] = [1, -2, 3, -4, 5]
    for numerics in [Numerics.fast, .bitExact] {
      let probe = Probe(
        .fullyConnected,
        [
          .values(data, [rows, depth]), ProbeTensor.constant(codes, [units, depth]).scaled(scales, axis: 0),
          .constant(bias),
        ],
        [.floats()], FullyConnectedOptions.with { [$0.asymmetricQuantizeInputs(isAsymmetric)] }, version: 9,
        runtime: RuntimeOptions(numerics: numerics))
      let result: [Float] = try probe.run()[0].values()
      for row in 0..<rows {
        let line = data[row * depth..<(row + 1) * depth]
        let low = min(line.min() ?? 0, 0), high = max(line.max() ?? 0, 0)
        // The coarser step of both rules.
        let step = Double(max(-low, high)) / 127
        for unit in 0..<units {
          let weights = codes[unit * depth..<(unit + 1) * depth].map { Double($0) * Double(scales[unit]) }
          let exact = zip(line, weights).reduce(Double(bias[unit])) { $0 + Double($1.0) * $1.1 }
          // Errors of single elements are like random numbers: their sum is far below the sum of their bounds.
          let bound = 0.25 * step * weights.reduce(0) { $0 + abs($1) } + 1e-4
          #expect(abs(Double(result[row * units + unit]) - exact) <= bound)
        }
      }
    }
  }

  /// Slices are so long that they are quantized in parts on several threads.
  @Test("long slices are quantized in parts with common parameters", arguments: [1, 4])
  func longSlices(threads: Int) throws {
    let depth = 1 << 17 + 5
    var data = [Float](repeating: 0, count: depth)
    // The extremes are in different parts, and the last element is one of them.
    data[70_000] = -2
    data[depth - 1] = 6
    data[3] = 0.5
    var codes = [Int8](repeating: 0, count: 2 * depth)
    codes[3] = 100
    codes[70_000] = 10
    codes[depth - 1] = 1
    codes[depth + depth - 1] = -127
    let probe = Probe(
      .fullyConnected,
      [.values(data, [1, depth]), ProbeTensor.constant(codes, [2, depth]).scaled([0.1, 0.2], axis: 0)],
      [.floats()], FullyConnectedOptions.empty, version: 9,
      runtime: RuntimeOptions(threads: threads, numerics: .bitExact))
    let result: [Float] = try probe.run()[0].values()
    // The step is 6 / 127: 0.5 is 11 steps and -2 is -42.
    let step = Float(6) / 127
    let expected: [Float] = [Float(11 * 100 - 42 * 10 + 127) * step * 0.1, Float(-127 * 127) * step * 0.2]
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) <= 1e-4 * abs($1) })
  }

  @Test("rules of dynamic-range quantization")
  func quantizers() {
    let symmetric = Quantizer([-2, 1], .symmetric)
    #expect(symmetric.scale == Float(2) / 127 && symmetric.zeroPoint == 0)
    #expect(Quantizer([-1, 3], .symmetric).scale == Float(3) / 127)
    #expect(Quantizer([0, 0], .symmetric).scale == 1)
    let whole = Quantizer([-1, 1.55], .asymmetric)
    #expect(abs(whole.scale - 0.01) < 1e-8 && whole.zeroPoint == -28)
    // Ranges always include zero.
    #expect(Quantizer([1, 2.55], .asymmetric).zeroPoint == -128)
    #expect(abs(Quantizer([1, 2.55], .asymmetric).scale - 0.01) < 1e-8)
    #expect(Quantizer([-2.55, -1], .asymmetric).zeroPoint == 127)
    #expect(Quantizer([0, 0], .asymmetric).scale == 1 && Quantizer([0, 0], .asymmetric).zeroPoint == 0)
    let even = Quantizer([-1, 1.55], .roundingToEven)
    #expect(abs(even.scale - 0.01) < 1e-8 && even.zeroPoint == -28)
    #expect(Quantizer([0, 0], .roundingToEven).scale == 1 && Quantizer([0, 0], .roundingToEven).zeroPoint == 0)
    #expect(Quantizer([1, 2.55], .roundingToEven).zeroPoint == -128)
    #expect(Quantizer([-2.55, -1], .roundingToEven).zeroPoint == 127)
  }
}
