// What all façades have in common. Where a name is the tasks' too, a file says which one it means by importing it alone.
@_exported public import MediaPipeTasksCommon
// What MPImage shows of the picture module, so that one import serves. The tasks' own module is not shown: its types
// have the same names.
@_exported public import struct SwiftletImage.ImageBuffer
@_exported public import enum SwiftletImage.ImageOrientation
@_exported public import enum SwiftletImage.PixelFormat
