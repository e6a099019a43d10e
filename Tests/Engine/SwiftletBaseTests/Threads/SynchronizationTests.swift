import SwiftletBase
import Testing

@Suite("Synchronization", .serialized)
struct SynchronizationTests {
  @Test("threads that contend for a word or lock lose no updates", arguments: ContendedUse.all)
  func contention(_ use: ContendedUse) {
    let failure = use.failure()
    #expect(failure == nil)
  }

  private struct Refusal: Error, Equatable { let number: Int }

  @Test("an error thrown inside a lock keeps its type and earlier changes, and releases the lock")
  func error() {
    let value = Mutex(1)
    let error = #expect(throws: Refusal.self) {
      try value.withLock { value throws(Refusal) in
        value = 2
        throw Refusal(number: 3)
      }
    }
    #expect(error == Refusal(number: 3))
    let left = value.withLock { $0 }
    #expect(left == 2)
  }

  private final class Token: Sendable {}

  @Test("a lock releases its value when it is deallocated")
  func lifetime() {
    weak var kept: Token?
    do {
      let value = Mutex<Token?>(nil)
      value.withLock { $0 = Token() }
      kept = value.withLock { $0 }
      #expect(kept != nil)
      value.withLock { _ in }
    }
    #expect(kept == nil)
  }

  @Test("operations return the old and new values")
  func results() {
    let word = Atomic<Int>(12)
    let changes = [
      word.add(3, ordering: .relaxed), word.subtract(5, ordering: .relaxed),
      word.bitwiseAnd(6, ordering: .acquiringAndReleasing),
    ]
    #expect(changes.map(\.oldValue) == [12, 15, 10])
    #expect(changes.map(\.newValue) == [15, 10, 2])
    let exchanges = [
      word.compareExchange(expected: 3, desired: 9, ordering: .acquiring),
      word.compareExchange(expected: 2, desired: .max, ordering: .acquiring),
    ]
    #expect(exchanges.map(\.exchanged) == [false, true])
    #expect(exchanges.map(\.original) == [2, 2])
    let wrapped = word.wrappingAdd(1, ordering: .relaxed)
    #expect(wrapped.oldValue == .max)
    #expect(wrapped.newValue == .min)
    word.store(-4, ordering: .releasing)
    let last = word.load(ordering: .acquiring)
    #expect(last == -4)
  }

  @Test("a flag returns its previous value")
  func flag() {
    let flag = Atomic<Bool>(true)
    let was = flag.exchange(false, ordering: .acquiringAndReleasing)
    let isNow = flag.load(ordering: .relaxed)
    flag.store(true, ordering: .relaxed)
    let isLater = flag.exchange(true, ordering: .acquiringAndReleasing)
    #expect([was, isNow, isLater] == [true, false, true])
  }
}
