// What the original's headers bring along, and what pictures from memory are made of. The modules of Swiftlet's tasks
// are not shown as a whole: their types have the same names.
@_exported public import Foundation
@_exported public import MLImage
@_exported public import MLKitCommon
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import struct SwiftletImage.YUVEncoding

#if canImport(CoreGraphics)
  @_exported public import CoreGraphics
#endif
#if canImport(CoreMedia)
  @_exported public import CoreMedia
#endif
#if canImport(UIKit)
  @_exported public import UIKit
#endif
