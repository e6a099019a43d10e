// The contents of ML Kit's module, and the modules with types in the options and results.
@_exported public import MLKitCommon
@_exported public import MLKitVision
