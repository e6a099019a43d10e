// The public API of the engine: everything a program needs to load and run a model.
@_exported public import SwiftletEngine
@_exported public import SwiftletOperators
