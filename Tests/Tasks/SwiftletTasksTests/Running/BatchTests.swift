import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Batches", .timeLimit(.minutes(30)))
struct BatchTests {
  private struct Fault: Error {}

  /// Numbers from 0 that are counted when they are read.
  private final class Counter: AsyncSequence, Sendable {
    let end: Int
    let failure: Fault?
    let readCount = Mutex(0)

    init(end: Int = .max, failure: Fault? = nil) { (self.end, self.failure) = (end, failure) }

    func makeAsyncIterator() -> Iterator { Iterator(counter: self) }

    struct Iterator: AsyncIteratorProtocol {
      let counter: Counter

      func next() async throws -> Int? {
        try Task.checkCancellation()
        return try counter.readCount.withLock { count in
          guard count < counter.end else {
            if let failure = counter.failure { throw failure }
            return nil
          }
          defer { count += 1 }
          return count
        }
      }
    }
  }

  /// Waits until a condition holds; gives up after a minute.
  private func wait(until isSo: @Sendable () -> Bool) async throws -> Bool {
    for _ in 0..<60_000 where !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    return isSo()
  }

  @Test("return values in the order of the elements, however long each takes", arguments: [-1, 0, 1, 2, 7])
  func order(window: Int) async throws {
    let batch = Batch(BatchSources(100..<200), BatchCapacity(concurrency: 1, window: window)) { element in
      // In each group of seven, later elements finish first.
      for _ in 0..<(7 - element % 7) { await Task.yield() }
      return -element
    }
    var values: [[Int]] = []
    for try await item in batch { values.append([item.source, item.index, try item.result.get()]) }
    #expect(values == (0..<100).map { [$0 + 100, $0, -$0 - 100] })
  }

  @Test("process several elements at once, and read at most the window")
  func window() async throws {
    let counter = Counter()
    let held = Mutex((now: 0, most: 0))
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let first = Task { for await _ in gate { break } }
    let batch = Batch(BatchSources(counter), BatchCapacity(concurrency: 1, window: 5)) { element in
      held.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      if element == 0 { await first.value }
      held.withLock { $0.now -= 1 }
      return element
    }
    var iterator = batch.makeAsyncIterator()
    // While the first element isn't done, the following ones fill the window.
    #expect(try await wait { counter.readCount.withLock { $0 } == 5 })
    for _ in 0..<100 { await Task.yield() }
    #expect(counter.readCount.withLock { $0 } == 5)
    opener.yield()
    for expected in 0..<20 {
      #expect(try await iterator.next()?.result.get() == expected)
      #expect(counter.readCount.withLock { $0 } <= expected + 1 + 5)
    }
    #expect(held.withLock { $0.most } <= 5)
  }

  @Test("return a value while elements are still arriving")
  func streaming() async throws {
    let (elements, source) = AsyncStream.makeStream(of: Int.self)
    var iterator = Batch(BatchSources(elements), BatchCapacity(concurrency: 1, window: 4)) { element in element * 2 }
      .makeAsyncIterator()
    for element in 1...3 {
      source.yield(element)
      #expect(try await iterator.next()?.result.get() == element * 2)
    }
    source.finish()
    #expect(try await iterator.next()?.index == nil)
    #expect(try await iterator.next()?.index == nil)
  }

  @Test("end with the error of the sequence, after the values of earlier elements")
  func failure() async throws {
    let counter = Counter(end: 3, failure: Fault())
    let batch = Batch(BatchSources(counter), BatchCapacity(concurrency: 1, window: 2)) { element in element }
    var values: [Int] = []
    await #expect(throws: Fault.self) { for try await item in batch { values.append(try item.result.get()) } }
    #expect(values == [0, 1, 2])
  }

  @Test("return an element's error as its result, and continue")
  func elementFailure() async throws {
    let batch = Batch(BatchSources(0..<5), BatchCapacity(concurrency: 1, window: 2)) { element in
      guard element != 2 else { throw Fault() }
      return element
    }
    var values: [Int?] = []
    for try await item in batch {
      #expect(item.index == values.count)
      values.append(try? item.result.get())
    }
    #expect(values == [0, 1, nil, 3, 4])
  }

  @Test("end with the running work when their consumer is cancelled")
  func cancellation() async throws {
    let counter = Counter()
    let cancelledCount = Mutex(0)
    let batch = Batch(BatchSources(counter), BatchCapacity(concurrency: 1, window: 3)) { element in
      guard element > 0 else { return element }
      // Sleeps until it is cancelled.
      try? await Task.sleep(for: .seconds(3600))
      cancelledCount.withLock { $0 += 1 }
      return element
    }
    let consumer = Task {
      var values: [Int] = []
      for try await item in batch { values.append(try item.result.get()) }
      return values
    }
    // The first result was consumed, and three further elements are being processed.
    #expect(try await wait { counter.readCount.withLock { $0 } == 4 })
    consumer.cancel()
    #expect(try await consumer.value == [0])
    #expect(try await wait { cancelledCount.withLock { $0 } == 3 })
    #expect(counter.readCount.withLock { $0 } == 4)
  }

  @Test("end when no consumer is left")
  func abandoned() async throws {
    let counter = Counter()
    let cancelledCount = Mutex(0)
    let batch = Batch(BatchSources(counter), BatchCapacity(concurrency: 1, window: 3)) { element in
      if element > 0 {
        try? await Task.sleep(for: .seconds(3600))
        cancelledCount.withLock { $0 += 1 }
      }
      return element
    }
    for try await item in batch {
      #expect(try item.result.get() == 0)
      #expect(try await wait { counter.readCount.withLock { $0 } == 4 })
      break
    }
    #expect(try await wait { cancelledCount.withLock { $0 } == 3 })
    #expect(counter.readCount.withLock { $0 } == 4)
  }
}
