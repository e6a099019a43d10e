import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks depthwise convolutions that copy or repeat input lines against the same ones with many channels, which
/// kernels compute from the image. Results must be equal, for floats too: sums have the same taps in the same order.
@Suite("Shapes of depthwise convolutions")
struct DepthwiseShapeTests {
  struct Types: Sendable, CustomTestStringConvertible {
    let data: ElementType
    let weights: ElementType

    var testDescription: String { "\(data.name) by \(weights.name)" }
  }

  static let types = [
    Types(data: .float32, weights: .float32), Types(data: .float32, weights: .int8),
    Types(data: .int8, weights: .int8), Types(data: .uint8, weights: .uint8), Types(data: .int16, weights: .int8),
  ]

  struct Geometry {
    var batch = 1
    var size: (height: Int, width: Int)
    var channels: Int
    var multiplier = 1
    var window: (height: Int, width: Int)
    var strides = (height: 1, width: 1)
    var dilations = (height: 1, width: 1)
    var isSame = true
    var hasBias = true
  }

  private func noise(_ index: Int, _ seed: Int) -> Int { (index &* 7919 &+ seed &* 104_729 &+ index / 251) % 251 }

  private func values<Scalar: TensorScalar>(_ shape: [Int], isConstant: Bool, _ value: (Int) -> Scalar) -> ProbeTensor {
    let values = (0..<shape.reduce(1, *)).map(value)
    return isConstant ? .constant(values, shape) : .values(values, shape)
  }

  private func tensor(_ type: ElementType, _ shape: [Int], isConstant: Bool, _ noise: (Int) -> Int) -> ProbeTensor {
    switch type {
    case .int8: values(shape, isConstant: isConstant) { Int8(noise($0) - 125) }.scaled(0.02, isConstant ? 0 : 3)
    case .uint8: values(shape, isConstant: isConstant) { UInt8(noise($0)) }.scaled(0.02, 117)
    case .int16: values(shape, isConstant: isConstant) { Int16((noise($0) - 125) * 260) }.scaled(0.001)
    default: values(shape, isConstant: isConstant) { Float(noise($0) - 125) / 63 }
    }
  }

  /// Returns the bits of the results, a channel of which equals channel `source` of the first input.
  ///
  /// - Parameters:
  ///   - channels: The number of input channels.
  ///   - source: Returns the channel of `geometry` for an input channel.
  private func results(
    _ types: Types, _ geometry: Geometry, channels: Int, multiplier: Int, _ run: RuntimeOptions,
    hasConstants: Bool = true,
    source: (_ channel: Int) -> Int
  ) throws -> [[UInt8]] {
    let outputs = channels * multiplier, count = geometry.channels * geometry.multiplier
    let input = tensor(
      types.data, [geometry.batch, geometry.size.height, geometry.size.width, channels], isConstant: false
    ) { noise($0 / channels * geometry.channels + source($0 % channels), 2) }
    var weights = tensor(
      types.weights, [1, geometry.window.height, geometry.window.width, outputs], isConstant: hasConstants
    ) { noise($0 / outputs * count + $0 % outputs % count, 5) }
    if types.weights == .int8 {
      weights = weights.scaled(
        (0..<outputs).map { 0.01 + 0.001 * Float($0 % count % 7) }, (0..<outputs).map { _ in 0 }, axis: 3)
    }
    func bias(_ channel: Int) -> Int { noise(channel % count, 9) * 50 - 5000 }
    let biases: ProbeTensor =
      switch types.data {
      case .int16: .constant((0..<outputs).map { Int64(bias($0) * 1000) })
      case .float32: .constant((0..<outputs).map { Float(bias($0)) / 5000 })
      default: .constant((0..<outputs).map { Int32(bias($0)) })
      }
    let output: ProbeTensor =
      types.data == .float32
      ? .floats() : .of(types.data, scale: types.data == .int16 ? 0.04 : 0.9, zeroPoint: types.data == .uint8 ? 100 : 0)
    let probe = Probe(
      .depthwiseConv2D, [input, weights] + (geometry.hasBias ? [biases] : []), [output],
      DepthwiseConv2DOptions.with {
        [
          $0.padding(geometry.isSame ? .same : .valid), $0.strideHeight(geometry.strides.height),
          $0.strideWidth(geometry.strides.width), $0.depthMultiplier(multiplier),
          $0.dilationHeight(geometry.dilations.height), $0.dilationWidth(geometry.dilations.width),
        ]
      }, version: types.data == .float32 && types.weights == .float32 ? 2 : 6, runtime: run)
    let bytes = try probe.run()[0].bytes
    let size = types.data == .float32 ? 4 : types.data == .int16 ? 2 : 1
    return stride(from: 0, to: bytes.count, by: size * outputs).map { Array(bytes[$0..<$0 + size * count]) }
  }

