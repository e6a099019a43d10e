import SwiftletEngine

extension PrepareContext {
  /// - Throws: `limitExceeded` when the elements do not fit the limits.
  func byteCount<Element>(elements: [Int], of type: Element.Type) throws -> Int {
    let size = Shape(elements).elementCount.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !size.overflow, size.partialValue <= options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "needs memory for \(elements) elements, above the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
    return size.partialValue
  }

  /// All tables of a program that could as well be made in its runs take at most so much memory.
  private static var optionalTableBytes: Int { 1 << 28 }
  /// How much larger than the node's tensors such a table may be, so that making it takes no longer than reading them
  /// some times.
  private static var largestTableShare: Int { 32 }

  /// Whether there is room for a table that can also be made in the run, piece by piece; it is then taken.
  func takesTable(bytes: Int) -> Bool {
    let specs =
      (0..<node.inputCount).compactMap { node.optionalInput($0) }
      + (0..<node.outputCount).compactMap { try? node.output($0) }
    let tensors = specs.reduce(1 << 12) { $0 + min($1.byteCount ?? 0, options.limits.tensorBytes) }
    return bytes / Self.largestTableShare <= tensors && takeTable(bytes: bytes, atMost: Self.optionalTableBytes)
  }

  /// Takes the room for something that a node keeps for its runs.
  ///
  /// - Throws: `limitExceeded` when all of the program's nodes together keep more than the limits allow.
  func requireTable<Element>(elements: [Int], of type: Element.Type) throws {
    guard takeTable(bytes: try byteCount(elements: elements, of: type), atMost: options.limits.arenaBytes) else {
      throw RuntimeError(
        .limitExceeded,
        "needs a table of \(elements) elements; with those of other operators it takes more than the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
  }

  /// Scratch memory for as many elements as the product says.
  ///
  /// - Throws: `limitExceeded` when they do not fit the limits.
  func scratch<Element>(elements: [Int], of type: Element.Type) throws -> TensorSlot {
    try scratch(bytes: byteCount(elements: elements, of: type))
  }
}
