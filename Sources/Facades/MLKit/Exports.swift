// What ML Kit's modules hold besides the detector's own classes, so that one import serves. The modules of Swiftlet's
// tasks are not shown as a whole: their types have the same names.
@_exported public import SwiftletModelStore
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import struct SwiftletImage.YUVEncoding
@_exported public import enum SwiftletTracking.ModelFault
@_exported public import struct SwiftletTracking.ObjectLabel
@_exported public import enum SwiftletTracking.StreamPolicy
@_exported public import struct SwiftletTracking.TrackedObject
@_exported public import struct SwiftletTracking.TrackingOptions
@_exported public import struct SwiftletVision.InputNormalization
