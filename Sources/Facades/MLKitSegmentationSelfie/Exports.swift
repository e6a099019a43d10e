// The options of all segmenters are in one module. This module re-exports it under ML Kit's name for a part of them.
@_exported public import MLKitSegmentationCommon
