import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A TRANSPOSE_CONV of quantized values with its result by definition, bit for bit.
struct TransposedProduct: Sendable {
  enum Kind: Sendable, CaseIterable { case int8, uint8, dynamicRange, float32 }

  var kind: Kind
  var filter: (height: Int, width: Int)
  var stride: (height: Int, width: Int)
  var isSame: Bool
  /// The batch, height, width, and channels.
  var input: [Int]
  var filters: Int
  var hasBias = true
  var activation = FusedActivation.none

  /// The number of output elements in excess of the windows, if the padding is valid.
  var excess = 0

  private func outputSize(_ size: Int, _ filter: Int, _ stride: Int) -> Int {
    isSame ? size * stride : (size - 1) * stride + filter + min(excess, stride - 1)
  }

  var output: [Int] {
    [
      input[0], outputSize(input[1], filter.height, stride.height), outputSize(input[2], filter.width, stride.width),
      filters,
    ]
  }

  private func padding(_ size: Int, _ filter: Int, _ stride: Int) -> Int {
    isSame ? max(0, (size - 1) * stride + filter - outputSize(size, filter, stride)) / 2 : 0
  }

  private var inputZeroPoint: Int32 { kind == .uint8 ? 131 : -7 }
  private var weightZeroPoint: Int32 { kind == .uint8 ? 117 : 0 }
  private static let inputScale: Float = 0.05
  private static let outputScale: Float = 2.5
  private var weightScales: [Float] {
    kind == .uint8 ? [0.02] : (0..<filters).map { 0.01 + Float($0 % 5) * 0.003 }
  }

  private var pixels: [Int] { (0..<input.reduce(1, *)).map { $0 * 7919 % 241 - 120 } }
  private var weights: [Int] {
    (0..<filters * filter.height * filter.width * input[3]).map { $0 * 7907 % 241 - 118 }
  }
  private var biases: [Int] { (0..<filters).map { $0 * 977 % 3000 - 1400 } }
  /// Multiples of 1/32, whose sums are exact.
  private var floats: [Float] { pixels.map { Float($0 % 16) / 4 } }

  func probe(_ numerics: Numerics, threads: Int = 1, isChecked: Bool = false) -> Probe {
    let shape = [filters, filter.height, filter.width, input[3]], scales = weightScales
    let zeroPoints = scales.map { _ in weightZeroPoint }
    let data: ProbeTensor
    let weights: ProbeTensor
    let bias: ProbeTensor
    let result: ProbeTensor
    switch kind {
    case .int8:
      data = ProbeTensor.values(pixels.map { Int8($0) }, input).scaled(Self.inputScale, inputZeroPoint)
      weights = ProbeTensor.constant(self.weights.map { Int8($0) }, shape).scaled(scales, zeroPoints, axis: 0)
      bias = .constant(biases.map { Int32($0) })
      result = .of(.int8, scale: Self.outputScale, zeroPoint: 3)
    case .uint8:
      data = ProbeTensor.values(pixels.map { UInt8($0 + 121) }, input).scaled(Self.inputScale, inputZeroPoint)
      weights = ProbeTensor.constant(self.weights.map { UInt8($0 + 119) }, shape).scaled(scales, zeroPoints, axis: 0)
      bias = .constant(biases.map { Int32($0) })
      result = .of(.uint8, scale: Self.outputScale, zeroPoint: 90)
    case .dynamicRange:
      data = .values(floats, input)
      weights = ProbeTensor.constant(self.weights.map { Int8($0) }, shape).scaled(scales, zeroPoints, axis: 0)
      bias = .constant(biases.map { Float($0) / 100 })
      result = .floats()
    case .float32:
      data = .values(floats, input)
      weights = .constant(self.weights.map { Float($0 % 16) / 8 }, shape)
      bias = .constant(biases.map { Float($0) / 32 })
      result = .floats()
    }
    return Probe(
      .transposeConv, [.ints(output.map { Int32($0) }), weights, data] + (hasBias ? [bias] : []), [result],
      TransposeConvOptions.with {
        [
          $0.padding(isSame ? .same : .valid), $0.strideHeight(Int32(stride.height)),
          $0.strideWidth(Int32(stride.width)), $0.fusedActivation(activation),
        ]
      }, version: hasBias ? 3 : 2,
      runtime: RuntimeOptions(threads: threads, numerics: numerics, isChecked: isChecked))
  }

