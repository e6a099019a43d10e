public import Foundation
import SwiftletBase

/// Wrappers for system calls without an equivalent in Foundation. They make files survive a crash.
enum SystemCalls {
  /// Replaces a file by another one atomically: a reader sees either the old file or the new one.
  static func rename(_ path: String, to target: String) throws(ModelStoreError) {
    guard SwiftletBase.rename(path, target) == 0 else { throw failure("cannot become \(target.excerpt)", path) }
  }

  /// Removes all write permissions from a file, so that it can be mapped safely. This has no effect on file systems
  /// without permissions.
  static func forbidWriting(_ path: String) { _ = chmod(path, 0o444) }

  /// Waits until the contents of a file, or the entries of a directory, are on disk.
  static func sync(_ path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_RDONLY | careful)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("cannot be written to the disk", path) }
  }

  // MARK: Opening

  /// The flags for opening untrusted paths: a symbolic link as the last component is not followed, and the call doesn't
  /// block, as it would when it opens a pipe.
  private static let careful = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// The access mode of a file in the store.
  enum Access {
    case reading
    /// Appending to an existing file.
    case appending
    /// Creating a file, which must not exist yet.
    case creating(permissions: mode_t)
  }

  /// Opens a regular file of the store.
  ///
  /// - Throws: `ModelStoreError.Code.storage` for a symbolic link, a pipe, a device, a directory, and, for appending, a
  ///   file with other hard links.
  static func openFile(_ path: String, for access: Access) throws(ModelStoreError) -> FileHandle {
    let descriptor =
      switch access {
      case .reading: open(path, O_RDONLY | careful)
      case .appending: open(path, O_WRONLY | O_APPEND | careful)
      case .creating(let permissions): open(path, O_WRONLY | O_CREAT | O_EXCL | careful, permissions)
      }
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    var status = stat()
    var isOurs = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if case .appending = access { isOurs = isOurs && status.st_nlink == 1 }
    guard isOurs else {
      close(descriptor)
      throw ModelStoreError(.storage, "\(path.excerpt) is not a file of the store; remove it")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  // MARK: Locks

  /// Opens a file or directory and locks it, unless there is a conflicting lock.
  ///
  /// - Returns: The file descriptor, which holds the lock until it is closed, even if the process is killed; `nil` if
  ///   there is a conflicting lock or no such file, or if the path now refers to another file than the locked one.
  /// - Throws: `ModelStoreError.Code.storage` for paths that can never be locked: a symbolic link, or a file without
  ///   read permission.
  static func tryLock(_ path: String, isShared: Bool) throws(ModelStoreError) -> Int32? {
    let descriptor = open(path, O_RDONLY | careful)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("cannot be opened", path)
    }
    guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      let number = errno
      close(descriptor)
      if [EWOULDBLOCK, EINTR].contains(number) { return nil }
      throw failure("cannot be locked", path, number)
    }
    guard isOpen(path, as: descriptor) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Locks a file or directory as ``tryLock(_:isShared:)`` does, and returns `nil` for every error.
  static func lock(_ path: String, isShared: Bool) -> Int32? { (try? tryLock(path, isShared: isShared)) ?? nil }

  /// Returns whether the opened file still has this path.
  private static func isOpen(_ path: String, as descriptor: Int32) -> Bool {
    var opened = stat(), named = stat()
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
      && opened.st_dev == named.st_dev
  }

  static func unlock(_ descriptor: Int32) { close(descriptor) }

  static func freeByteCount(of folder: String) -> Int64? {
    var statistics = statvfs()
    guard statvfs(folder, &statistics) == 0 else { return nil }
    let (bytes, overflow) = UInt64(statistics.f_bavail).multipliedReportingOverflow(by: UInt64(statistics.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }

  private static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> ModelStoreError {
    let isFull = isFullDisk(number)
    return ModelStoreError(
      isFull ? .notEnoughSpace : .storage, "\(path.excerpt) \(what): \(String(cString: strerror(number)))")
  }

  /// Returns whether an error number means that the disk, or the user's quota, is full.
  static func isFullDisk(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }
}

/// A lease that protects a model's file from being removed to make room, by this process and others, until it is
/// released.
final class ModelLease: Sendable {
  private let descriptor: Int32

  /// Creates a lease. Returns `nil` if there is no such file.
  init?(_ path: String) {
    guard let descriptor = SystemCalls.lock(path, isShared: true) else { return nil }
    self.descriptor = descriptor
  }

  deinit { SystemCalls.unlock(descriptor) }
}

/// A small file with a value that only its user may read. It is always complete: a new value replaces the old one
/// atomically.
@_spi(Facades)
public struct PrivateFile: Sendable {
  private let path: String

  /// Creates a value for the file at a URL. The file need not exist.
  public init(_ url: URL) { path = url.path }

  /// Returns the value in the file, or `nil` if there is no file, or it has other contents.
  public func value<Value: Decodable>(as type: Value.Type) -> Value? { ModelFolder.value(atPath: path) }

  /// Writes a value, and creates the directory of the file first.
  ///
  /// - Throws: ``ModelStoreError/Code/storage``, ``ModelStoreError/Code/notEnoughSpace``.
  public func write(_ value: some Encodable) throws(ModelStoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    } catch {
      throw ModelFolder.failure(error, "\(path) cannot be written")
    }
    let temporary = path + ".new"
    try ModelFolder.write(value, toNew: temporary, for: path, permissions: 0o600)
    try SystemCalls.rename(temporary, to: path)
  }
}
