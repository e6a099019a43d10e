// Modules that code for LiteRT relies on, and the C types in LiteRT's API.
@_exported public import CLiteRT
@_exported public import Foundation
