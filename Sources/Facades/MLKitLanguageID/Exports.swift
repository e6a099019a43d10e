// The contents of ML Kit's module, and the modules that its headers import.
@_exported public import MLKitCommon
