import SwiftletEngine

extension PreparedOperator.Stage {
  /// Transposes `matrices` matrices of `rows × columns` elements into `output`.
  static func transposing<Element: BitwiseCopyable & Sendable>(
    _ input: TensorSlot, of type: Element.Type, matrices: Int, rows: Int, columns: Int, into output: TensorSlot
  ) -> PreparedOperator.Stage {
    let lanes = ColumnLanes(columns: rows)
    return PreparedOperator.Stage(items: matrices * columns * lanes.count, cost: lanes.width) { run, range in
      let source = run.pointer(input, as: type), destination = run.pointer(output, as: type)
      for item in range {
        let (line, lane) = lanes.count == 1 ? (item, 0) : item.quotientAndRemainder(dividingBy: lanes.count)
        let from = source + (line / columns &* rows &* columns &+ line % columns)
        let to = destination + line &* rows
        for row in lanes.range(lane) { to[row] = from[row &* columns] }
      }
    }.touching(reads: [input], writes: [output])
  }
}
