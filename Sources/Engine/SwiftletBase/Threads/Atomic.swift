#if canImport(os)
  import CSwiftletBase

  /// How an atomic operation is ordered with those before and after it, as the orders of `Synchronization` say.
  package enum AtomicOrdering: Sendable { case relaxed, acquiring, releasing, acquiringAndReleasing }

  /// A number or a flag that threads read and change without a lock, as `Synchronization.Atomic` is.
  ///
  /// It has a block of memory of its own: before the standard type there was no way to name a place inside a value.
  /// Whatever order is asked for, operations are sequentially consistent, which is the strongest.
  ///
  /// Unchecked `Sendable` because the word behind the pointer is reached by atomic operations only.
  package struct Atomic<Value>: ~Copyable, @unchecked Sendable {
    fileprivate let word: UnsafeMutablePointer<Int>

    fileprivate init(word: Int) {
      self.word = .allocate(capacity: 1)
      self.word.initialize(to: word)
    }

    deinit { word.deallocate() }
  }

  // Extensions for one type each, so that nothing is generic when it runs.
  extension Atomic where Value == Int {
    package init(_ value: Int) { self.init(word: value) }

    package func load(ordering: AtomicOrdering) -> Int { swiftlet_word_load(word) }

    package func store(_ value: Int, ordering: AtomicOrdering) { swiftlet_word_store(word, value) }

    @discardableResult
    package func add(_ operand: Int, ordering: AtomicOrdering) -> (oldValue: Int, newValue: Int) {
      let old = swiftlet_word_add(word, operand)
      return (old, old + operand)
    }

    @discardableResult
    package func wrappingAdd(_ operand: Int, ordering: AtomicOrdering) -> (oldValue: Int, newValue: Int) {
      let old = swiftlet_word_add(word, operand)
      return (old, old &+ operand)
    }

    @discardableResult
    package func subtract(_ operand: Int, ordering: AtomicOrdering) -> (oldValue: Int, newValue: Int) {
      let old = swiftlet_word_add(word, 0 &- operand)
      return (old, old - operand)
    }

    @discardableResult
    package func bitwiseAnd(_ operand: Int, ordering: AtomicOrdering) -> (oldValue: Int, newValue: Int) {
      let old = swiftlet_word_and(word, operand)
      return (old, old & operand)
    }

    @discardableResult
    package func compareExchange(
      expected: Int, desired: Int, ordering: AtomicOrdering
    ) -> (exchanged: Bool, original: Int) {
      var original = expected
      let exchanged = swiftlet_word_compare_exchange(word, &original, desired)
      return (exchanged, original)
    }
  }

  extension Atomic where Value == Bool {
    package init(_ value: Bool) { self.init(word: value ? 1 : 0) }

    package func load(ordering: AtomicOrdering) -> Bool { swiftlet_word_load(word) != 0 }

    package func store(_ value: Bool, ordering: AtomicOrdering) { swiftlet_word_store(word, value ? 1 : 0) }

    @discardableResult
    package func exchange(_ value: Bool, ordering: AtomicOrdering) -> Bool {
      swiftlet_word_exchange(word, value ? 1 : 0) != 0
    }
  }
#endif
