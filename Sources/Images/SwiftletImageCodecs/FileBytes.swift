import SwiftletBase

/// Reads whole files without Foundation.
enum FileBytes {
  static func read(path: String, maximumByteCount: Int) throws(ImageCodecError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, "cannot be opened", errno) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, "cannot be inspected", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is no regular file"
      throw ImageCodecError(
        code: .unreadableFile, message: "the path \(kind); give the path of a PNG or JPEG file", path: path)
    }
    let size = Int(status.st_size)
    guard size <= maximumByteCount else {
      throw ImageCodecError(
        code: .limitExceeded,
        message: """
          the file has \(size) bytes, but at most \(maximumByteCount) are read; \
          raise ImageDecoderLimits.maximumFileByteCount if the file is trusted
          """,
        path: path)
    }
    return try ImageCodecError.wrapping {
      try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          guard let target = rest.baseAddress else { break }
          let got = SwiftletBase.read(descriptor, target, rest.count)
          if got < 0, errno == EINTR { continue }
          guard got >= 0 else { throw unreadable(path, "cannot be read", errno) }
          // Shorter than announced: somebody is writing to it. The decoder will say that it is truncated.
          if got == 0 { break }
          count += got
        }
      }
    }
  }

  private static func unreadable(_ path: String, _ what: String, _ number: Int32) -> ImageCodecError {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return ImageCodecError(code: .unreadableFile, message: "the file \(what): \(reason)", path: path)
  }
}
