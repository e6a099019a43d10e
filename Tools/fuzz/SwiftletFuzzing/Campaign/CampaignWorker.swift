import Foundation

/// The process that tries some cases, one after the other, and tells on standard output where it is.
package enum CampaignWorker {
  /// What a case came to. Its raw value is what the worker writes.
  package enum Outcome: UInt8, Sendable, CaseIterable {
    /// The bytes are no model.
    case unread
    /// The model is refused, or none of its entry points runs to the end.
    case refused
    case ran
  }

  /// Tries the cases `numbers`: before each it writes its number in eight bytes, after each its outcome in one.
  package static func run(_ kind: CampaignKind, seed: UInt64, _ numbers: Range<Int>, watch: CaseWatch) {
    for number in numbers {
      write(withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) })
      let bytes = kind.model(seed: seed, case: number)
      watch.begin()
      let outcome = kind.outcome(bytes)
      watch.end()
      write([outcome.rawValue])
    }
  }

  private static func write(_ bytes: [UInt8]) { _ = Foundation.write(1, bytes, bytes.count) }
}
