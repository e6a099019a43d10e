#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

extension Model {
  /// Creates a model from the file at a file URL, as `init(contentsOf:)` does for a path.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for a URL that is not a file's, and as `init(contentsOf:)`.
  public init(contentsOf url: URL, access: FileAccess = .automatic) throws(RuntimeError) {
    guard url.isFileURL else {
      throw RuntimeError(
        .invalidArgument, "\(url.absoluteString) is not a file URL; download the model first and give the file's URL")
    }
    try self.init(contentsOf: url.path, access: access)
  }

  /// Creates a model from `data`, which is copied.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with the bytes.
  public init(data: Data) throws(RuntimeError) {
    try self.init(bytes: [UInt8](data))
  }
}

extension RuntimeError: LocalizedError {
  /// `description`: Foundation would otherwise say that the operation could not be completed.
  public var errorDescription: String? { description }
}
