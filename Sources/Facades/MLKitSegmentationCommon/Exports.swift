// Modules with types in the options and results, re-exported so that one import is enough.
@_exported public import MLKitCommon
@_exported public import MLKitVision
@_exported public import struct SwiftletVision.ConfidenceMask
