// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see CoreGraphics.
@_exported public import CoreGraphics
@_exported public import Foundation

open class UIImage: NSObject, @unchecked Sendable {
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }

  public let cgImage: CGImage?
  public let imageOrientation: Orientation
  public let scale: CGFloat

  /// Creates an image without a bitmap.
  public override init() { (cgImage, imageOrientation, scale) = (nil, .up, 1) }
  public init?(named name: String) { nil }
  public init?(data: Data) { nil }
  public init?(contentsOfFile path: String) { nil }
  public init(cgImage: CGImage) { (self.cgImage, imageOrientation, scale) = (cgImage, .up, 1) }
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    (self.cgImage, imageOrientation, self.scale) = (cgImage, orientation, scale)
  }

  /// The displayed size in points.
  public var size: CGSize {
    guard let cgImage else { return .zero }
    let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
    switch imageOrientation {
    case .left, .leftMirrored, .right, .rightMirrored: return CGSize(width: height, height: width)
    case .up, .upMirrored, .down, .downMirrored: return CGSize(width: width, height: height)
    }
  }
}