  /// Calls `body` for every product of an input and a weight that reaches the output.
  private func forEachProduct(_ body: (_ output: Int, _ channel: Int, _ input: Int, _ weight: Int) -> Void) {
    let output = output
    let top = padding(input[1], filter.height, stride.height), left = padding(input[2], filter.width, stride.width)
    for index in 0..<input[0] {
      for row in 0..<input[1] {
        for column in 0..<input[2] {
          for line in 0..<filter.height {
            for place in 0..<filter.width {
              let y = row * stride.height - top + line, x = column * stride.width - left + place
              guard y >= 0, y < output[1], x >= 0, x < output[2] else { continue }
              for channel in 0..<filters {
                let target = ((index * output[1] + y) * output[2] + x) * filters + channel
                let from = ((index * input[1] + row) * input[2] + column) * input[3]
                let weight = ((channel * filter.height + line) * filter.width + place) * input[3]
                for depth in 0..<input[3] { body(target, channel, from + depth, weight + depth) }
              }
            }
          }
        }
      }
    }
  }

  private func sums(_ pixels: [Int], _ weights: [Int], _ bias: [Int]?) -> [Int32] {
    var sums = [Int32](repeating: 0, count: output.reduce(1, *))
    if let bias { for index in sums.indices { sums[index] = Int32(bias[index % filters]) } }
    forEachProduct { output, _, input, weight in
      sums[output] &+= Int32(truncatingIfNeeded: pixels[input] * weights[weight])
    }
    return sums
  }

  /// Returns the result by definition.
  func expected(_ numerics: Numerics) -> [Double] {
    switch kind {
    case .int8, .uint8:
      let isSigned = kind == .int8
      let pixels = pixels.map { $0 + (isSigned ? 0 : 121) - Int(inputZeroPoint) }
      let weights = weights.map { $0 + (isSigned ? 0 : 119) - Int(weightZeroPoint) }
      let sums = sums(pixels, weights, hasBias ? biases : nil)
      let zeroPoint: Int32 = isSigned ? 3 : 90
      let range = activation.quantizedRange(
        scale: Self.outputScale, zeroPoint: zeroPoint, in: isSigned ? -128...127 : 0...255)
      return sums.enumerated().map { index, sum in
        let scale = weightScales[weightScales.count == 1 ? 0 : index % filters]
        let value: Int32
        if numerics == .fast {
          value = Int32((Float(sum) * (Self.inputScale * scale / Self.outputScale)).rounded(.toNearestOrEven))
        } else {
          let factor =
            isSigned
            ? Double(Self.inputScale) * Double(scale) / Double(Self.outputScale)
            : Double(Self.inputScale * scale) / Double(Self.outputScale)
          value = QuantizedMultiplier(factor).apply(sum)
        }
        return Double(min(max(value &+ zeroPoint, range.lowerBound), range.upperBound))
      }
    case .dynamicRange:
      let size = input[1...].reduce(1, *)
      let quantizers = (0..<input[0]).map { index in
        let slice = floats[index * size..<(index + 1) * size]
        return Quantizer(SIMD2(slice.min() ?? 0, slice.max() ?? 0), .asymmetric)
      }
      let pixels = floats.enumerated().map { index, value in
        let quantizer = quantizers[index / size]
        // A product with the reciprocal, as in the reference.
        let steps = Int((value * (1 / quantizer.scale)).rounded(.toNearestOrAwayFromZero))
        return min(max(steps + Int(quantizer.zeroPoint), -128), 127) - Int(quantizer.zeroPoint)
      }
      let perImage = output[1...].reduce(1, *)
      let range = activation.floatRange
      return sums(pixels, weights, nil).enumerated().map { index, sum in
        let scaled = Float(sum) * weightScales[index % filters] * quantizers[index / perImage].scale
        let value = scaled + (hasBias ? Float(biases[index % filters]) / 100 : 0)
        return Double(min(max(value, range.lower), range.upper))
      }
    case .float32:
      let weights = weights.map { Float($0 % 16) / 8 }, floats = floats, range = activation.floatRange
      var sums = [Float](repeating: 0, count: output.reduce(1, *))
      if hasBias { for index in sums.indices { sums[index] = Float(biases[index % filters]) / 32 } }
      forEachProduct { output, _, input, weight in sums[output] += floats[input] * weights[weight] }
      return sums.map { Double(min(max($0, range.lower), range.upper)) }
    }
  }

