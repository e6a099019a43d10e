package import SwiftletEngine

extension PreparedOperator {
  /// Output 0 with the bytes of input 0, sharing its memory where the plan allows.
  package static func copy(_ context: PrepareContext) throws -> PreparedOperator {
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let spec = try context.node.output(0)
    guard let bytes = spec.storedByteCount, try context.node.input(0).storedByteCount == bytes else {
      throw context.node.invalid("input and output differ in size")
    }
    context.uses("copy", .none)
    let stage = Stage(items: bytes, cost: 0.1) { run, range in
      run.pointer(destination).advanced(by: range.lowerBound)
        .copyMemory(from: run.pointer(source).advanced(by: range.lowerBound), byteCount: range.count)
    }
    return PreparedOperator(stages: [stage], sharesMemoryWithInput: 0)
  }
}

extension PreparedOperator {
  /// An output filled with zero bytes.
  package static func zeros(_ context: PrepareContext, output: Int = 0) throws -> PreparedOperator {
    let destination = try context.outputSlot(output)
    let spec = try context.node.output(output)
    guard let bytes = spec.storedByteCount else { throw context.node.invalid("output \(spec) has no fixed size") }
    return PreparedOperator(items: bytes, cost: 0.05) { run, range in
      (run.pointer(destination) + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
  }
}
