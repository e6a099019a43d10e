/// The options of an interactive segmenter.
public typealias InteractiveSegmenterOptions = InteractiveSegmenterLegacyOptions
/// The result of an interactive segmenter.
public typealias InteractiveSegmenterResult = InteractiveSegmenterLegacyResult

/// Segments the object in an image that a user points at.
///
/// MediaPipe has had two classes with this name. The one whose methods take a region of interest works here, and is now
/// also named ``InteractiveSegmenterLegacy``. The one that takes strokes exists for code that uses it: its model runs
/// only in MediaPipe, so its methods throw an error that says so.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenter) @objcMembers
#endif
open class InteractiveSegmenter: InteractiveSegmenterLegacy, @unchecked Sendable {
  // Unchecked because its base class is: it has no properties.

  /// Sets the image for ``segment(strokes:)``, which is not supported.
  ///
  /// - Throws: Always an `NSError` in the tasks' domain with the code of ``TasksErrorCode/unimplementedError``.
  #if canImport(ObjectiveC)
    @objc(setImage:error:)
  #endif
  open func set(image: MPImage) throws { throw Self.noStrokes }

  /// Segments the image by the strokes on it, which is not supported.
  ///
  /// - Throws: Always an `NSError` in the tasks' domain with the code of ``TasksErrorCode/unimplementedError``.
  #if canImport(ObjectiveC)
    @objc(segment:error:)
  #endif
  open func segment(strokes: [Stroke]) throws -> MPImage { throw Self.noStrokes }

  private static var noStrokes: NSError {
    .tasks(
      TasksFailure(
        core: .unimplementedError,
        "There is no segmentation by strokes here. Give a region of interest, such as RegionOfInterest(scribbles:), to segment(image:regionOfInterest:)."
      ))
  }
}
