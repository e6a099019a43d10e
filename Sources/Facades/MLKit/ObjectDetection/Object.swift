public import SwiftletTracking

#if canImport(ObjectiveC)
  public import Foundation
#endif

/// How pictures come to a detector: `.stream` (the default) or `.singleImage`, with ML Kit's raw values.
public typealias ObjectDetectorMode = ObjectTrackerMode

/// An object in a picture: `frame`, `trackingID` and `labels` as in ML Kit, and more.
public typealias Object = TrackedObject

/// Receives a picture's objects, or an error. An empty list is no error: nothing was found.
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

#if canImport(ObjectiveC)
  extension TrackedObject {
    /// `trackingID` as ML Kit's type.
    public var trackingIDNumber: NSNumber? { trackingID.map { NSNumber(value: $0) } }
  }
#endif
