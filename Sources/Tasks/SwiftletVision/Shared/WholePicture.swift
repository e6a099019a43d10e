import SwiftletImage

/// - Parameter things: what the task looks for.
/// - Throws: `TaskError` (`unsupportedRegion`) when a region of interest is given.
func requireWholePicture(_ regionOfInterest: NormalizedRect?, _ things: String) throws(TaskError) {
  guard regionOfInterest == nil else {
    throw TaskError(
      .unsupportedRegion,
      "\(things) are looked for in whole pictures; leave the region of interest out, or cut it out first")
  }
}
