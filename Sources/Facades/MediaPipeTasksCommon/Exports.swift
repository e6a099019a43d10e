// Modules that the headers of MediaPipe's modules import.
@_exported public import Foundation
