import Foundation
import SwiftletBase

/// The contended use of an atomic word or a lock by many threads. It reports failures as text and imports no test
/// library, so that `Tools/apple-branches/check` can also run it with the code for Apple's platforms.
struct ContendedUse: Sendable, CustomStringConvertible {
  let description: String
  /// Returns the failure, or `nil` on success.
  let failure: @Sendable () -> String?

  static let all = [
    ContendedUse(description: "every ticket is drawn once", failure: tickets),
    ContendedUse(description: "additions and subtractions cancel out", failure: sums),
    ContendedUse(description: "no exchange of an expected number is lost", failure: exchanges),
    ContendedUse(description: "every bit is cleared by one thread", failure: bits),
    ContendedUse(description: "a flag guards what is written between its exchange and its release", failure: flag),
    ContendedUse(description: "what was written before a release is seen after an acquisition", failure: messages),
    ContendedUse(description: "a lock guards its value", failure: lock),
  ]

  private static let threads = 3
  /// Enough rounds for threads to meet within an operation of a few nanoseconds; unoptimized code would take too long
  /// for as many.
  private static let rounds = _isDebugAssertConfiguration() ? 100_000 : 3_000_000

  /// Runs some work on several threads, which start together.
  private static func onAllThreads(_ work: @escaping @Sendable (Int) -> Void) {
    let start = NSCondition()
    nonisolated(unsafe) var present = 0
    let done = DispatchGroup()
    for thread in 0..<threads {
      done.enter()
      Thread.detachNewThread {
        start.lock()
        present += 1
        if present == threads { start.broadcast() }
        while present < threads { start.wait() }
        start.unlock()
        work(thread)
        done.leave()
      }
    }
    done.wait()
  }

  private static func difference<Value: Equatable>(_ found: Value, _ expected: Value) -> String? {
    found == expected ? nil : "\(found) where \(expected) is right"
  }

  private static func tickets() -> String? {
    let next = Atomic<Int>(0)
    let drawn = UnsafeMutableBufferPointer<Int>.allocate(capacity: threads * rounds)
    defer { drawn.deallocate() }
    drawn.initialize(repeating: 0)
    // A ticket belongs to the thread that drew it, so its entry is written by one thread.
    nonisolated(unsafe) let entries = drawn
    onAllThreads { thread in
      for round in 0..<rounds {
        let ticket =
          round % 2 == 0
          ? next.add(1, ordering: .relaxed).oldValue : next.wrappingAdd(1, ordering: .relaxed).newValue - 1
        entries[ticket] += thread + 1
      }
    }
    return difference(next.load(ordering: .acquiring), threads * rounds)
      ?? difference(drawn.reduce(0, +), rounds * (1...threads).reduce(0, +))
      ?? difference(drawn.filter { $0 < 1 || $0 > threads }.count, 0)
  }

  private static func sums() -> String? {
    let sum = Atomic<Int>(7)
    onAllThreads { _ in
      for round in 1...rounds {
        sum.add(round, ordering: .relaxed)
        sum.subtract(round, ordering: .releasing)
      }
    }
    return difference(sum.load(ordering: .acquiring), 7)
  }

  private static func exchanges() -> String? {
    let word = Atomic<Int>(0)
    onAllThreads { _ in
      for _ in 0..<rounds {
        var present = word.load(ordering: .relaxed)
        while true {
          let (exchanged, original) = word.compareExchange(
            expected: present, desired: present + 3, ordering: .acquiring)
          if exchanged { break }
          present = original
        }
      }
    }
    return difference(word.load(ordering: .acquiring), 3 * threads * rounds)
  }

  private static func bits() -> String? {
    let count = rounds / 60
    let all = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: count)
    for index in 0..<count { (all + index).initialize(to: Atomic((1 << 60) - 1)) }
    defer {
      all.deinitialize(count: count)
      all.deallocate()
    }
    nonisolated(unsafe) let words = all
    let cleared = Atomic<Int>(0)
    onAllThreads { _ in
      for index in 0..<count {
        for bit in 0..<60 {
          let (before, after) = words[index].bitwiseAnd(~(1 << bit), ordering: .acquiringAndReleasing)
          if before != after { cleared.add(1, ordering: .relaxed) }
        }
      }
    }
    return difference(cleared.load(ordering: .acquiring), 60 * count)
  }

  private static func flag() -> String? {
    let isTaken = Atomic<Bool>(false)
    let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { counter.deallocate() }
    counter.initialize(to: 0)
    nonisolated(unsafe) let guarded = counter
    onAllThreads { _ in
      for _ in 0..<rounds {
        while isTaken.load(ordering: .relaxed) || isTaken.exchange(true, ordering: .acquiringAndReleasing) {
          sched_yield()
        }
        guarded.pointee += 1
        isTaken.store(false, ordering: .releasing)
      }
    }
    return difference(counter.pointee, threads * rounds)
  }

  private static func messages() -> String? {
    let places = threads * rounds
    let written = UnsafeMutableBufferPointer<Int>.allocate(capacity: places)
    defer { written.deallocate() }
    written.initialize(repeating: 0)
    nonisolated(unsafe) let messages = written
    let count = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
    onAllThreads { thread in
      if thread == 0 {
        for place in 0..<places {
          messages[place] = place + 1
          count.store(place + 1, ordering: .releasing)
        }
      } else {
        for _ in 0..<rounds {
          let seen = count.load(ordering: .acquiring)
          if seen > 0, messages[seen - 1] != seen { wrong.add(1, ordering: .relaxed) }
        }
      }
    }
    return difference(wrong.load(ordering: .acquiring), 0) ?? difference(written[places - 1], places)
  }

  private static func lock() -> String? {
    let totals = Mutex<[Int]>(Array(repeating: 0, count: threads))
    onAllThreads { thread in
      for _ in 0..<rounds {
        totals.withLock { totals in
          totals[thread] += 1
          totals[0] += 1
        }
      }
    }
    return difference(totals.withLock { $0 }, [rounds * (threads + 1)] + Array(repeating: rounds, count: threads - 1))
  }
}
