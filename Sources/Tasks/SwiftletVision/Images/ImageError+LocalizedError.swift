#if FoundationSupport
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  public import SwiftletImage

  // The conformance is in this module because SwiftletImage does not use Foundation.
  extension ImageError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
  }
#endif
