import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// An operator with tensors that are large enough for several threads.
struct TiledCase: Sendable, CustomTestStringConvertible {
  let name: String
  let probe: @Sendable () -> Probe

  init(custom name: String, _ probe: @escaping @Sendable () -> Probe) {
    self.name = name
    self.probe = probe
  }

  init(_ kind: BuiltinOperator, _ note: String = "", _ probe: @escaping @Sendable (BuiltinOperator) -> Probe) {
    name = kind.schemaName + (note.isEmpty ? "" : " " + note)
    self.probe = { probe(kind) }
  }

  var testDescription: String { name }
}

extension ProbeTensor {
  /// Returns numbers with a long period, from about -8 to 8.
  static func floats(filling shape: [Int]) -> ProbeTensor {
    let count = shape.reduce(1, *)
    return .values(
      [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
        for index in 0..<count { buffer[index] = Float(index &* 7919 & 0xFFFF) / 4096 - 8 }
        initialized = count
      }, shape)
  }

  /// Returns quantized values with a long period.
  static func codes(filling shape: [Int], scale: Float? = nil, zeroPoint: Int32 = 0) -> ProbeTensor {
    let count = shape.reduce(1, *)
    let tensor = ProbeTensor.values(
      [Int8](unsafeUninitializedCapacity: count) { buffer, initialized in
        for index in 0..<count { buffer[index] = Int8(truncatingIfNeeded: index &* 7919 >> 5) }
        initialized = count
      }, shape)
    return scale.map { tensor.scaled($0, zeroPoint) } ?? tensor
  }

  static func shorts(filling shape: [Int]) -> ProbeTensor {
    let count = shape.reduce(1, *)
    return ProbeTensor.values((0..<count).map { Int16($0 * 37 % 4001 - 2000) }, shape).scaled(0.01)
  }

  static func truths(_ count: Int) -> ProbeTensor { .values((0..<count).map { $0 % 3 == 1 }) }

  static func evenNumbers(_ count: Int) -> ProbeTensor { .values((0..<count).map { Int32(2 * $0) }) }

  /// Returns numbers from 0 to below `limit`.
  static func indices(filling shape: [Int], below limit: Int) -> ProbeTensor {
    let count = shape.reduce(1, *)
    return .values(
      [Int32](unsafeUninitializedCapacity: count) { buffer, initialized in
        for index in 0..<count { buffer[index] = Int32(truncatingIfNeeded: index &* 7919 % limit) }
        initialized = count
      }, shape)
  }
}