  private func check(_ types: Types, _ geometry: Geometry, _ runs: [RuntimeOptions]) throws {
    let count = geometry.channels * geometry.multiplier
    for numerics in [Numerics.fast, .bitExact] {
      // Many channels, each input channel once per filter.
      let copies = (80 + count - 1) / count
      let expected = try results(
        types, geometry, channels: copies * count, multiplier: 1, RuntimeOptions(numerics: numerics)
      ) { $0 % count / geometry.multiplier }
      for var run in runs {
        run.numerics = numerics
        let found = try results(
          types, geometry, channels: geometry.channels, multiplier: geometry.multiplier, run
        ) { $0 }
        #expect(found == expected, "\(types) \(geometry) \(run)")
        guard found == expected else { return }
      }
    }
  }

  private static let runs = [RuntimeOptions(), RuntimeOptions(threads: 4), RuntimeOptions(isChecked: true)]

  @Test("of every number of channels", arguments: types, [1, 2, 3, 7, 8, 9, 15, 16, 17, 33])
  func channels(types: Types, channels: Int) throws {
    for (stride, dilation) in [(1, 1), (2, 1), (1, 3), (3, 2)] {
      try check(
        types,
        Geometry(
          batch: 2, size: (9, 23), channels: channels, window: (3, 3), strides: (stride, stride),
          dilations: (dilation, dilation)), Self.runs)
    }
  }

  @Test("with multipliers", arguments: types, [2, 3, 4, 5])
  func multipliers(types: Types, multiplier: Int) throws {
    for channels in [1, 3, 8, 33] {
      for stride in 1...4 {
        try check(
          types,
          Geometry(
            size: (8, 21), channels: channels, multiplier: multiplier, window: (stride == 3 ? 2 : 3, 3),
            strides: (stride, stride), isSame: channels % 2 == 1), Self.runs)
      }
    }
  }

  @Test("of windows of every size", arguments: types, [1, 2, 3, 4, 5, 6, 7])
  func windows(types: Types, size: Int) throws {
    for channels in [1, 6, 20] {
      for (height, width) in [(size, size), (1, size), (size, 1)] {
        for isSame in [true, false] {
          try check(
            types,
            Geometry(
              size: (11, 29), channels: channels, multiplier: channels == 6 ? 2 : 1, window: (height, width),
              strides: (1, channels == 20 ? 2 : 1), isSame: isSame, hasBias: isSame), Self.runs)
        }
      }
    }
  }

  @Test("of single pixels", arguments: types, [1, 2, 3, 5, 8, 12, 16, 17, 40, 70])
  func pixels(types: Types, channels: Int) throws {
    for (height, width) in [(1, 1), (1, 257), (5, 3), (17, 19), (64, 33)] {
      for stride in [1, 3] {
        try check(
          types,
          Geometry(
            batch: types.weights == .int8 ? 1 : 2, size: (height, width), channels: channels,
            multiplier: stride == 3 && channels < 10 ? 3 : 1, window: (1, 1), strides: (stride, stride)), Self.runs)
      }
    }
  }

  @Test("of wide images in several pieces", arguments: types)
  func pieces(types: Types) throws {
    for (channels, multiplier) in [(1, 1), (2, 3), (40, 4)] {
      try check(
        types,
        Geometry(
          size: (12, channels == 40 ? 130 : 2300), channels: channels, multiplier: multiplier, window: (5, 5),
          dilations: (2, 2)), [RuntimeOptions(), RuntimeOptions(threads: 4)])
    }
  }

  @Test("of random sizes", arguments: types)
  func random(types: Types) throws {
    var random = SplitMix64(state: 17)
    for _ in 0..<24 {
      func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      var geometry = Geometry(
        batch: draw(1...2), size: (draw(1...20), draw(1...70)), channels: draw(1...24),
        multiplier: max(1, draw(-4...4)),
        window: (draw(1...7), draw(1...7)), strides: (draw(1...3), draw(1...3)), dilations: (draw(1...4), draw(1...4)))
      geometry.isSame =
        draw(0...1) == 0 || (geometry.window.height - 1) * geometry.dilations.height >= geometry.size.height
        || (geometry.window.width - 1) * geometry.dilations.width >= geometry.size.width
      try check(types, geometry, Self.runs)
    }
  }

  @Test("with weights that are computed", arguments: types)
  func computedWeights(types: Types) throws {
    for (channels, multiplier, stride) in [(1, 1, 1), (3, 1, 2), (2, 3, 3)] {
      let geometry = Geometry(
        size: (9, 31), channels: channels, multiplier: multiplier, window: (3, 3), strides: (stride, stride))
      let computed = try results(
        types, geometry, channels: channels, multiplier: multiplier, RuntimeOptions(), hasConstants: false
      ) { $0 }
      let constant = try results(types, geometry, channels: channels, multiplier: multiplier, RuntimeOptions()) { $0 }
      #expect(computed == constant)
    }
  }

  @Test("do not multiply infinite weights with padding")
  func infiniteWeights() throws {
    let result = try evaluate(
      .depthwiseConv2D,
      [
        Operand.input([Float](repeating: 1, count: 36), [1, 6, 6, 1]),
        Operand.constant([.infinity] + [Float](repeating: 1, count: 8), [1, 3, 3, 1]),
      ], to: .float32,
      options: DepthwiseConv2DOptions.with {
        [$0.padding(.same), $0.strideWidth(2), $0.strideHeight(2), $0.depthMultiplier(1)]
      })
    #expect(try result.values(as: Float.self).allSatisfy { !$0.isNaN })
  }
}
