// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none: see CoreGraphics.
@_exported public import CoreGraphics
@_exported public import Foundation

open class UIImage: NSObject, @unchecked Sendable {
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }

  public init?(named name: String) { nil }
  public init?(data: Data) { nil }
  public init?(contentsOfFile path: String) { nil }
  public init(cgImage: CGImage) {}
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {}

  public var cgImage: CGImage? { nil }
  public var imageOrientation: Orientation { .up }
  public var size: CGSize { .zero }
  public var scale: CGFloat { 1 }
}
