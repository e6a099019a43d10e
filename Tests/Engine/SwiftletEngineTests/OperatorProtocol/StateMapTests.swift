import Testing

@testable import SwiftletEngine

@Suite("Maps of a program's variables")
struct StateMapTests {
  @Test("keys are found and updated in small and large maps", arguments: [0, 1, 32, 33, 34, 200])
  func find(count: Int) {
    var map = StateMap<Int>()
    for index in 0..<count { map.set(.tensor(subgraph: 0, index: index), to: index) }
    for index in 0..<count { map.set(.tensor(subgraph: 0, index: index), to: -index) }
    #expect(map.count == count)
    #expect(Array(map.elements) == (0..<count).map { -$0 })
    for index in 0..<count { #expect(map[.tensor(subgraph: 0, index: index)] == -index) }
    #expect(map[.tensor(subgraph: 1, index: 0)] == nil)
    #expect(map[.tensor(subgraph: 0, index: count)] == nil)
  }
}
