package import SwiftletBase

extension ByteRegion {
  /// A copy with readable bytes behind it, for kernels that read a little further. A constant may end where its file
  /// does.
  ///
  /// - Throws: `limitExceeded` when the system has no memory of that size.
  func followedBySlack() throws(RuntimeError) -> ByteRegion {
    let block = try AlignedBytes.available(count + MemoryPlan.slackBytes, for: "constants")
    block.bytes.copyMemory(from: bytes)
    return ByteRegion(
      owner: block, bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block.bytes).prefix(count)))
  }
}

extension AlignedBytes {
  /// Stands in for the address of absent tensors.
  static let nowhere = AlignedBytes(zeroed: 64)

  /// `count` zero bytes, for sizes that a model decides.
  ///
  /// - Parameters:
  ///   - purpose: what they are for, in a message.
  ///   - isWritten: whether all of them are written soon.
  /// - Throws: `limitExceeded` when the system has no memory of that size.
  package static func available(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil, isWritten: Bool = true
  ) throws(RuntimeError) -> AlignedBytes {
    guard let block = AlignedBytes(zeroedIfAvailable: count) else {
      throw RuntimeError(
        .limitExceeded, "there is no memory for \(purpose), which take \(count) bytes", location: location)
    }
    if isWritten { block.takePages(count) }
    return block
  }
}
