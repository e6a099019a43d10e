/// Finds which steps must wait for which others: those that write what the other reads or writes, in the same bytes.
struct RegionTable {
  private struct Region {
    var space: Int
    var range: Range<Int>

    func overlaps(_ other: Region) -> Bool { space == other.space && range.overlaps(other.range) }
  }

  /// `nil` for memory that never changes.
  private let regions: [Region?]

  /// Above this many steps each one waits for the one before it instead: the exact search is quadratic.
  private static let exactLimit = 4096

  init(locations: [Program.SlotLocation], blocks: BlockTable, requests: [MemoryRequest]) {
    var spaces = StateMap<Int>()
    regions = locations.enumerated().map { index, location in
      switch location {
      case .constant, .earlier: return nil
      case .arena(let offset):
        let bytes = blocks.block(of: TensorSlot(index: index)).map { requests[$0].bytes } ?? 0
        return Region(space: 0, range: offset..<(offset + bytes))
      case .state(let key, _, _):
        let space = spaces[key] ?? spaces.count + 1
        spaces.set(key, to: space)
        return Region(space: space, range: 0..<1)
      }
    }
  }

  /// For every step the earlier steps it waits for, without those that the others imply.
  mutating func dependencies(
    of stepCount: Int, accesses: [NodeAccess]
  ) -> [[Int]] {
    guard stepCount <= Self.exactLimit else { return (0..<stepCount).map { $0 == 0 ? [] : [$0 - 1] } }
    var reads = [[Region]](repeating: [], count: stepCount)
    var writes = reads
    var isFirstOfNode = [Bool](repeating: true, count: stepCount)
    for access in accesses {
      for step in access.steps {
        reads[step] = access.reads.compactMap { regions[$0.index] }
        writes[step] = access.writes.compactMap { regions[$0.index] }
        isFirstOfNode[step] = step == access.steps.lowerBound
      }
    }
    var ancestors: [BitSet] = []
    var result: [[Int]] = []
    for step in 0..<stepCount {
      var covered = BitSet(count: stepCount)
      var waits: [Int] = []
      for other in stride(from: step - 1, through: 0, by: -1) where !covered.contains(other) {
        let isSameNode = other == step - 1 && !isFirstOfNode[step]
        let conflict =
          isSameNode || Self.overlap(writes[other], reads[step]) || Self.overlap(writes[other], writes[step])
          || Self.overlap(reads[other], writes[step])
        guard conflict else { continue }
        waits.append(other)
        covered.insert(other)
        covered.formUnion(ancestors[other])
      }
      ancestors.append(covered)
      result.append(waits)
    }
    return result
  }

  private static func overlap(_ first: [Region], _ second: [Region]) -> Bool {
    first.contains { region in second.contains { $0.overlaps(region) } }
  }
}
