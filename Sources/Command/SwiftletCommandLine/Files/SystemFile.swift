import SwiftletBase

/// The few calls on file descriptors that the streams and files of a command line need.
enum SystemFile {
  /// Writes all bytes, waiting where the other side is slow.
  ///
  /// - Returns: 0, or the number of the system's error.
  static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = UnsafeBufferPointer(rebasing: rest)
      let count = write(descriptor, chunk.baseAddress, chunk.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        return EIO
      } else if errno == EAGAIN {
        // A descriptor that someone else made non-blocking, as terminals and pipes shared with another program are.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&waiting, 1, -1) < 0, errno != EINTR { return errno }
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// What comes in next, waiting for some; empty at the end.
  ///
  /// - Returns: the bytes, and 0 or the number of the system's error.
  static func read(upTo limit: Int, from descriptor: Int32) -> (bytes: [UInt8], error: Int32) {
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(limit, 1)) { buffer, count in
      while true {
        let got = SwiftletBase.read(descriptor, buffer.baseAddress, buffer.count)
        if got >= 0 {
          count = got
          return
        }
        if errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          if poll(&waiting, 1, -1) >= 0 || errno == EINTR { continue }
        }
        guard errno == EINTR else {
          number = errno
          return
        }
      }
    }
    return (bytes, number)
  }

  /// The system's words for an error number.
  static func describe(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// The system's reason why so many more files cannot be open at the same time; `nil` if they can.
  static func reasonAgainstOpening(_ count: Int) -> String? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      // A system without that file has another reason, which says nothing about the number.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? describe(errno) : nil }
      opened.append(descriptor)
    }
    return nil
  }
}
