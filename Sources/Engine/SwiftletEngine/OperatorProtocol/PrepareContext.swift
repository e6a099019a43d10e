package import SwiftletBase
package import SwiftletKernels

/// What an operator is prepared with: the node, the kernels, the options, and the memory it may ask for.
package final class PrepareContext {
  package let node: NodeView
  package let options: RuntimeOptions
  package let kernels: KernelTable
  let memory: SlotAllocator
  let packing: PackingBatch

  init(
    node: NodeView, options: RuntimeOptions, kernels: KernelTable, memory: SlotAllocator, packing: PackingBatch
  ) {
    self.node = node
    self.options = options
    self.kernels = kernels
    self.memory = memory
    self.packing = packing
  }

  /// Returns the slot of input `index`; constants have slots too.
  ///
  /// - Throws: when the input is missing.
  package func inputSlot(_ index: Int) throws -> TensorSlot {
    guard let slot = optionalInputSlot(index) else { throw node.invalid("input \(index) is missing") }
    return slot
  }

  package func optionalInputSlot(_ index: Int) -> TensorSlot? {
    guard index < node.node.inputs.count, let id = node.node.inputs[index] else { return nil }
    return memory.slot(of: id)
  }

  package func outputSlot(_ index: Int) throws -> TensorSlot {
    guard index < node.node.outputs.count else { throw node.invalid("output \(index) is missing") }
    return memory.slot(of: node.node.outputs[index])
  }

  /// Memory that all tiles and stages of this node share during a run; contents undefined at the start of a run.
  package func scratch(bytes: Int) throws -> TensorSlot { try memory.scratch(bytes: bytes) }

  /// Memory of each worker, see `RunContext.workerScratch`. The largest request of all nodes counts.
  package func requireWorkerScratch(bytes: Int) { memory.requireWorkerScratch(bytes: bytes) }

  /// Counts `bytes` of tables that nodes keep for their runs, where all of the program's then are at most `limit`.
  /// Returns whether they are.
  package func takeTable(bytes: Int, atMost limit: Int) -> Bool { memory.takeTable(bytes: bytes, atMost: limit) }

  /// Has `MemoryPlan.slackBytes` bytes behind a tensor readable, contents undefined, for kernels that read bytes in
  /// groups of four. Scratch memory always has them. Behind other tensors nothing may be read.
  package func requireSlack(behind slot: TensorSlot) { memory.requireSlack(behind: slot) }

  /// Memory that keeps its contents from run to run, filled with `initialByte` at first.
  package func state(_ key: StateKey, bytes: Int, initialByte: UInt8 = 0) -> TensorSlot {
    memory.state(key, bytes: bytes, initialByte: initialByte)
  }

  /// Returns the variable that resource-typed input `index` names.
  package func resource(ofInput index: Int) throws -> StateKey {
    guard index < node.node.inputs.count, let id = node.node.inputs[index], let key = node.values.resources[id] else {
      throw node.invalid("input \(index) does not come from a VAR_HANDLE operator of the same subgraph")
    }
    return key
  }

  /// Constants in the form a kernel wants: made once per model and layout, however often the model is compiled.
  ///
  /// - Parameters:
  ///   - index: The constant input that is packed.
  ///   - layout: Names everything the packed bytes depend on besides the constant's own bytes.
  package func packed(
    input index: Int, layout: PackedLayout, make: (UnsafeRawBufferPointer) throws -> AlignedBytes
  ) throws -> AlignedBytes {
    try packed(inputs: [index], layout: layout) { try make($0[0]) }
  }

  /// Several constants packed into one block, weights with their biases for example.
  ///
  /// - Parameters:
  ///   - indices: The constant inputs, whose bytes `make` gets in this order.
  ///   - layout: Names everything the packed bytes depend on besides the constants' own bytes.
  package func packed(
    inputs indices: [Int], layout: PackedLayout, make: ([UnsafeRawBufferPointer]) throws -> AlignedBytes
  ) throws -> AlignedBytes {
    let regions = try constants(indices)
    return try packing.value(regions, layout) { try make(regions.map { $0.filled().bytes }) }
  }

  /// Constants packed into a block of `byteCount` bytes, which is filled before the compilation ends: not yet when this
  /// returns.
  ///
  /// - Parameters:
  ///   - indices: The constant inputs, whose bytes `fill` gets in this order.
  ///   - layout: Names everything the packed bytes depend on besides the constants' own bytes.
  ///   - items: How many pieces the block has that can be filled one without the other, by several threads.
  ///   - fill: Writes some of them.
  package func packed(
    inputs indices: [Int], layout: PackedLayout, byteCount: Int, items: Int = 1,
    fill:
      @escaping @Sendable (_ sources: [UnsafeRawBufferPointer], _ packed: AlignedBytes, _ items: Range<Int>) throws ->
      Void
  ) throws -> AlignedBytes {
    try packing.value(try constants(indices), layout, byteCount: byteCount, items: items, fill: fill)
  }

  private func constants(_ indices: [Int]) throws -> [ByteRegion] {
    try indices.map { index in
      guard index < node.node.inputs.count, let id = node.node.inputs[index], let region = node.values.constants[id]
      else {
        throw node.invalid("input \(index) must be constant")
      }
      return region
    }
  }
}
