import Testing

@testable import SwiftletEngine

@Suite("Sets and maps of values")
struct ValueTablesTests {
  @Test("a set contains its elements, across words")
  func sets() {
    var set = BitSet(count: 3)
    #expect(set.elements.isEmpty)
    set.insert(contentsOf: [63, 0, 64, 200, 63])
    #expect(set.elements == [0, 63, 64, 200])
    #expect(set.contains(200) && !set.contains(199) && !set.contains(100_000))
    var other = BitSet([64, 300])
    #expect(set.subtracting(other).elements == [0, 63, 200])
    #expect(other.subtracting(set).elements == [300])
    other.formUnion(set)
    #expect(other.elements == [0, 63, 64, 200, 300])
    set.formUnion(BitSet())
    #expect(set.elements == [0, 63, 64, 200])
  }

  @Test("a map returns nil for absent values, however large")
  func maps() {
    var map = ValueMap<String>()
    #expect(map[7] == nil && map.keys.isEmpty)
    map[7] = "seven"
    map[2] = "two"
    #expect(map[7] == "seven" && map[3] == nil && map[1000] == nil)
    #expect(map.keys == [2, 7])
    map[7] = nil
    #expect(map.keys == [2])
  }
}
