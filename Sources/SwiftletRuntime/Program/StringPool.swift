import Synchronization

/// The strings of a model or of a session. Tensors hold their numbers, eight bytes each.
///
/// Equal strings have one number and the empty string is number 0, so that operators that only move, compare or clear elements work on strings
/// as on any other type.
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

  /// - Parameters:
  ///   - constants: a pool whose strings keep their numbers here; nothing may be added to it any more.
  ///   - byteLimit: how many bytes of strings there may be.
  package init(after constants: StringPool? = nil, byteLimit: Int) {
    self.constants = constants
    firstNumber = 1 + (constants?.count ?? 0)
    self.byteLimit = byteLimit
  }

  private var count: UInt64 { firstNumber - 1 + UInt64(contents.withLock { $0.strings.count }) }

  /// The bytes of all strings, those of the model not counted.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// The number of a string, which is added if it is new.
  ///
  /// - Throws: `limitExceeded` when there is no room for it.
  func number(of string: [UInt8]) throws(RuntimeError) -> UInt64 {
    if let known = known(string) { return known }
    let number: UInt64? = contents.withLock {
      guard $0.byteCount + string.count + 64 <= byteLimit else { return nil }
      $0.byteCount += string.count + 64
      $0.strings.append(string)
      let number = firstNumber + UInt64($0.strings.count) - 1
      $0.numbers[string] = number
      return number
    }
    guard let number else {
      throw RuntimeError(
        .limitExceeded,
        "strings take more than the limit of \(byteLimit) bytes; raise RuntimeOptions.limits.arenaBytes if that is meant")
    }
    return number
  }

  private func known(_ string: [UInt8]) -> UInt64? {
    string.isEmpty ? 0 : constants?.known(string) ?? contents.withLock { $0.numbers[string] }
  }

  /// The string that has a number; `nil` when none has.
  func string(_ number: UInt64) -> [UInt8]? {
    if number == 0 { return [] }
    if number < firstNumber { return constants?.string(number) }
    return contents.withLock { contents in
      let position = number - firstNumber
      return position < UInt64(contents.strings.count) ? contents.strings[Int(position)] : nil
    }
  }

  /// Forgets everything but the model's strings.
  func removeAll() { contents.withLock { $0 = Contents() } }
}
