#if FoundationSupport
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  import SwiftletBase

  extension ImageCodecError: LocalizedError {
    /// The file if it is known, and the message.
    public var errorDescription: String? { path.map { "\($0.excerpt): \(message)" } ?? message }
  }
#endif
