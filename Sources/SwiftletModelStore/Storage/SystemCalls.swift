import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few calls of the system that Foundation has no equal for: those that files survive a crash by.
enum SystemCalls {
  /// Puts a file in another's place at once: whoever looks sees the one or the other.
  static func rename(_ path: String, to target: String) throws(ModelStoreError) {
    guard Foundation.rename(path, target) == 0 else { throw failure("cannot become \(target)", path) }
  }

  /// Waits until a file's bytes, or a folder's entries, are on the disk.
  static func sync(_ path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("cannot be written to the disk", path) }
  }

  /// Opens a file or folder and locks it, if nobody else holds a lock that excludes this one.
  ///
  /// - Returns: the descriptor, whose closing ends the lock, also when the process is killed; `nil` if another holds it, or there is nothing to lock, or what
  ///   was locked is no longer what has that path.
  static func lock(_ path: String, isShared: Bool) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0, isOpen(path, as: descriptor) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Whether the file that was opened is the one that has the path now.
  private static func isOpen(_ path: String, as descriptor: Int32) -> Bool {
    var opened = stat(), named = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  static func unlock(_ descriptor: Int32) { close(descriptor) }

  static func freeByteCount(of folder: String) -> Int64? {
    var statistics = statvfs()
    guard statvfs(folder, &statistics) == 0 else { return nil }
    let (bytes, overflow) = UInt64(statistics.f_bavail).multipliedReportingOverflow(by: UInt64(statistics.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }

  /// The size of a regular file; `nil` where there is none.
  static func byteCount(of path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  private static func failure(_ what: String, _ path: String) -> ModelStoreError {
    let number = errno
    return ModelStoreError(number == ENOSPC ? .notEnoughSpace : .storage, "\(path) \(what): \(String(cString: strerror(number)))")
  }
}

/// Keeps a model's file from being removed to make room, in this process and others, until it goes away.
final class ModelLease: Sendable {
  private let descriptor: Int32

  /// `nil` where there is no such file.
  init?(_ path: String) {
    guard let descriptor = SystemCalls.lock(path, isShared: true) else { return nil }
    self.descriptor = descriptor
  }

  deinit { SystemCalls.unlock(descriptor) }
}
