import SwiftletBase
import SwiftletSchema

extension PackedConstants {
  /// A constant of strings as a run wants it: their numbers in a pool.
  ///
  /// - Throws: `invalidModel` when the bytes do not hold as many strings as the shape says, and `limitExceeded` when
  ///   there is no room.
  static func numbered(
    _ data: ByteRegion, spec: TensorSpec, pool: StringPool, limits: RuntimeOptions.Limits, budget: inout Int,
    location: RuntimeError.Location
  ) throws -> ByteRegion {
    try limits.check(spec, "constant", at: location)
    do {
      let strings = try Tensor.strings(data, count: spec.shape.elementCount)
      let block = try expanded(8 * strings.count, limits: limits, budget: &budget, location: location)
      for (index, string) in strings.enumerated() {
        block.start.storeBytes(of: try pool.number(of: string), toByteOffset: 8 * index, as: UInt64.self)
      }
      return ByteRegion(owner: block, bytes: UnsafeRawBufferPointer(block.bytes))
    } catch {
      throw RuntimeError(
        error.code == .limitExceeded ? .limitExceeded : .invalidModel, "\(spec): \(error.message)", location: location)
    }
  }
}
