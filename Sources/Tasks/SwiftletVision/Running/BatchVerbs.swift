public import SwiftletImage
public import SwiftletTasks

// The verbs of tasks for many pictures: each is the task's `results(contentsOf:)`, under the name that its calls for one
// picture have.

/// What a task gives for pictures that are there as they come.
public typealias PictureBatch<Pictures: AsyncSequence & Sendable, Output: Sendable> =
  Batch<Pictures, BatchResult<MPImage, Output>> where Pictures.Element == MPImage

extension DetectionTask {
  /// Finds what the task looks for in many pictures, in their order; see `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func detect<Pictures: AsyncSequence & Sendable>(
    contentsOf pictures: Pictures, regionOfInterest: NormalizedRect? = nil
  ) -> PictureBatch<Pictures, Output> where Pictures.Element == MPImage {
    results(contentsOf: pictures, regionOfInterest: regionOfInterest) { $0 }
  }

  /// Finds what the task looks for in many pictures, each made by `load`, in their order; see
  /// `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func detect<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources, regionOfInterest: NormalizedRect? = nil,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    results(contentsOf: sources, regionOfInterest: regionOfInterest, load: load)
  }
}

extension ImageClassifier {
  /// Classifies many pictures, in their order; see `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func classify<Pictures: AsyncSequence & Sendable>(
    contentsOf pictures: Pictures, regionOfInterest: NormalizedRect? = nil
  ) -> PictureBatch<Pictures, Output> where Pictures.Element == MPImage {
    results(contentsOf: pictures, regionOfInterest: regionOfInterest) { $0 }
  }

  /// Classifies many pictures, each made by `load`, in their order; see
  /// `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func classify<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources, regionOfInterest: NormalizedRect? = nil,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    results(contentsOf: sources, regionOfInterest: regionOfInterest, load: load)
  }
}

extension ImageEmbedder {
  /// Embeds many pictures, in their order; see `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func embed<Pictures: AsyncSequence & Sendable>(
    contentsOf pictures: Pictures, regionOfInterest: NormalizedRect? = nil
  ) -> PictureBatch<Pictures, Output> where Pictures.Element == MPImage {
    results(contentsOf: pictures, regionOfInterest: regionOfInterest) { $0 }
  }

  /// Embeds many pictures, each made by `load`, in their order; see
  /// `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func embed<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources, regionOfInterest: NormalizedRect? = nil,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    results(contentsOf: sources, regionOfInterest: regionOfInterest, load: load)
  }
}

extension ImageSegmenter {
  /// Segments many pictures, in their order; see `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func segment<Pictures: AsyncSequence & Sendable>(
    contentsOf pictures: Pictures
  ) -> PictureBatch<Pictures, Output> where Pictures.Element == MPImage {
    results(contentsOf: pictures) { $0 }
  }

  /// Segments many pictures, each made by `load`, in their order; see
  /// `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func segment<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    results(contentsOf: sources, load: load)
  }
}

extension GestureRecognizer {
  /// Recognises the gestures in many pictures, in their order; see `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func recognize<Pictures: AsyncSequence & Sendable>(
    contentsOf pictures: Pictures
  ) -> PictureBatch<Pictures, Output> where Pictures.Element == MPImage {
    results(contentsOf: pictures) { $0 }
  }

  /// Recognises the gestures in many pictures, each made by `load`, in their order; see
  /// `VisionTask.results(contentsOf:regionOfInterest:load:)`.
  public func recognize<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    results(contentsOf: sources, load: load)
  }
}
