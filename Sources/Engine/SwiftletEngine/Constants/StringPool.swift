import SwiftletBase
import SwiftletSchema

/// The strings of a model or of a session. Tensors hold their numbers, eight bytes each.
///
/// Equal strings have one number and the empty string is number 0, so that operators that only move, compare or clear
/// elements work on strings as on any other type.
package final class StringPool: Sendable {
  private struct Contents {
    var strings: [[UInt8]] = []
    var numbers: [[UInt8]: UInt64] = [:]
    var byteCount = 0
  }

  /// The strings that come first and stay: those of the model.
  private let constants: StringPool?
  private let firstNumber: UInt64
  private let contents = Mutex(Contents())
  private let byteLimit: Int
  /// The session's, when this is a session's.
  private let memory: MemoryBudget?

  /// - Parameters:
  ///   - constants: A pool whose strings keep their numbers here; nothing may be added to it any more.
  ///   - byteLimit: How many bytes of strings there may be.
  ///   - memory: What they count against besides.
  init(after constants: StringPool? = nil, byteLimit: Int, memory: MemoryBudget? = nil) {
    self.constants = constants
    firstNumber = 1 + (constants?.count ?? 0)
    self.byteLimit = max(0, byteLimit)
    self.memory = memory
  }

  deinit { memory?.refund(byteCount) }

  private var count: UInt64 { firstNumber - 1 + UInt64(contents.withLock { $0.strings.count }) }

  /// The bytes of all strings, those of the model not counted.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// Returns the number of a string, which is added if it is new.
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

  /// What a string takes besides its own bytes, about.
  private static let bytesPerString = 64

  private func known(_ string: [UInt8]) -> UInt64? {
    string.isEmpty ? 0 : constants?.known(string) ?? contents.withLock { $0.numbers[string] }
  }

  /// Returns the string that has a number; `nil` if none has.
  func string(_ number: UInt64) -> [UInt8]? {
    if number == 0 { return [] }
    if number < firstNumber { return constants?.string(number) }
    return contents.withLock { contents in
      let position = number - firstNumber
      return position < UInt64(contents.strings.count) ? contents.strings[Int(position)] : nil
    }
  }

  /// Returns the strings of a tensor that holds their numbers.
  ///
  /// - Parameters:
  ///   - limit: How many bytes they may have together, 8 for each string besides its own. Many may be the same one.
  ///   - what: The tensor, in a message.
  /// - Throws: `invalidModel` for numbers of no string, `limitExceeded` when they are too many.
  func strings(_ numbers: UnsafeRawBufferPointer, limit: Int, of what: String) throws(RuntimeError) -> [[UInt8]] {
    let numbers = numbers.assumingMemoryBound(to: UInt64.self)
    var room = limit
    // Before any memory is taken for them.
    if numbers.count > limit / 8 { room = -1 }
    var strings: [[UInt8]] = []
    for number in numbers where room >= 0 {
      guard let string = string(number) else {
        throw RuntimeError(.invalidModel, "\(what) was computed from what is no string")
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

  /// Forgets everything but the model's strings.
  func removeAll() {
    let count = contents.withLock { contents in
      defer { contents = Contents() }
      return contents.byteCount
    }
    memory?.refund(count)
  }
}

extension PackedConstants {
  /// Returns a constant of strings as a run wants it: their numbers in a pool.
  ///
  /// - Throws: `invalidModel` if the bytes do not hold as many strings as the shape says, and `limitExceeded` when
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
