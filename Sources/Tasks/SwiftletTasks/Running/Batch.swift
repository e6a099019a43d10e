/// What work gives for each element of a sequence: several elements are worked on at the same time, and the values come in
/// the order of the elements.
///
/// A value comes as soon as it is its turn, whether there are more elements yet or not. No more elements are read than the
/// batch's window holds, so memory does not grow with the sequence. Where the consumer stops to ask, is cancelled, or lets
/// the iterator go, nothing more is read and what is under way is cancelled.
///
/// Each iterator reads the elements anew.
public struct Batch<Elements, Value>: AsyncSequence, Sendable
where Elements: AsyncSequence & Sendable, Elements.Element: Sendable, Value: Sendable {
  /// What the work gives.
  public typealias Element = Value

  private let elements: Elements
  private let window: Int
  private let work: @Sendable (Elements.Element, Int) async -> Value

  /// - Parameters:
  ///   - capacity: how many elements the task that does the work takes.
  ///   - work: called for several elements at the same time; gets an element and its number, from 0.
  package init(
    _ elements: Elements, _ capacity: BatchCapacity, work: @escaping @Sendable (Elements.Element, Int) async -> Value
  ) {
    self.elements = elements
    window = capacity.window
    self.work = work
  }

  /// The values from here on; begins to read the elements.
  public func makeAsyncIterator() -> Iterator {
    let window = BatchWindow<Value>(limit: window)
    let reader = Task { [elements, work] in
      do {
        var iterator = elements.makeAsyncIterator()
        var count = 0
        while await window.waitForRoom(), let element = try await iterator.next() {
          let index = count
          count += 1
          window.add(Task { await work(element, index) })
        }
        window.end(nil)
      } catch {
        window.end(error)
      }
    }
    return Iterator(run: BatchRun(window: window, reader: reader))
  }

  /// Waits for one value after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let run: BatchRun<Value>

    /// The value of the next element; `nil` when the elements have ended or the consumer was cancelled.
    ///
    /// - Throws: what the elements' own sequence has thrown, after the value of its last element.
    public mutating func next() async throws -> Value? {
      let run = run
      return try await withTaskCancellationHandler {
        try await run.window.next()
      } onCancel: {
        run.cancel()
      }
    }
  }
}

/// A batch that somebody iterates over; cancelled when nobody does any more.
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

/// The elements of a sequence, such as an array's, for a batch.
public struct ReadyElements<Elements: Sequence & Sendable>: AsyncSequence, Sendable
where Elements.Element: Sendable {
  /// The elements of the sequence.
  public typealias Element = Elements.Element
  private let elements: Elements

  package init(_ elements: Elements) { self.elements = elements }

  /// The elements from the first on.
  public func makeAsyncIterator() -> Iterator { Iterator(elements: elements.makeIterator()) }

  /// Gives one element after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var elements: Elements.Iterator

    /// The next element; `nil` when there are no more.
    public mutating func next() async -> Elements.Element? { elements.next() }
  }
}
