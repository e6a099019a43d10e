package import SwiftletBase

/// Where the strings of a string tensor lie in its bytes.
///
/// - Source: the payload is a count, count + 1 offsets (all 32-bit), then the characters.
package struct StringTensorLayout: Sendable {
  private let data: ByteRegion
  package let count: Int

  /// Checks the payload of a string tensor.
  ///
  /// - Throws: `SchemaError` when the offsets do not rise from the header's end to the end of the bytes.
  package init(_ data: ByteRegion) throws(SchemaError) {
    self.data = data
    guard let count = data.integer(UInt32.self, at: 0) else {
      throw SchemaError(.invalid, "the payload of a string tensor has at least 4 bytes, got \(data.count)")
    }
    self.count = Int(count)
    let header = 4 * (Int(count) + 2)
    guard header <= data.count else {
      throw SchemaError(
        .invalid, "\(count) strings need \(header) bytes of offsets, the payload has \(data.count) bytes")
    }
    var previous = header
    for index in 0...self.count {
      let offset = offset(index)
      guard index == 0 ? offset == header : offset >= previous, offset <= data.count else {
        throw SchemaError(
          .invalid,
          "the offset of string \(index) must lie in \(previous) ... \(data.count), got \(offset)")
      }
      previous = offset
    }
  }

  /// The bytes of string `index`, which must be less than `count`.
  package func bytes(_ index: Int) -> ByteRegion {
    precondition((0..<count).contains(index), "the index of a string must be less than the number of strings")
    return data.slice(offset: offset(index), count: offset(index + 1) - offset(index)) ?? .empty
  }

  private func offset(_ index: Int) -> Int {
    Int(data.integer(Int32.self, at: 4 + 4 * index) ?? 0)
  }
}
