public import SwiftletImage
public import SwiftletTasks

/// What became of one picture of a batch.
public struct BatchResult<Source: Sendable, Output: Sendable>: Sendable {
  /// What the picture was made from, such as its URL.
  public var source: Source
  /// Its number in the batch, from 0.
  public var index: Int
  /// What was found out about it, or what is wrong with it: a `TaskError`, or what making the picture has thrown.
  public var result: Result<Output, any Error>

  /// What became of a picture.
  public init(source: Source, index: Int, result: Result<Output, any Error>) {
    (self.source, self.index, self.result) = (source, index, result)
  }
}

extension VisionTask {
  /// What the task finds out about many pictures, in their order; for a task in image mode.
  ///
  /// ```swift
  /// var options = ImageClassifierOptions(baseOptions: BaseOptions(model: model))
  /// options.baseOptions.maxConcurrentCalls = 8
  /// let classifier = try ImageClassifier(options: options)
  /// for try await found in classifier.results(contentsOf: urls, load: { MPImage(try decode($0)) }) {
  ///   switch found.result {
  ///   case .success(let result): print(found.source, result.categories.first?.categoryName ?? "nothing")
  ///   case .failure(let error): print(found.source, error)
  ///   }
  /// }
  /// ```
  /// As many pictures as `BaseOptions.maxConcurrentCalls` are worked on at the same time, and as many others are made
  /// meanwhile; no more sources are read than these, so memory does not grow with their number. A result comes as soon as
  /// it is its turn, also while sources are still to come. What is wrong with one picture is that picture's result.
  ///
  /// Cancelling the task that iterates, or leaving the loop, ends the batch: nothing more is read, and models that run
  /// end soon. Results say the number of their picture as their time, in seconds.
  ///
  /// - Parameters:
  ///   - sources: what pictures are made from, such as URLs. What it throws ends the batch, after the results of what came
  ///     before.
  ///   - regionOfInterest: the part to look at, in coordinates of the stored picture; `nil` for all of it.
  ///   - load: makes a picture: reads and decodes a file, say. Called for several sources at the same time.
  public func results<Sources: AsyncSequence & Sendable>(
    contentsOf sources: Sources, regionOfInterest: NormalizedRect? = nil,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<Sources, BatchResult<Sources.Element, Output>> {
    Batch(sources, runner.batchCapacity) { [runner] source, index in
      do {
        let output = try await runner.imageAsync(
          try await load(source), regionOfInterest: regionOfInterest, timestamp: .seconds(index))
        return BatchResult(source: source, index: index, result: .success(output))
      } catch {
        return BatchResult(source: source, index: index, result: .failure(error))
      }
    }
  }

  /// What the task finds out about many pictures, made from the elements of an array or another sequence.
  ///
  /// As `results(contentsOf:regionOfInterest:load:)` for sources that are waited for.
  public func results<Sources: Sequence & Sendable>(
    contentsOf sources: Sources, regionOfInterest: NormalizedRect? = nil,
    load: @escaping @Sendable (Sources.Element) async throws -> MPImage
  ) -> Batch<ReadyElements<Sources>, BatchResult<Sources.Element, Output>> where Sources.Element: Sendable {
    results(contentsOf: ReadyElements(sources), regionOfInterest: regionOfInterest, load: load)
  }
}
