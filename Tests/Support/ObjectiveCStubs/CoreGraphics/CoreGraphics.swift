// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see ObjectiveC.h.
@_exported public import CoreGraphics

public struct CGFloat: Hashable, Sendable {
  public var native: Double
  public init(_ native: Double) { self.native = native }

  public static func + (left: CGFloat, right: CGFloat) -> CGFloat { CGFloat(left.native + right.native) }
}

extension Float {
  public init(_ value: CGFloat) { self.init(value.native) }
}
