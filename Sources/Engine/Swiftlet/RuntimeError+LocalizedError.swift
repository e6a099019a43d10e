#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

extension RuntimeError: LocalizedError {
  /// `description`: Foundation would otherwise say that the operation could not be completed.
  public var errorDescription: String? { description }
}
