/// The kind of file at a path.
package enum PathKind {
  case file(byteCount: Int64)
  case folder
  /// A link, a pipe, a socket, or a device.
  case other

  /// Returns `nil` if there is nothing at the path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - followsLinks: Whether a link at the end of the path stands for its target.
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
