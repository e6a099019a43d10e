import SwiftletBase

/// The calls on file descriptors that a command line's streams and files need.
enum SystemFile {
  /// Writes all bytes, and waits if the other side is slow.
  ///
  /// - Returns: 0, or `errno` of the failed call.
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
        // Another program can have made a shared descriptor non-blocking, such as a terminal or a pipe.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&waiting, 1, -1) < 0, errno != EINTR { return errno }
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Reads the next bytes and waits for at least one; returns none at the end of the input.
  ///
  /// - Returns: The bytes, and 0 or `errno` of the failed call.
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

  /// Returns the system's description of an error number.
  static func describe(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Returns the system's reason why `count` more files cannot be open at the same time; `nil` if they can.
  static func reasonAgainstOpening(_ count: Int) -> String? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      // A system without that file fails for another reason, which doesn't depend on the number of open files.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? describe(errno) : nil }
      opened.append(descriptor)
    }
    return nil
  }
}

/// Writes files that appear completely or not at all: each is written next to its destination under another name, and
/// then renamed.
///
/// A symbolic link is kept and its target is replaced. Anything but a regular file (a device, a pipe) cannot be
/// replaced and is written to directly.
package enum AtomicFile {
  /// The reason why a file could not be written.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): cannot be written: \(reason)" }
  }

  /// Writes `bytes` to `path` and replaces an existing file, which is kept if an error occurs.
  ///
  /// - Throws: `Failure` with the system's reason.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure(path: path, reason: "not a file name") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw Failure(path: path, reason: "is a folder") }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return try fill(open(path, O_WRONLY | O_CLOEXEC), with: bytes, path: path)
    }
    let target = exists ? resolved(path) : path
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let (descriptor, temporary) = try makeTemporary(in: folder, for: path)
    do throws(Failure) {
      if exists { fchmod(descriptor, status.st_mode & 0o7777) }
      try fill(descriptor, with: bytes, path: path)
      guard rename(temporary, target) == 0 else { throw Failure(path: path, reason: SystemFile.describe(errno)) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Returns the path with its symbolic links resolved, so that the file is replaced instead of the link.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Creates a file next to the destination, with the default permissions of a new file.
  private static func makeTemporary(in folder: String, for path: String) throws(Failure) -> (Int32, String) {
    for _ in 0..<100 {
      let name = folder + ".swiftlet-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".tmp"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, name) }
      guard errno == EEXIST else { break }
    }
    throw Failure(path: path, reason: SystemFile.describe(errno))
  }

  /// Writes and closes the file, because some systems report a full disk only on closing.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8], path: String) throws(Failure) {
    guard descriptor >= 0 else { throw Failure(path: path, reason: SystemFile.describe(errno)) }
    var number = bytes.withUnsafeBufferPointer { SystemFile.writeAll($0, to: descriptor) }
    if close(descriptor) != 0, number == 0, errno != EINTR { number = errno }
    guard number == 0 else { throw Failure(path: path, reason: SystemFile.describe(number)) }
  }
}
