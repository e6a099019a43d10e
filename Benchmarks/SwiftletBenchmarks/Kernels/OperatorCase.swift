import Swiftlet
import SwiftletSchema
import SwiftletTestSupport

/// A model of one operator, and what it cannot do without.
struct OperatorCase {
  var name: String
  var kind: Kind
  /// Of the plain algorithm, whatever the kernel does.
  var multiplyAdds: Int
  /// Bytes of inputs, constants and outputs.
  var traffic: Traffic
  var graph: TestGraph

  /// What bounds the arithmetic.
  enum Kind: String {
    case float32
    case bytes = "int8/uint8"
  }

  struct Traffic {
    var read: Int
    var written: Int
  }
}

/// Builds the model of one operator, counting its bytes.
struct OperatorBuilder {
  /// Scale and zero point of every tensor of bytes.
  struct Encoding {
    var type: ElementType
    var zeroPoint: Int32

    static let int8 = Encoding(type: .int8, zeroPoint: -3)
    static let uint8 = Encoding(type: .uint8, zeroPoint: 125)
  }

  private var graph = TestGraph()
  private var read = 0
  private var written = 0
  /// `nil` for float32.
  private let encoding: Encoding?
  private var random = SplitMix64(state: 1)

  static let scale: Float = 0.05

  init(_ encoding: Encoding?) { self.encoding = encoding }

  private var type: ElementType { encoding?.type ?? .float32 }
  private var elementBytes: Int { encoding == nil ? 4 : 1 }

  mutating func input(_ shape: [Int]) -> Int {
    read += shape.reduce(elementBytes, *)
    return graph.input(type, shape, scale: encoding.map { _ in Self.scale }, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  mutating func output(_ shape: [Int]) -> Int {
    written += shape.reduce(elementBytes, *)
    // Wide enough for sums, so that not everything saturates.
    return graph.output(type, shape, scale: encoding.map { _ in Self.scale }, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  /// An output with an encoding, or of a type, of its own.
  mutating func output(_ shape: [Int], as type: ElementType, scale: Float? = nil, zeroPoint: Int32 = 0) -> Int {
    written += shape.reduce(type == .float32 ? 4 : 1, *)
    return graph.output(type, shape, scale: scale, zeroPoint: zeroPoint)
  }

  /// Weights: int8 weights have zero point 0 and, given an axis, a scale for every index along it; uint8 weights have
  /// one of each.
  mutating func weights(_ shape: [Int], axis: Int? = nil) -> Int {
    let count = shape.reduce(1, *)
    read += count * elementBytes
    switch encoding?.type {
    case .int8:
      let index = graph.constant((0..<count).map { _ in Int8.random(in: -127...127, using: &random) }, shape: shape)
      let scales = [Float](repeating: 0.002, count: axis.map { shape[$0] } ?? 1)
      graph.quantize(
        index,
        QuantizationParameters(scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: axis ?? 0))
      return index
    case .uint8:
      return graph.constant(
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, shape: shape, scale: 0.002, zeroPoint: 131)
    default:
      return graph.constant((0..<count).map { _ in Float.random(in: -1...1, using: &random) }, shape: shape)
    }
  }

  /// A bias for weights made as above, with as many scales as they have.
  mutating func bias(_ count: Int, isPerChannel: Bool = false) -> Int {
    read += count * 4
    guard encoding != nil else { return graph.constant([Float](repeating: 0.5, count: count)) }
    let index = graph.constant([Int32](repeating: 100, count: count))
    let scales = [Float](repeating: Self.scale * 0.002, count: isPerChannel && encoding?.type == .int8 ? count : 1)
    graph.quantize(
      index, QuantizationParameters(scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: 0))
    return index
  }

  /// A constant that says how, not what: sizes, axes, paddings.
  mutating func parameter(_ values: [Int32], shape: [Int]? = nil) -> Int { graph.constant(values, shape: shape) }

  mutating func add(
    _ builtin: BuiltinOperator, _ inputs: [Int], _ outputs: [Int], options: WrittenOptions? = nil
  ) {
    graph.add(builtin, inputs, outputs, options: options)
  }

  func finish(_ name: String, multiplyAdds: Int = 0) -> OperatorCase {
    let label = encoding?.type.name ?? "float32"
    return OperatorCase(
      name: "\(name) \(label)", kind: encoding == nil ? .float32 : .bytes, multiplyAdds: multiplyAdds,
      traffic: .init(read: read, written: written), graph: graph)
  }
}
