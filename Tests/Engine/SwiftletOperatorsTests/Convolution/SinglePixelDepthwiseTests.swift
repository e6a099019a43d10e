import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks depthwise convolutions of a single output pixel against the same ones with computed weights, which kernels
/// compute.
@Suite("Depthwise convolutions of single pixels")
struct SinglePixelDepthwiseTests {
  struct Geometry: Sendable, CustomTestStringConvertible {
    var batch = 1
    var size: (height: Int, width: Int)
    var channels: Int
    var window: (height: Int, width: Int)
    var stride = 1
    var dilation = 1
    var multiplier = 1
    var isSame = false
    /// Whether the loop for single pixels computes it.
    var isSingle = true

    var testDescription: String {
      "\(batch)×\(size)×\(channels) window \(window) stride \(stride) dilation \(dilation) multiplier \(multiplier)"
    }
  }

  /// The largest number of products that are computed in the loop if windows have one column, and if they have more.
  private static let maximum = SinglePixelDepthwise.maximumProducts(.current, windowWidth: 1)
  private static let wideMaximum = SinglePixelDepthwise.maximumProducts(.current, windowWidth: 2)

  static let geometries = [
    Geometry(size: (5, 1), channels: 32, window: (5, 1)),
    Geometry(size: (23, 1), channels: 64, window: (23, 1)),
    Geometry(size: (7, 1), channels: 1, window: (5, 1), stride: 3),
    Geometry(batch: 3, size: (3, 4), channels: 17, window: (3, 4)),
    Geometry(size: (4, 2), channels: 6, window: (3, 2), stride: 2),
    Geometry(size: (1, 1), channels: maximum, window: (1, 1), isSame: true),
    Geometry(size: (1, 2), channels: wideMaximum / 2, window: (1, 2)),
    Geometry(size: (1, 2), channels: wideMaximum / 2 + 1, window: (1, 2), isSingle: false),
    // A product more, a column more, padding, a line in between, a second filter.
    Geometry(size: (3, 1), channels: maximum / 3 + 1, window: (3, 1), isSingle: false),
    Geometry(size: (3, 2), channels: 5, window: (3, 1), stride: 3, isSingle: false),
    Geometry(size: (3, 3), channels: 5, window: (5, 5), stride: 3, isSame: true, isSingle: false),
    Geometry(size: (5, 1), channels: 5, window: (3, 1), dilation: 2, isSingle: false),
    Geometry(size: (5, 1), channels: 4, window: (5, 1), multiplier: 2, isSingle: false),
  ]

  private func probe<Value: TensorScalar & FixedWidthInteger>(
    _ geometry: Geometry, _ type: Value.Type, weightZero: Int32, hasBias: Bool, _ run: RuntimeOptions
  ) -> Probe {
    var random = SplitMix64(state: 5)
    // The extremes have the largest products.
    func values(_ count: Int) -> [Value] {
      (0..<count).map { _ in
        switch random.next() % 4 {
        case 0: Value.min
        case 1: Value.max
        default: Value(truncatingIfNeeded: random.next())
        }
      }
    }
    let (height, width) = geometry.size, outputs = geometry.channels * geometry.multiplier
    let input = ProbeTensor.values(
      values(geometry.batch * height * width * geometry.channels), [geometry.batch, height, width, geometry.channels]
    ).scaled(0.02, Value.isSigned ? -7 : 121)
    let weightShape = [1, geometry.window.height, geometry.window.width, outputs]
    let weights = ProbeTensor.constant(values(weightShape.reduce(1, *)), weightShape)
    let bias: [ProbeTensor] = hasBias ? [.constant((0..<outputs).map { Int32($0 * 977 % 5000 - 2500) })] : []
    return Probe(
      .depthwiseConv2D, [input, weights.scaled(0.03, weightZero)] + bias,
      [.of(Value.isSigned ? .int8 : .uint8, scale: 4.7, zeroPoint: Value.isSigned ? 9 : 131)],
      DepthwiseConv2DOptions.with {
        [
          $0.padding(geometry.isSame ? .same : .valid), $0.strideHeight(geometry.stride),
          $0.strideWidth(geometry.stride), $0.depthMultiplier(geometry.multiplier),
          $0.dilationHeight(geometry.dilation), $0.dilationWidth(1),
        ]
      }, version: 6, runtime: run)
  }

  private func check<Value: TensorScalar & FixedWidthInteger>(
    _ geometry: Geometry, _ type: Value.Type, weightZero: Int32
  ) throws {
    for numerics in [Numerics.fast, .bitExact] {
      for hasBias in [true, false] {
        let expected = try probe(
          geometry, type, weightZero: weightZero, hasBias: hasBias, RuntimeOptions(numerics: numerics)
        ).computing(inputsFrom: 1).run()[0].bytes
        for run in [
          RuntimeOptions(numerics: numerics), RuntimeOptions(threads: 3, numerics: numerics),
          RuntimeOptions(numerics: numerics, isChecked: true),
        ] {
          let found = try probe(geometry, type, weightZero: weightZero, hasBias: hasBias, run).run()[0].bytes
          #expect(found == expected)
        }
      }
    }
  }

  @Test("of int8", arguments: geometries)
  func signed(geometry: Geometry) throws { try check(geometry, Int8.self, weightZero: 0) }

  @Test("of uint8, whose weights have any zero point", arguments: geometries, [1, 128, 255])
  func unsigned(geometry: Geometry, weightZero: Int32) throws {
    try check(geometry, UInt8.self, weightZero: weightZero)
  }

  @Test("are computed in the loop for them only", arguments: geometries)
  func implementation(geometry: Geometry) throws {
    let probe = probe(geometry, Int8.self, weightZero: 0, hasBias: true, RuntimeOptions())
    let words = try probe.compile().implementations.map(\.implementation)
    #expect(words.contains { $0.contains("single pixels") } == geometry.isSingle, "\(words)")
  }
}
