// Modules that the header of Google's library imports, and the type of images from memory.
@_exported public import Foundation
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import enum SwiftletImage.PixelFormat

#if canImport(CoreGraphics)
  @_exported public import CoreGraphics
#endif
#if canImport(CoreMedia)
  @_exported public import CoreMedia
#endif
#if canImport(CoreVideo)
  @_exported public import CoreVideo
#endif
#if canImport(UIKit)
  @_exported public import UIKit
#endif
