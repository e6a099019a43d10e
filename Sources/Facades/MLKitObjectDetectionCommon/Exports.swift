// What options and results are made of, so that one import serves.
@_exported public import MLKitCommon
@_exported public import MLKitVision
@_exported public import enum SwiftletTracking.StreamPolicy
@_exported public import struct SwiftletTracking.TrackingOptions
