import SwiftletEngine

extension PreparedOperator.Stage {
  /// Looks through input `index` before anything is computed.
  ///
  /// - Parameters:
  ///   - isAllowed: whether an element may be there.
  ///   - message: what is wrong with one that may not.
  /// - Throws: in the run, `invalidInput` with the message.
  static func check<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, input index: Int, as type: Element.Type, _ message: String,
    isAllowed: @escaping @Sendable (Element) -> Bool
  ) throws -> PreparedOperator.Stage {
    let source = try context.inputSlot(index)
    let location = context.node.node.location
    return PreparedOperator.Stage(items: try context.node.input(index).shape.elementCount, cost: 0.5) { run, range in
      let input = run.pointer(source, as: type)
      for position in range where !isAllowed(input[position]) {
        throw RuntimeError(.invalidInput, "input \(index) holds \(input[position]): \(message)", location: location)
      }
    }.touching(reads: [source], writes: [])
  }
}
