extension PreparedOperator.Stage {
  /// Transposes `matrices` matrices of `rows × columns` elements into `output`.
  static func transposing<Element: BitwiseCopyable & Sendable>(
    _ input: TensorSlot, of type: Element.Type, matrices: Int, rows: Int, columns: Int, into output: TensorSlot
  ) -> PreparedOperator.Stage {
    PreparedOperator.Stage(items: matrices * columns, cost: Double(rows)) { run, range in
      let source = run.pointer(input, as: type), destination = run.pointer(output, as: type)
      for item in range {
        let from = source + (item / columns &* rows &* columns &+ item % columns)
        let to = destination + item &* rows
        for row in 0..<rows { to[row] = from[row &* columns] }
      }
    }.touching(reads: [input], writes: [output])
  }
}
