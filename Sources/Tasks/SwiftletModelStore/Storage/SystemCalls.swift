public import Foundation
import SwiftletBase

/// The few system calls that Foundation has no equal for. With them files survive a crash.
enum SystemCalls {
  /// Replaces a file by another one atomically: a reader sees either the old file or the new one.
  static func rename(_ path: String, to target: String) throws(ModelStoreError) {
    guard SwiftletBase.rename(path, target) == 0 else { throw failure("cannot become \(target.excerpt)", path) }
  }

  /// Removes every write permission from a file, so that it can be mapped safely. On file systems without permissions
  /// nothing changes.
  static func forbidWriting(_ path: String) { _ = chmod(path, 0o444) }

  /// Waits until a file's bytes, or a folder's entries, are on the disk.
  static func sync(_ path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_RDONLY | careful)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("cannot be written to the disk", path) }
  }

  // MARK: Opening

  /// No link at the end of a path is followed, and nothing is waited for, as the opening of a pipe would wait for its
  /// other end.
  private static let careful = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// What a file of the store is opened for.
  enum Access {
    case reading
    /// Writing begins behind what is there.
    case appending
    /// The file must not be there yet.
    case creating(permissions: mode_t)
  }

  /// Opens a regular file of the store.
  ///
  /// - Throws: `ModelStoreError.Code.storage` for a link, a pipe, a device, a folder, and a file to write to that has
  ///   other names elsewhere.
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
      throw ModelStoreError(.storage, "\(path.excerpt) is no file of the store's own; remove it")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  // MARK: Locks

  /// Opens a file or folder and locks it, if nobody else holds a lock that excludes this one.
  ///
  /// - Returns: the descriptor, whose closing ends the lock, also when the process is killed; `nil` if another holds
  ///   it, or there is nothing to lock, or the path leads to another file than the locked one.
  /// - Throws: `ModelStoreError.Code.storage` for what cannot be locked, also not later: a link, or what may not be
  ///   read.
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

  /// The same, where it does not matter why there is no lock.
  static func lock(_ path: String, isShared: Bool) -> Int32? { (try? tryLock(path, isShared: isShared)) ?? nil }

  /// Whether the opened file still has this path.
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

  /// Whether an error's number says that there is no more room, on the disk or for its user.
  static func isFullDisk(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }
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

/// A small file with a value that only its user may read. It is always whole: a new value replaces the old atomically.
@_spi(Facades)
public struct PrivateFile: Sendable {
  private let path: String

  /// Creates a value for the file at a URL, which need not exist.
  public init(_ url: URL) { path = url.path }

  /// Returns what the file holds, or `nil` if there is no file, or another one.
  public func value<Value: Decodable>(as type: Value.Type) -> Value? { ModelFolder.value(atPath: path) }

  /// Writes a value, and creates the folder of the file first.
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
