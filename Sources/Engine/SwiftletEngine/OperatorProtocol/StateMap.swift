/// Something for each of a program's variables: a dictionary's interface on an array, as most programs have few.
///
/// At its first use a dictionary looks for its key's conformance through the whole program, which small models' loading
/// would feel.
struct StateMap<Element> {
  private struct Entry {
    var key: StateKey
    var element: Element
  }

  private var entries: [Entry] = []
  /// Where the entries are, once there are many.
  private var positions: [StateKey: Int] = [:]

  /// Up to this many entries are compared one by one.
  private static var few: Int { 32 }

  var count: Int { entries.count }
  /// In the order in which their keys came.
  var elements: some Sequence<Element> { entries.lazy.map(\.element) }

  private func position(of key: StateKey) -> Int? {
    entries.count > Self.few ? positions[key] : entries.firstIndex { $0.key == key }
  }

  subscript(key: StateKey) -> Element? {
    position(of: key).map { entries[$0].element }
  }

  mutating func set(_ key: StateKey, to element: Element) {
    if let position = position(of: key) {
      entries[position].element = element
      return
    }
    entries.append(Entry(key: key, element: element))
    if entries.count == Self.few + 1 {
      for (position, entry) in entries.enumerated() { positions[entry.key] = position }
    } else if entries.count > Self.few {
      positions[key] = entries.count - 1
    }
  }
}
