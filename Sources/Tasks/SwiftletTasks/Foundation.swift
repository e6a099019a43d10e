#if FoundationSupport
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension ModelSource {
    /// Returns a source for the file at a URL. Loading throws an error for a URL that isn't a file URL.
    public static func url(_ url: URL) -> ModelSource {
      url.isFileURL ? .file(url.path) : .remoteURL(url.absoluteString)
    }
  }

  extension TaskError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
  }
#endif
