/// What a product runs: weights that are computed in the run are packed, then everything is multiplied.
struct MatrixStages {
  var packing: [PreparedOperator.Stage]
  var multiplying: PreparedOperator.Stage

  var all: [PreparedOperator.Stage] { packing + [multiplying] }

  /// Several products that do not depend on each other.
  static func joined(_ products: [MatrixStages]) -> [PreparedOperator.Stage] {
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
    var joined = PreparedOperator.Stage(tileCount: total) { run, tile in
      var index = 0
      while tile >= ends[index] { index &+= 1 }
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
