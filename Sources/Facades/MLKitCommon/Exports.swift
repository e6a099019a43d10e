// The contents of ML Kit's module, and the modules that its headers import.
@_exported public import Foundation
@_exported public import class SwiftletModelStore.ModelStore
@_exported public import struct SwiftletModelStore.ModelStoreError
@_exported public import struct SwiftletModelStore.ModelStoreOptions
@_exported public import enum SwiftletTracking.ModelFault
@_exported public import struct SwiftletVision.InputNormalization