  func result(_ probe: Probe) throws -> [Double] {
    let tensor = try probe.run()[0]
    return switch kind {
    case .int8: try tensor.values(as: Int8.self).map { Double($0) }
    case .uint8: try tensor.values(as: UInt8.self).map { Double($0) }
    case .dynamicRange, .float32: try tensor.values(as: Float.self).map { Double($0) }
    }
  }

  /// Sizes at which one product is faster, and some at which phases are.
  static func all(_ kind: Kind) -> [TransposedProduct] {
    [
      TransposedProduct(kind: kind, filter: (7, 9), stride: (1, 1), isSame: false, input: [3, 1, 1, 21], filters: 5),
      TransposedProduct(kind: kind, filter: (12, 12), stride: (1, 1), isSame: true, input: [2, 1, 1, 6], filters: 3),
      TransposedProduct(
        kind: kind, filter: (13, 13), stride: (4, 4), isSame: false, input: [5, 1, 1, 9], filters: 8, hasBias: false),
      TransposedProduct(
        kind: kind, filter: (4, 4), stride: (4, 4), isSame: true, input: [2, 5, 9, 12], filters: 1, activation: .relu),
      TransposedProduct(
        kind: kind, filter: (2, 3), stride: (3, 4), isSame: true, input: [2, 6, 5, 10], filters: 2),
      TransposedProduct(
        kind: kind, filter: (2, 2), stride: (5, 5), isSame: false, input: [1, 6, 7, 3], filters: 1, excess: 3),
      TransposedProduct(
        kind: kind, filter: (19, 4), stride: (4, 1), isSame: true, input: [1, 7, 9, 17], filters: 2,
        activation: .relu6),
      TransposedProduct(
        kind: kind, filter: (22, 22), stride: (9, 9), isSame: true, input: [2, 5, 4, 2], filters: 2),
      TransposedProduct(
        kind: kind, filter: (23, 1), stride: (4, 1), isSame: true, input: [1, 9, 31, 2], filters: 1, hasBias: false),
      TransposedProduct(
        kind: kind, filter: (40, 1), stride: (5, 1), isSame: true, input: [2, 8, 7, 58], filters: 8),
      TransposedProduct(
        kind: kind, filter: (1, 40), stride: (1, 5), isSame: true, input: [1, 3, 11, 9], filters: 3, activation: .relu),
      TransposedProduct(
        kind: kind, filter: (9, 1), stride: (2, 1), isSame: false, input: [2, 24, 1, 5], filters: 3),
      TransposedProduct(
        kind: kind, filter: (9, 9), stride: (2, 2), isSame: false, input: [2, 2, 2, 40], filters: 30, excess: 1),
      TransposedProduct(kind: kind, filter: (3, 3), stride: (2, 2), isSame: true, input: [1, 8, 8, 16], filters: 32),
    ]
  }
}

@Suite("TRANSPOSE_CONV as one product that is added up")
struct TransposedProductTests {
  private func isAdded(_ probe: Probe) throws -> Bool {
    try probe.compile().implementations.contains { $0.implementation.contains("col2im") }
  }

  @Test(
    "gives the result by definition, bit for bit", arguments: TransposedProduct.Kind.allCases, Numerics.allCases)
  func results(kind: TransposedProduct.Kind, numerics: Numerics) throws {
    var added = 0
    for product in TransposedProduct.all(kind) {
      let expected = product.expected(numerics)
      if try isAdded(product.probe(numerics)) { added += 1 }
      for threads in [1, 3] {
        let result = try product.result(product.probe(numerics, threads: threads))
        #expect(result == expected, "\(product), \(numerics), \(threads) threads")
      }
    }
    #expect(kind == .float32 && numerics == .bitExact ? added == 0 : added >= 4, "\(added) are added")
  }

