import SwiftletBase
import SwiftletSchema

/// The strings of a model or of a session. Tensors contain their IDs, eight bytes each.
///
/// Equal strings have the same ID, and the empty string has ID 0. So operators that only move, compare, or clear
/// elements work on strings like on any other type.
package final class StringPool: Sendable {
  private struct Contents {
    var strings: [[UInt8]] = []
    var numbers: [[UInt8]: UInt64] = [:]
    var byteCount = 0
  }

  /// The permanent strings of the model, which have the first IDs.
  private let constants: StringPool?
  private let firstNumber: UInt64
  private let contents = Mutex(Contents())
  private let byteLimit: Int
  /// The budget of the session, if this is a session's pool.
  private let memory: MemoryBudget?

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - constants: A pool whose strings keep their IDs in the new pool. It must not change anymore.
  ///   - byteLimit: The maximum size of the strings in bytes.
  ///   - memory: An additional budget for the strings.
  init(after constants: StringPool? = nil, byteLimit: Int, memory: MemoryBudget? = nil) {
    self.constants = constants
    firstNumber = 1 + (constants?.count ?? 0)
    self.byteLimit = max(0, byteLimit)
    self.memory = memory
  }

  deinit { memory?.refund(byteCount) }

  private var count: UInt64 { firstNumber - 1 + UInt64(contents.withLock { $0.strings.count }) }

  /// The size of all strings in bytes, excluding the strings of the model.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// Returns the ID of a string, which is added if it is new.
  ///
  /// - Throws: `limitExceeded` if there is no room for it.
  func number(of string: [UInt8]) throws(RuntimeError) -> UInt64 {
    if let known = known(string) { return known }
    let size = string.count + Self.bytesPerString
    try memory?.charge(size, for: "strings")
    let number: UInt64? = contents.withLock {
      guard size <= byteLimit - $0.byteCount else { return nil }
      $0.byteCount += size
      $0.strings.append(string)
      let number = firstNumber + UInt64($0.strings.count) - 1
      $0.numbers[string] = number
      return number
    }
    guard let number else {
      memory?.refund(size)
      throw RuntimeError(
        .limitExceeded,
        "strings take more than the limit of \(byteLimit) bytes; raise RuntimeOptions.limits.stringBytes if this is intended"
      )
    }
    return number
  }

  /// The approximate overhead per string in bytes.
  private static let bytesPerString = 64

  private func known(_ string: [UInt8]) -> UInt64? {
    string.isEmpty ? 0 : constants?.known(string) ?? contents.withLock { $0.numbers[string] }
  }

  /// Returns the string with an ID, or `nil` if there is none.
  func string(_ number: UInt64) -> [UInt8]? {
    if number == 0 { return [] }
    if number < firstNumber { return constants?.string(number) }
    return contents.withLock { contents in
      let position = number - firstNumber
      return position < UInt64(contents.strings.count) ? contents.strings[Int(position)] : nil
    }
  }

  /// Returns the strings of a tensor of string IDs.
  ///
  /// - Parameters:
  ///   - limit: The maximum total size in bytes, including 8 bytes per string. Repeated strings count each time.
  ///   - what: The tensor, for messages.
  /// - Throws: `invalidModel` for invalid string IDs, and `limitExceeded` if the strings are too large.
  func strings(_ numbers: UnsafeRawBufferPointer, limit: Int, of what: String) throws(RuntimeError) -> [[UInt8]] {
    let numbers = numbers.assumingMemoryBound(to: UInt64.self)
    var room = limit
    // Check the count before allocating memory.
    if numbers.count > limit / 8 { room = -1 }
    var strings: [[UInt8]] = []
    for number in numbers where room >= 0 {
      guard let string = string(number) else {
        throw RuntimeError(.invalidModel, "\(what) was computed from a value that is not a string")
      }
      room -= string.count + 8
      strings.append(string)
    }
    guard room >= 0 else {
      throw RuntimeError(
        .limitExceeded,
        "the strings of \(what) take more than the limit of \(limit) bytes; raise RuntimeOptions.limits.stringBytes if this is intended"
      )
    }
    return strings
  }

  /// Removes all strings except those of the model.
  func removeAll() {
    let count = contents.withLock { contents in
      defer { contents = Contents() }
      return contents.byteCount
    }
    memory?.refund(count)
  }
}

extension PackedConstants {
  /// Returns a string constant in its run-time form, as IDs in a pool.
  ///
  /// - Throws: `invalidModel` if the number of strings doesn't match the shape, and `limitExceeded` if there is no
  ///   room.
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
