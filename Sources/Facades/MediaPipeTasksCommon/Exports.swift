// What the headers of the original's modules bring along.
@_exported public import Foundation
