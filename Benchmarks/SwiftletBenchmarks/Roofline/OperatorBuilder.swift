import Swiftlet
import SwiftletSchema
import SwiftletTestSupport

/// Builds the model of one operator, and counts its bytes.
struct OperatorBuilder {
  /// The scale and zero point of all quantized tensors except weights.
  struct Encoding {
    var type: ElementType
    var zeroPoint: Int32

    static let int8 = Encoding(type: .int8, zeroPoint: -3)
    static let uint8 = Encoding(type: .uint8, zeroPoint: 125)
    static let int16 = Encoding(type: .int16, zeroPoint: 0)
  }

  private var graph = TestGraph()
  private var read = 0
  private var written = 0
  /// The encoding, or `nil` for float32.
  private let encoding: Encoding?
  private let weightType: ElementType
  private var random = SplitMix64(state: 1)

  static let scale: Float = 0.05
  private var weightScale: Float { weightType == .int4 ? 0.032 : 0.002 }
  /// The number of random weights; more weights repeat them.
  private static let randomCount = 65_537

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of activations, or `nil` for float32.
  ///   - weights: The type of weights: float32, float16, int8, uint8, or int4. The default is the encoding's own: int8
  ///     for int16 activations.
  init(_ encoding: Encoding?, weights: ElementType? = nil) {
    self.encoding = encoding
    weightType = weights ?? (encoding?.type == .int16 ? .int8 : encoding?.type ?? .float32)
  }

  private var type: ElementType { encoding?.type ?? .float32 }

  mutating func input(_ shape: [Int], as type: ElementType? = nil) -> Int {
    let type = type ?? self.type
    read += Self.byteCount(shape.reduce(1, *), of: type)
    guard type == encoding?.type else { return graph.input(type, shape) }
    return graph.input(type, shape, scale: Self.scale, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  mutating func output(_ shape: [Int]) -> Int {
    // The range is wide enough for sums, so that most values don't saturate.
    output(shape, as: type, scale: encoding.map { _ in Self.scale }, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  /// Adds an output with its own encoding or type.
  mutating func output(_ shape: [Int], as type: ElementType, scale: Float? = nil, zeroPoint: Int32 = 0) -> Int {
    written += Self.byteCount(shape.reduce(1, *), of: type)
    return graph.output(type, shape, scale: scale, zeroPoint: zeroPoint)
  }

  /// Adds a tensor between two operators, which is not counted.
  mutating func intermediate(_ shape: [Int]) -> Int {
    graph.tensor(type, shape, scale: encoding.map { _ in Self.scale }, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  /// Adds weights. Signed weights have zero point 0 and, given an axis, a scale for every index along it; uint8 weights
  /// have a single scale and zero point. Float16 weights are followed by their conversion to float32.
  mutating func weights(_ shape: [Int], axis: Int? = nil) -> Int {
    let count = shape.reduce(1, *)
    read += Self.byteCount(count, of: weightType)
    switch weightType {
    case .int8, .int4:
      let bytes = (count * (weightType.bitWidth ?? 8) + 7) / 8
      let index = graph.constant(
        bytes: repeated(bytes) { UInt8(bitPattern: Int8.random(in: -127...127, using: &$0)) }, of: weightType,
        shape: shape)
      let scales = [Float](repeating: weightScale, count: axis.map { shape[$0] } ?? 1)
      graph.quantize(
        index,
        QuantizationParameters(scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: axis ?? 0))
      return index
    case .uint8:
      return graph.constant(
        repeated(count) { UInt8.random(in: 0...255, using: &$0) }, shape: shape, scale: weightScale, zeroPoint: 131)
    case .float16:
      // Values of both signs, whose exponents are -4 to -1.
      let bits = repeated(count) { (UInt16.random(in: 0...UInt16.max, using: &$0) & 0x8FFF) &+ 0x2C00 }
      let index = graph.constant(bytes: bits.withUnsafeBytes { [UInt8]($0) }, of: .float16, shape: shape)
      let converted = graph.tensor(.float32, shape)
      graph.add(.dequantize, [index], [converted])
      return converted
    default: return graph.constant(repeated(count) { Float.random(in: -1...1, using: &$0) }, shape: shape)
    }
  }

  private mutating func repeated<Value>(_ count: Int, _ value: (inout SplitMix64) -> Value) -> [Value] {
    let values = (0..<min(count, Self.randomCount)).map { _ in value(&random) }
    guard count > values.count else { return values }
    var result: [Value] = []
    result.reserveCapacity(count)
    while result.count < count { result += values.prefix(count - result.count) }
    return result
  }

  /// Adds a bias for weights from `weights`, with the same number of scales.
  mutating func bias(_ count: Int, isPerChannel: Bool = false) -> Int {
    guard let encoding else {
      read += count * 4
      return graph.constant([Float](repeating: 0.5, count: count))
    }
    let isWide = encoding.type == .int16
    read += count * (isWide ? 8 : 4)
    let index =
      isWide
      ? graph.constant([Int64](repeating: 100, count: count)) : graph.constant([Int32](repeating: 100, count: count))
    let scales = [Float](
      repeating: Self.scale * weightScale, count: isPerChannel && weightType != .uint8 ? count : 1)
    graph.quantize(
      index, QuantizationParameters(scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: 0))
    return index
  }

  /// Adds a constant that is a parameter instead of data: sizes, axes, or paddings.
  mutating func parameter(_ values: [Int32], shape: [Int]? = nil) -> Int { graph.constant(values, shape: shape) }

  mutating func add(
    _ builtin: BuiltinOperator, _ inputs: [Int], _ outputs: [Int], options: WrittenOptions? = nil
  ) {
    graph.add(builtin, inputs, outputs, options: options)
  }

  /// Returns the operator.
  ///
  /// - Parameter name: The name, to which the type is added.
  func finish(_ name: String, multiplyAdds: Int = 0) -> OperatorCase {
    let label = encoding?.type.name ?? "float32"
    return finish(named: "\(name) \(label)", multiplyAdds: multiplyAdds)
  }

  func finish(named name: String, multiplyAdds: Int) -> OperatorCase {
    OperatorCase(
      name: name, kind: kind, multiplyAdds: multiplyAdds, traffic: .init(read: read, written: written), graph: graph)
  }

  private var kind: OperatorCase.Kind {
    switch (encoding?.type, weightType) {
    case (nil, .float32), (nil, .float16): .float32
    case (.int16, _): .int16
    default: .bytes
    }
  }

  private static func byteCount(_ count: Int, of type: ElementType) -> Int { (count * (type.bitWidth ?? 8) + 7) / 8 }
}
