import SwiftletFlatBuffers

extension AlignedBytes {
  /// `count` zero bytes, for sizes that a model decides.
  ///
  /// - Parameters:
  ///   - purpose: what they are for, in a message.
  ///   - isWritten: whether all of them are written soon.
  /// - Throws: `limitExceeded` when the system has no memory of that size.
  static func available(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil, isWritten: Bool = true
  ) throws(RuntimeError) -> AlignedBytes {
    guard let block = AlignedBytes(zeroedIfAvailable: count) else {
      throw RuntimeError(.limitExceeded, "there is no memory for \(purpose), which take \(count) bytes", location: location)
    }
    if isWritten { block.takePages(count) }
    return block
  }
}
