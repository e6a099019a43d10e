extension PreparedOperator.Stage {
  /// A piece of work that cannot be shared out should take at most about this long, in nanoseconds: between pieces a run may end.
  private static var pieceNanoseconds: Double { 5_000_000 }
  /// Every piece is a stage of its own.
  private static var mostPieces: Int { 256 }

  /// Stages that go through `count` items in order, for as many independent tiles as there are: one unless there is too much to do.
  ///
  /// - Parameter cost: the work of one item of one tile in nanoseconds, roughly.
  static func inOrder(
    tiles: Int = 1, items count: Int, cost: Double,
    run: @escaping @Sendable (RunContext, _ tile: Int, _ items: Range<Int>) throws -> Void
  ) -> [PreparedOperator.Stage] {
    let pieces = pieces(cost * Double(count), of: count)
    return (0..<pieces).map { piece in
      let items = part(piece, of: count, parts: pieces)
      return PreparedOperator.Stage(tileCount: tiles, work: cost * Double(items.count) * Double(tiles)) {
        context, tile in
        try run(context, tile, items)
      }
    }
  }

  private static func pieces(_ work: Double, of count: Int) -> Int {
    max(1, min(count, mostPieces, Int(min(work / pieceNanoseconds, 1e9))))
  }
}
