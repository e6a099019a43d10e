// What the original's framework brings along with one import: files of apps lean on it.
@_exported public import Foundation

#if canImport(CoreGraphics)
  @_exported public import CoreGraphics
#endif
#if canImport(CoreMedia)
  @_exported public import CoreMedia
#endif
#if canImport(CoreVideo)
  @_exported public import CoreVideo
#endif
#if canImport(Metal)
  @_exported public import Metal
#endif
#if canImport(UIKit)
  @_exported public import UIKit
#endif
