import Foundation

/// The process that runs several cases, one after the other, and reports its progress on standard output.
package enum CampaignWorker {
  /// The outcome of a case. The worker writes its raw value.
  package enum Outcome: UInt8, Sendable, CaseIterable {
    /// The bytes aren't a model.
    case unread
    /// The model is rejected, or none of its signatures runs to the end.
    case refused
    case ran
  }

  /// Runs the cases `numbers`: writes the number in eight bytes before each case, and the outcome in one byte after it.
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
