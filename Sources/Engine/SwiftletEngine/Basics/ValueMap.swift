/// The number of a value of a graph.
package typealias ValueID = Int

/// Something for some of a graph's values, or of a model's subgraphs: a dictionary's interface on an array, as these
/// are numbered from 0.
///
/// Dictionaries and sets hash, and at their first use look for their key's conformance through the whole program, both
/// of which small models' loading would feel.
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

  /// The values that there is something for, in order.
  package var keys: [ValueID] { elements.indices.filter { elements[$0] != nil } }
}

extension ValueMap: Sendable where Element: Sendable {}
