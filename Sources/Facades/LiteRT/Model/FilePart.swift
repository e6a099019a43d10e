import SwiftletBase

/// A part of an open file.
enum FilePart {
  /// - Throws: `LiteRtError.fileIO` when the file cannot be read, or ends before the part does.
  static func read(_ descriptor: Int32, offset: Int, size: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // In pieces, so that no more memory is taken than the file has bytes, whatever the size says.
    var piece = [UInt8](repeating: 0, count: min(size, 1 << 20))
    while bytes.count < size {
      let wanted = min(piece.count, size - bytes.count)
      let (position, overflow) = offset.addingReportingOverflow(bytes.count)
      guard !overflow, let place = off_t(exactly: position) else { throw LiteRtError.fileIO }
      let count = pread(descriptor, &piece, wanted, place)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LiteRtError.fileIO }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}
