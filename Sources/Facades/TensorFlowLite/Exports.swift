// Modules that TensorFlow Lite's framework re-exports, which apps rely on.
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
