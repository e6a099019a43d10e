/// Options of ``InteractiveSegmenter``.
public typealias InteractiveSegmenterOptions = InteractiveSegmenterLegacyOptions
/// The masks of one image.
public typealias InteractiveSegmenterResult = InteractiveSegmenterLegacyResult

/// Says which pixels of an image belong to what a user points at.
///
/// MediaPipe has had two classes of this name. The one whose calls take a region of interest works here, as
/// ``InteractiveSegmenterLegacy`` does, which it is called since. The one that takes strokes exists for code that names
/// it: nobody but MediaPipe can run its model, and its calls say so in an error.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenter) @objcMembers
#endif
open class InteractiveSegmenter: InteractiveSegmenterLegacy, @unchecked Sendable {
  // Unchecked because its base class is: it has no properties.

  /// Would set the image that ``segment(strokes:)`` looks at.
  ///
  /// - Throws: always an `NSError` of the tasks' domain with the code of ``TasksErrorCode/unimplementedError``.
  #if canImport(ObjectiveC)
    @objc(setImage:error:)
  #endif
  open func set(image: MPImage) throws { throw Self.noStrokes }

  /// Would segment the image by what was drawn on it.
  ///
  /// - Throws: always an `NSError` of the tasks' domain with the code of ``TasksErrorCode/unimplementedError``.
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
