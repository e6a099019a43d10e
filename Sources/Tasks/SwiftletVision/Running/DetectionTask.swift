public import SwiftletImage

/// A vision task that finds things in pictures.
public protocol DetectionTask: VisionTask {}

extension DetectionTask {
  /// Finds what the task looks for in a picture of any size, or in a part of it; blocks until done.
  ///
  /// Parameters and errors are those of ``VisionTask/result(for:regionOfInterest:at:)-8mrti``. Places of what is found are
  /// those in the whole picture.
  public func detect(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) throws(TaskError) -> Output {
    try result(for: image, regionOfInterest: regionOfInterest, at: time)
  }

  /// Finds what the task looks for in a picture of any size, or in a part of it, without blocking the thread.
  public func detect(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) async throws -> Output {
    try await result(for: image, regionOfInterest: regionOfInterest, at: time)
  }
}
