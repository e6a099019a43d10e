// Images, orientations and model options are part of what a user writes, so that one import serves.
@_exported public import SwiftletVision
