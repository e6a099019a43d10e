// All ML Kit modules of this package, like the modules in ML Kit's umbrella header.
@_exported public import MLImage
@_exported public import MLKitCommon
@_exported public import MLKitFaceDetection
@_exported public import MLKitImageLabeling
@_exported public import MLKitImageLabelingCommon
@_exported public import MLKitImageLabelingCustom
@_exported public import MLKitLanguageID
@_exported public import MLKitObjectDetection
@_exported public import MLKitObjectDetectionCommon
@_exported public import MLKitObjectDetectionCustom
@_exported public import MLKitPoseDetection
@_exported public import MLKitPoseDetectionAccurate
@_exported public import MLKitPoseDetectionCommon
@_exported public import MLKitSegmentationCommon
@_exported public import MLKitSegmentationSelfie
@_exported public import MLKitVision
