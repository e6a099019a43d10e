// The options of all pose detectors are in one module. This module re-exports it under ML Kit's name for a part of them.
@_exported public import MLKitPoseDetectionCommon
