/// The outcome of one element of a batch.
public struct BatchResult<Source: Sendable, Output: Sendable>: Sendable {
  /// The source element, such as a URL, that the input was created from.
  public var source: Source
  /// The position of the element in the batch, from 0.
  public var index: Int
  /// The task's output or an error: a `TaskError`, or the error of the closure that creates the input.
  public var result: Result<Output, any Error>

  /// Creates the outcome of an element.
  public init(source: Source, index: Int, result: Result<Output, any Error>) {
    self.source = source
    self.index = index
    self.result = result
  }
}

/// The results of a task for many inputs. Several inputs are processed concurrently, and the results are in the order
/// of the inputs.
///
/// ```swift
/// let classifier = try ImageClassifier(.file("efficientnet_lite0.tflite")) { $0.baseOptions.maxConcurrentCalls = 8 }
/// for try await found in classifier.classifications(ofContentsOf: urls, load: { try InputImage(contentsOfFile: $0.path) }) {
///   switch found.result {
///   case .success(let classification): print(found.source, classification.categories.first?.categoryName ?? "nothing")
///   case .failure(let error): print(found.source, error)
///   }
/// }
/// ```
/// Up to `BaseOptions.maxConcurrentCalls` inputs are processed concurrently, and as many others are loaded meanwhile.
/// No further sources are read, so memory use does not grow with the number of sources. Each result is delivered as
/// soon as all earlier results are, even while sources are still being read. If one input fails, its error is the
/// result of that input.
///
/// If the consumer stops requesting results, is cancelled, or releases the iterator, no further sources are read, and
/// running models are cancelled. Each iterator reads the sources from the beginning. cancelled. Each iterator reads the
/// sources from the beginning.
public struct Batch<Source: Sendable, Output: Sendable>: AsyncSequence, Sendable {
  /// The outcome of an input.
  public typealias Element = BatchResult<Source, Output>

  private let sources: BatchSources<Source>
  private let window: Int
  private let work: @Sendable (Source) async throws -> Output

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - capacity: The number of elements that the task processes and holds.
  ///   - work: Is called for several elements concurrently.
  package init(
    _ sources: BatchSources<Source>, _ capacity: BatchCapacity,
    work: @escaping @Sendable (Source) async throws -> Output
  ) {
    self.sources = sources
    window = capacity.window
    self.work = work
  }

  /// Creates an iterator and begins to read the sources.
  public func makeAsyncIterator() -> Iterator {
    let window = BatchWindow<Element>(limit: window)
    let reader = Task { [sources, work] in
      do {
        try await sources.read { source, index in
          window.add(
            Task {
              do {
                return BatchResult(source: source, index: index, result: .success(try await work(source)))
              } catch {
                return BatchResult(source: source, index: index, result: .failure(error))
              }
            })
        } waitingFor: {
          await window.waitForRoom()
        }
        window.end(nil)
      } catch {
        window.end(error)
      }
    }
    return Iterator(run: BatchRun(window: window, reader: reader))
  }

  /// An iterator that returns the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let run: BatchRun<Element>

    /// Returns the result of the next input, or `nil` if the sources have ended or the consumer is cancelled.
    ///
    /// - Throws: The error of the sequence of sources, after the result of its last element.
    public mutating func next() async throws -> Element? {
      let run = run
      return try await withTaskCancellationHandler {
        try await run.window.next()
      } onCancel: {
        run.cancel()
      }
    }
  }
}

/// The sources of a batch: any sequence, asynchronous or not.
package struct BatchSources<Source: Sendable>: Sendable {
  private typealias Body = @Sendable (Source, _ index: Int) -> Void
  private typealias Wait = @Sendable () async -> Bool

  private let run: @Sendable (Body, Wait) async throws -> Void

  package init<Elements: AsyncSequence & Sendable>(_ elements: Elements) where Elements.Element == Source {
    run = { body, wait in
      var iterator = elements.makeAsyncIterator()
      var index = 0
      while await wait(), let element = try await iterator.next() {
        body(element, index)
        index += 1
      }
    }
  }

  package init<Elements: Sequence & Sendable>(_ elements: Elements) where Elements.Element == Source {
    run = { body, wait in
      var iterator = elements.makeIterator()
      var index = 0
      while await wait(), let element = iterator.next() {
        body(element, index)
        index += 1
      }
    }
  }

  /// Calls `body` with each source in turn, as long as `wait` returns `true`.
  func read(
    _ body: @Sendable (Source, _ index: Int) -> Void, waitingFor wait: @Sendable () async -> Bool
  ) async throws { try await run(body, wait) }
}

/// A batch that is being iterated. It is cancelled when its iterator is released.
final class BatchRun<Value: Sendable>: Sendable {
  let window: BatchWindow<Value>
  private let reader: Task<Void, Never>

  init(window: BatchWindow<Value>, reader: Task<Void, Never>) {
    self.window = window
    self.reader = reader
  }

  deinit { cancel() }

  func cancel() {
    reader.cancel()
    window.cancel()
  }
}
