// What the original's headers bring along: MLImage shows Apple's modules. The modules of Swiftlet's tasks are not shown
// as a whole: their types have the same names.
@_exported public import MLImage
@_exported public import MLKitCommon
@_exported public import struct SwiftletImage.YUVEncoding
