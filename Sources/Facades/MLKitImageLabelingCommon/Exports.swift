// What options are made of, so that one import serves.
@_exported public import MLKitCommon
@_exported public import MLKitVision
