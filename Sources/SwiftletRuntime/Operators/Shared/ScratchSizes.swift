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

  /// Scratch memory for as many elements as the product says.
  ///
  /// - Throws: `limitExceeded` when they do not fit the limits.
  func scratch<Element>(elements: [Int], of type: Element.Type) throws -> TensorSlot {
    try scratch(bytes: byteCount(elements: elements, of: type))
  }
}
