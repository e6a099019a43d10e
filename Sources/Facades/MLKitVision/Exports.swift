// Modules that ML Kit's headers import: MLImage re-exports Apple's. The modules of Swiftlet's tasks are not re-exported
// as a whole, because their types have the same names.
@_exported public import MLImage
@_exported public import MLKitCommon
@_exported public import struct SwiftletImage.YUVEncoding
