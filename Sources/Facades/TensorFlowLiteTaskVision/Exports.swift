// The image module, and the modules that the Task Library's framework re-exports.
@_exported public import MLImage
