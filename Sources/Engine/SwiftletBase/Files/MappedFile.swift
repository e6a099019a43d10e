/// Access to files as byte regions.
package enum MappedFile {
  /// Returns the contents of the file at `path`. The file is mapped if nobody may write to it and its owner is the
  /// process's user or the administrator; otherwise it is copied.
  ///
  /// A mapping reflects later changes of the file. If another program rewrites the file, bytes change after they were
  /// validated. If it shortens the file, the system ends the process as soon as it accesses a page past the end.
  ///
  /// - Throws: `FileError`, as `map` and `read` do.
  package static func open(_ path: String) throws(FileError) -> ByteRegion {
    let file = try OpenFile(path)
    return try file.isFixed ? map(file, path) : read(file, path)
  }

  /// Returns the file at `path`, mapped read-only. The system reads each page on first access.
  ///
  /// The file must not be shortened or rewritten during the lifetime of the region; see `open`.
  ///
  /// - Throws: `FileError` if the file doesn't exist, is a directory or a device, is empty, or can't be read by the
  ///   process.
  package static func map(_ path: String) throws(FileError) -> ByteRegion { try map(try OpenFile(path), path) }

  private static func map(_ file: borrowing OpenFile, _ path: String) throws(FileError) -> ByteRegion {
    guard let address = mmap(nil, file.byteCount, PROT_READ, MAP_PRIVATE, file.descriptor, 0), address != MAP_FAILED
    else {
      throw FileError(
        code: .unreadable, message: "cannot map \"\(path.excerpt)\" into memory (system error \(errno))", path: path)
    }
    let mapping = Mapping(address: address, byteCount: file.byteCount)
    return ByteRegion(owner: mapping, bytes: UnsafeRawBufferPointer(start: address, count: file.byteCount))
  }

  /// Returns a copy of the file at `path` in memory.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The maximum accepted file size.
  ///   - followsLinks: Whether to follow a symbolic link in the last path component.
  /// - Throws: `FileError` as `map` does, and if the file is larger than `maximumByteCount`.
  package static func read(_ path: String, maximumByteCount: Int = .max, followsLinks: Bool = true) throws(FileError)
    -> ByteRegion
  {
    let file = try OpenFile(path, followsLinks: followsLinks)
    guard file.byteCount <= maximumByteCount else {
      throw FileError(
        code: .tooLarge,
        message:
          "\"\(path.excerpt)\" has \(file.byteCount) bytes; the limit for this kind of file is \(maximumByteCount)",
        path: path)
    }
    return try read(file, path)
  }

  private static func read(_ file: borrowing OpenFile, _ path: String) throws(FileError) -> ByteRegion {
    guard let storage = AlignedBytes(zeroedIfAvailable: file.byteCount) else {
      throw FileError(
        code: .tooLarge, message: "cannot allocate the \(file.byteCount) bytes of \"\(path.excerpt)\"",
        path: path)
    }
    storage.takePages(file.byteCount)
    var filled = 0
    while filled < file.byteCount, let start = storage.bytes.baseAddress {
      let count = SwiftletBase.read(file.descriptor, start + filled, file.byteCount - filled)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw FileError(
          code: .unreadable,
          message: count == 0
            ? "\"\(path.excerpt)\" was shortened while it was read; try again when it is complete"
            : "cannot read \"\(path.excerpt)\" (system error \(errno))",
          path: path)
      }
      filled += count
    }
    return ByteRegion(owner: storage, bytes: UnsafeRawBufferPointer(storage.bytes))
  }
}

/// An open, nonempty regular file that is closed at the end of its lifetime.
private struct OpenFile: ~Copyable {
  let descriptor: Int32
  let byteCount: Int
  /// Whether nobody may write to the file and its owner is the process's user or the administrator. Only this owner can
  /// change its permissions.
  let isFixed: Bool

  init(_ path: String, followsLinks: Bool = true) throws(FileError) {
    // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw Self.openingError(errno, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw FileError(
        code: .unreadable, message: "cannot examine \"\(path.excerpt)\" (system error \(number))", path: path)
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else {
      close(descriptor)
      let what = kind == S_IFDIR ? "is a directory" : "is not a regular file"
      throw FileError(code: .notAFile, message: "\"\(path.excerpt)\" \(what); expected a file", path: path)
    }
    guard status.st_size > 0, let byteCount = Int(exactly: status.st_size) else {
      close(descriptor)
      throw FileError(
        code: .empty, message: "\"\(path.excerpt)\" is empty; was it downloaded or copied completely?", path: path)
    }
    self.descriptor = descriptor
    self.byteCount = byteCount
    isFixed = status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) == 0 && (status.st_uid == 0 || status.st_uid == geteuid())
  }

  private static func openingError(_ number: Int32, _ path: String) -> FileError {
    switch number {
    case ENOENT, ENOTDIR:
      FileError(code: .notFound, message: "there is no file \"\(path.excerpt)\"", path: path)
    case ELOOP:
      FileError(code: .notAFile, message: "\"\(path.excerpt)\" is a symbolic link; expected a file", path: path)
    case EACCES, EPERM:
      FileError(code: .permissionDenied, message: "no permission to read \"\(path.excerpt)\"", path: path)
    default:
      FileError(code: .unreadable, message: "cannot open \"\(path.excerpt)\" (system error \(number))", path: path)
    }
  }

  deinit { close(descriptor) }
}

/// The owner of a mapping, which ends with it. Unchecked `Sendable` because the memory is read-only.
private final class Mapping: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer
  private let byteCount: Int

  init(address: UnsafeMutableRawPointer, byteCount: Int) {
    self.address = address
    self.byteCount = byteCount
  }

  deinit { munmap(address, byteCount) }

  func drop(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let first = start - UnsafeRawPointer(address)
    let lower = (first + page - 1) / page * page, upper = (first + bytes.count) / page * page
    guard first >= 0, first + bytes.count <= byteCount, lower < upper else { return }
    madvise(address + lower, upper - lower, MADV_DONTNEED)
  }
}

extension ByteRegion {
  /// Releases the memory of all whole pages of a mapped file. The system reads them again on the next access. Other
  /// memory is kept.
  package func dropPages() { (owner as? Mapping)?.drop(bytes) }
}

/// An error that occurred when a file was opened for reading.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    case notFound
    case notAFile
    case empty
    case permissionDenied
    case tooLarge
    case unreadable
  }

  package var code: Code
  /// The message, which names the file, the problem, and the fix.
  package var message: String
  /// The path as passed by the caller.
  package var path: String

  package init(code: Code, message: String, path: String) {
    self.code = code
    self.message = message.sanitized
    self.path = path
  }

  package var description: String { message }
}

/// The kind of file at a path.
package enum PathKind {
  case file(byteCount: Int64)
  case folder
  /// A symbolic link, a pipe, a socket, or a device.
  case other

  /// Creates the kind of the file at a path, or returns `nil` if there is nothing at the path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - followsLinks: Whether to follow a symbolic link in the last path component.
  package init?(of path: String, followsLinks: Bool = false) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(byteCount: Int64(status.st_size))
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }

  /// Returns the size of a regular file, or `nil` if there is none at the path.
  package static func byteCount(of path: String, followsLinks: Bool = false) -> Int64? {
    if case .file(let byteCount)? = PathKind(of: path, followsLinks: followsLinks) { byteCount } else { nil }
  }
}
