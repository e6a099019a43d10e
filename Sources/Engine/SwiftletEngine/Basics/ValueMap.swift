/// The index of a value in a graph.
package typealias ValueID = Int

/// A map from a graph's values, or from a model's subgraphs, to elements. It has a dictionary's interface but stores an
/// array, because its keys are numbered from 0.
///
/// Dictionaries and sets hash their keys, and on first use search the whole program for the key's protocol conformance.
/// Both would noticeably slow down the loading of small models.
package struct ValueMap<Element> {
  private var elements: [Element?] = []

  package init() {}

  package subscript(id: ValueID) -> Element? {
    get { id < elements.count ? elements[id] : nil }
    set {
      while elements.count <= id { elements.append(nil) }
      elements[id] = newValue
    }
  }

  /// The values that have an element, in order.
  package var keys: [ValueID] { elements.indices.filter { elements[$0] != nil } }
}

extension ValueMap: Sendable where Element: Sendable {}

/// A set of small integers, such as values, nodes, or steps.
package struct BitSet: Sendable {
  private var words: [UInt64]

  /// Creates an empty set with room for integers below `count`. The set grows if necessary.
  package init(count: Int = 0) { words = Array(repeating: 0, count: (count + 63) / 64) }

  package init(_ elements: some Sequence<Int>) {
    self.init()
    insert(contentsOf: elements)
  }

  package func contains(_ element: Int) -> Bool {
    element / 64 < words.count && words[element / 64] & (1 << UInt64(element % 64)) != 0
  }

  package mutating func insert(_ element: Int) {
    while words.count <= element / 64 { words.append(0) }
    words[element / 64] |= 1 << UInt64(element % 64)
  }

  package mutating func insert(contentsOf elements: some Sequence<Int>) {
    for element in elements { insert(element) }
  }

  package mutating func formUnion(_ other: BitSet) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  package func subtracting(_ other: BitSet) -> BitSet {
    var result = self
    for index in 0..<min(words.count, other.words.count) { result.words[index] &= ~other.words[index] }
    return result
  }

  /// The elements in ascending order.
  package var elements: [Int] {
    var result: [Int] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        result.append(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return result
  }
}
