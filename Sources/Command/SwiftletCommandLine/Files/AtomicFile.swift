import SwiftletBase

/// Files that appear whole or not at all: written beside their place under another name, then renamed.
///
/// A symbolic link keeps pointing where it does, its target is replaced. What is not a regular file (a device, a pipe)
/// cannot be replaced and is written to directly.
package enum AtomicFile {
  /// Why a file could not be written.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): cannot be written: \(reason)" }
  }

  /// Writes `bytes` to `path`, in place of what is there; on an error what was there stays.
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

  /// Where the links of `path` lead, so that the file is replaced and not the link.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// A new file beside the target, with the permissions that a new file gets.
  private static func makeTemporary(in folder: String, for path: String) throws(Failure) -> (Int32, String) {
    for _ in 0..<100 {
      let name = folder + ".swiftlet-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".tmp"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, name) }
      guard errno == EEXIST else { break }
    }
    throw Failure(path: path, reason: SystemFile.describe(errno))
  }

  /// Writes and closes; a full disk may only show when closing.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8], path: String) throws(Failure) {
    guard descriptor >= 0 else { throw Failure(path: path, reason: SystemFile.describe(errno)) }
    var number = bytes.withUnsafeBufferPointer { SystemFile.writeAll($0, to: descriptor) }
    if close(descriptor) != 0, number == 0, errno != EINTR { number = errno }
    guard number == 0 else { throw Failure(path: path, reason: SystemFile.describe(number)) }
  }
}
