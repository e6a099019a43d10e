#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SwiftletImage

// Here, as the library of pictures does without Foundation.
extension ImageError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
