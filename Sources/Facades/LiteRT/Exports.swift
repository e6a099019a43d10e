// What files that use LiteRT lean on, and the C types that its interface names.
@_exported public import CLiteRT
@_exported public import Foundation
