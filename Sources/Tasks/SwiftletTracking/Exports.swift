// Images, orientations, and model options are part of the tracking API, re-exported so that one import is enough.
@_exported public import SwiftletVision
