#if FoundationSupport
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension Model {
    /// Creates a model from the file at a file URL, with the rules of `init(contentsOf:)` for a path.
    ///
    /// - Throws: `RuntimeError` (`invalidArgument`) if the URL isn't a file URL, and the errors of `init(contentsOf:)`.
    public init(contentsOf url: URL, access: FileAccess = .automatic) throws(RuntimeError) {
      guard url.isFileURL else {
        throw RuntimeError(
          .invalidArgument, "\(url.absoluteString) is not a file URL; download the model first and give the file's URL")
      }
      try self.init(contentsOf: url.path, access: access)
    }

    /// Creates a model from a copy of `data`.
    ///
    /// - Throws: `RuntimeError` (`invalidModel`) that describes the error in the bytes.
    public init(data: Data) throws(RuntimeError) {
      try self.init(bytes: [UInt8](data))
    }
  }

  extension RuntimeError: LocalizedError {
    /// The value of `description`. Without it, Foundation reports that the operation couldn't be completed.
    public var errorDescription: String? { description }
  }
#endif
