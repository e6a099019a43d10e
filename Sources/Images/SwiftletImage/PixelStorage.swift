/// Where the bytes of a picture live.
enum PixelStorage: Sendable {
  case owned([UInt8])
  case borrowed(BorrowedBytes)

  @inline(__always)
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .owned(let bytes):
      return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    case .borrowed(let borrowed):
      // The owner must outlive the call, not only the last use of `borrowed` that the optimizer sees.
      defer { withExtendedLifetime(borrowed) {} }
      return try body(borrowed.bytes)
    }
  }
}

/// Bytes that belong to somebody else, with the object that keeps them valid.
///
/// Unchecked because a raw pointer is never `Sendable`: the initialiser of `ImageBuffer` that makes this asks its
/// caller to promise that nobody writes to the bytes while the owner is held, and this type only ever reads.
final class BorrowedBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let owner: any AnyObject & Sendable

  init(bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }
}