  @Test("gives the same in checked mode", arguments: TransposedProduct.Kind.allCases)
  func checked(kind: TransposedProduct.Kind) throws {
    for product in TransposedProduct.all(kind).prefix(10) {
      for threads in [1, 2] {
        let probe = product.probe(.fast, threads: threads, isChecked: true)
        #expect(try product.result(probe) == product.expected(.fast), "\(product)")
      }
    }
  }

  @Test("takes a filter and a bias that are computed in the run", arguments: TransposedProduct.Kind.allCases)
  func computed(kind: TransposedProduct.Kind) throws {
    let product = TransposedProduct(
      kind: kind, filter: (7, 7), stride: (1, 1), isSame: false, input: [2, 1, 1, 13], filters: 6)
    for numerics in Numerics.allCases {
      let probe = product.probe(numerics).computing(inputsFrom: 1)
      #expect(try product.result(probe) == product.expected(numerics))
    }
  }

  /// Products with one term per output have the bias first in both ways, so that no bit of a float changes.
  @Test("leaves floats as they are if no two windows overlap")
  func disjointFloats() throws {
    let depth = 12, count = 5 * 9 * depth
    let values: [Float] = (0..<count).map { index in Float(index * 7919 % 1009) / 617 - 0.8 }
    let weights: [Float] = (0..<4 * 3 * depth).map { index in Float(index * 104_729 % 1013) / 411 - 1.2 }
    let inputs: [ProbeTensor] = [
      .ints([1, 20, 36, 1]), .constant(weights, [1, 4, 3, depth]), .values(values, [1, 5, 9, depth]),
      .constant([Float(0.3)]),
    ]
    let options = TransposeConvOptions.with { [$0.padding(.same), $0.strideHeight(4), $0.strideWidth(4)] }
    let probe = Probe(.transposeConv, inputs, [.floats()], options, version: 3)
    #expect(try isAdded(probe))
    let result: [Float] = try probe.run()[0].values()
    for position in 0..<20 * 36 {
      let y = position / 36, x = position % 36
      var expected: Float = 0.3
      if x % 4 < 3 {
        let pixel = (y / 4 * 9 + x / 4) * depth, weight = (y % 4 * 3 + x % 4) * depth
        expected = product(
          Array(values[pixel..<pixel + depth]), Array(weights[weight..<weight + depth]), bias: expected)
      }
      #expect(result[position] == expected)
    }
  }

  /// Returns a sum of products by the kernel of the phases.
  private func product(_ values: [Float], _ weights: [Float], bias: Float) -> Float {
    let gemm = KernelTable.current.gemm
    var panels = [Float](repeating: 0, count: gemm.packedCount(columns: 1, depth: values.count))
    gemm.pack(
      columns: 1, depth: values.count, weights: weights, columnStride: values.count, depthStride: 1, bias: [bias],
      into: &panels)
    var result: [Float] = [0]
    gemm.multiplyRows(
      rows: 1, columns: 1, depth: values.count, input: values, inputStride: values.count, panels: panels,
      output: &result, outputStride: 1, lower: -.infinity, upper: .infinity)
    return result[0]
  }

  @Test("isn't chosen for layers that phases compute well, or whose float sums would change for little")
  func prefersPhases() throws {
    for kind in TransposedProduct.Kind.allCases {
      for size in 2...4 {
        let product = TransposedProduct(
          kind: kind, filter: (size, size), stride: (2, 2), isSame: true, input: [1, 32, 32, 64], filters: 64)
        #expect(try !isAdded(product.probe(.fast)), "\(product)")
      }
    }
    let mask = TransposedProduct(
      kind: .float32, filter: (3, 3), stride: (2, 2), isSame: true, input: [1, 32, 32, 8], filters: 8)
    #expect(try !isAdded(mask.probe(.fast)))
  }

  @Test("leaves layers to the phases if packed weights would exceed the limits")
  func limits() throws {
    let product = TransposedProduct(
      kind: .int8, filter: (7, 9), stride: (1, 1), isSame: false, input: [3, 1, 1, 21], filters: 5)
    var probe = product.probe(.fast)
    #expect(try isAdded(probe))
    probe.runtime.limits.arenaBytes = 1 << 10
    let error: RuntimeError? = thrownError { try probe.compile() }
    #expect(error == nil || error?.code == .limitExceeded)
  }
}
