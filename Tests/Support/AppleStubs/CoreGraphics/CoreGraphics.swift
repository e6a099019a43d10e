// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none: what this package and apps' files that are tried with it name of
// it, without behaviour. Enough to check types; Tools/apple-branches/check compiles it.
@_exported public import Foundation

public class CGImage {
  public var width: Int { 0 }
  public var height: Int { 0 }
}

public class CGColorSpace {}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public enum CGImageAlphaInfo: UInt32 {
  case premultipliedLast = 1
}

public class CGContext {
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) { return nil }

  public func draw(_ image: CGImage, in rect: CGRect) {}
}
