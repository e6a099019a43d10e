import Swiftlet
import SwiftletSchema
import SwiftletTestSupport

/// A model of one operator, with its arithmetic and memory traffic.
struct OperatorCase {
  var name: String
  var kind: Kind
  /// The multiply-adds of the direct algorithm, whatever the kernel does.
  var multiplyAdds: Int
  /// The bytes of inputs, constants, and outputs.
  var traffic: Traffic
  var graph: TestGraph

  /// The operation that bounds the arithmetic.
  enum Kind: String {
    case float32
    case bytes = "int8/uint8"
  }

  struct Traffic {
    var read: Int
    var written: Int
  }
}

/// Builds the model of one operator, and counts its bytes.
struct OperatorBuilder {
  /// The scale and zero point of all quantized tensors.
  struct Encoding {
    var type: ElementType
    var zeroPoint: Int32

    static let int8 = Encoding(type: .int8, zeroPoint: -3)
    static let uint8 = Encoding(type: .uint8, zeroPoint: 125)
  }

  private var graph = TestGraph()
  private var read = 0
  private var written = 0
  /// The encoding, or `nil` for float32.
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
    // The range is wide enough for sums, so that most values don't saturate.
    return graph.output(type, shape, scale: encoding.map { _ in Self.scale }, zeroPoint: encoding?.zeroPoint ?? 0)
  }

  /// Adds an output with its own encoding or type.
  mutating func output(_ shape: [Int], as type: ElementType, scale: Float? = nil, zeroPoint: Int32 = 0) -> Int {
    written += shape.reduce(type == .float32 ? 4 : 1, *)
    return graph.output(type, shape, scale: scale, zeroPoint: zeroPoint)
  }

  /// Adds weights. Int8 weights have zero point 0 and, given an axis, a scale for every index along it; uint8 weights
  /// have a single scale and zero point.
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

  /// Adds a bias for weights from `weights`, with the same number of scales.
  mutating func bias(_ count: Int, isPerChannel: Bool = false) -> Int {
    read += count * 4
    guard encoding != nil else { return graph.constant([Float](repeating: 0.5, count: count)) }
    let index = graph.constant([Int32](repeating: 100, count: count))
    let scales = [Float](repeating: Self.scale * 0.002, count: isPerChannel && encoding?.type == .int8 ? count : 1)
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

  func finish(_ name: String, multiplyAdds: Int = 0) -> OperatorCase {
    let label = encoding?.type.name ?? "float32"
    return OperatorCase(
      name: "\(name) \(label)", kind: encoding == nil ? .float32 : .bytes, multiplyAdds: multiplyAdds,
      traffic: .init(read: read, written: written), graph: graph)
  }
}
