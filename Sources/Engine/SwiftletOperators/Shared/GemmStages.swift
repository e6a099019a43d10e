import SwiftletEngine

/// What a product runs: weights that are computed in the run are packed, then everything is multiplied.
struct GemmStages {
  var packing: [PreparedOperator.Stage]
  var multiplying: PreparedOperator.Stage

  var all: [PreparedOperator.Stage] { packing + [multiplying] }

  /// Several products that do not depend on each other.
  static func joined(_ products: [GemmStages]) -> [PreparedOperator.Stage] {
    let packing = products.flatMap(\.packing)
    return (packing.isEmpty ? [] : [.joined(packing)]) + [.joined(products.map(\.multiplying))]
  }
}

extension PreparedOperator.Stage {
  /// One stage with the tiles of several that do not depend on each other.
  static func joined(_ stages: [PreparedOperator.Stage]) -> PreparedOperator.Stage {
    var total = 0
    let ends = stages.map { stage in
      total += stage.tileCount
      return total
    }
    let work = stages.reduce(0 as Double?) { sum, stage in
      guard let sum, let work = stage.work else { return nil }
      return sum + work
    }
    var joined = PreparedOperator.Stage(tileCount: total, work: work) { run, tile in
      // The first stage that ends behind the tile; there may be thousands.
      var (index, end) = (0, ends.count)
      while index < end {
        let middle = (index &+ end) / 2
        if ends[middle] <= tile { index = middle &+ 1 } else { end = middle }
      }
      try stages[index].run(run, tile &- (ends[index] &- stages[index].tileCount))
    }
    if stages.contains(where: { $0.precision == .reduced }) { joined.precision = .reduced }
    if stages.allSatisfy({ $0.reads != nil && $0.writes != nil }) {
      joined.reads = stages.flatMap { $0.reads ?? [] }
      joined.writes = stages.flatMap { $0.writes ?? [] }
    }
    return joined
  }
}
