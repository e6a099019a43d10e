public import Foundation
public import SwiftletImage

// Here, as the library of pictures does without Foundation.
extension ImageError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
