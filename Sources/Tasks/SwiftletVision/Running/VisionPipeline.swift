import Foundation

/// One task's steps from a picture to its result.
///
/// - Thread safety: one caller at a time; ``VisionTaskRunner`` sees to that.
protocol VisionPipeline<Output>: AnyObject, SendableMetatype {
  associatedtype Output: Sendable

  /// What the task can make use of a whole picture.
  var detail: PictureDetail { get }

  /// - Parameters:
  ///   - image: a picture in a supported orientation.
  ///   - regionOfInterest: what to look at, in coordinates of the stored picture; `nil` for all of it.
  ///   - timestamp: the time of the picture, larger than that of the last one; to be written into the
  ///     result.
  /// - Throws: `TaskError`; the pipeline stays usable.
  func process(_ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration) throws -> Output
}

extension VisionPipeline {
  var detail: PictureDetail { .parts }
}
