// What all facades have in common. Where a name is the tasks' too, a file says which one it means by importing it alone.
@_exported public import MediaPipeTasksCommon
// What MPImage shows of the image module, so that one import serves. The tasks' own module is not shown: its types
// have the same names.
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import enum SwiftletImage.PixelFormat

// What the original's headers bring along.
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
