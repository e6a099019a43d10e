// The types that all facades share. Some have the same names as types of Swiftlet's tasks. A file imports such a type
// explicitly to choose one of the two.
@_exported public import MediaPipeTasksCommon
// The image types in the API of MPImage, re-exported so that one import is enough. The module of Swiftlet's tasks is
// not re-exported, because its types have the same names.
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import enum SwiftletImage.PixelFormat

// Modules that MediaPipe's headers import.
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
