#if canImport(os)
  import CSwiftletBase

  /// The memory ordering of an atomic operation, with the names of the `Synchronization` module.
  package enum AtomicOrdering: Sendable { case relaxed, acquiring, releasing, acquiringAndReleasing }

  /// A number or a flag that threads read and change without a lock, like `Synchronization.Atomic`.
  ///
  /// The value has a separately allocated word, because Swift versions without the standard type can't address storage
  /// inside a value. All operations are sequentially consistent, the strongest ordering, whatever ordering the caller
  /// requests.
  ///
  /// Unchecked `Sendable` because the word is accessed only by atomic operations.
  package struct Atomic<Value>: ~Copyable, @unchecked Sendable {
    fileprivate let word: UnsafeMutablePointer<Int>

    fileprivate init(word: Int) {
      self.word = .allocate(capacity: 1)
      self.word.initialize(to: word)
    }

    deinit { word.deallocate() }
  }

  // One extension per type, so that no generic code runs.
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
