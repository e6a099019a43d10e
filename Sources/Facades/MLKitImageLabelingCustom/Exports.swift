// The options of all labelers are in one module, which this one shows under the name that ML Kit has for a part of
// them.
@_exported public import MLKitImageLabelingCommon
