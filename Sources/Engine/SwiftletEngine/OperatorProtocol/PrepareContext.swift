package import SwiftletBase
package import SwiftletKernels

/// The context in which an operator is prepared: the node, the kernels, the options, and the memory that it may
/// request.
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
  /// - Throws: An error if the input is missing.
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

  /// Returns memory that all tiles and stages of this node share during a run. The contents are undefined at the start
  /// of a run.
  package func scratch(bytes: Int) throws -> TensorSlot { try memory.scratch(bytes: bytes) }

  /// Requests memory for each worker; see `RunContext.workerScratch`. The largest request of all nodes counts.
  package func requireWorkerScratch(bytes: Int) { memory.requireWorkerScratch(bytes: bytes) }

  /// Counts `bytes` of tables that nodes keep for their runs if the program's tables then take at most `limit` bytes.
  /// Returns whether they do.
  package func takeTable(bytes: Int, atMost limit: Int) -> Bool { memory.takeTable(bytes: bytes, atMost: limit) }

  /// Requests `MemoryPlan.slackBytes` readable bytes after a tensor, with undefined contents, for kernels that read
  /// bytes in groups of four. Scratch memory always has them. Nothing may be read after other tensors.
  package func requireSlack(behind slot: TensorSlot) { memory.requireSlack(behind: slot) }

  /// Returns memory that keeps its contents between runs, initially filled with `initialByte`.
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

  /// Returns constants in the form that a kernel needs. They are packed once per model and layout, even if the model is
  /// compiled several times.
  ///
  /// - Parameters:
  ///   - index: The index of the constant input.
  ///   - layout: Identifies everything that the packed bytes depend on, except the constant's own bytes.
  package func packed(
    input index: Int, layout: PackedLayout, make: (UnsafeRawBufferPointer) throws -> AlignedBytes
  ) throws -> AlignedBytes {
    try packed(inputs: [index], layout: layout) { try make($0[0]) }
  }

  /// Returns several constants packed into one block, for example weights with their biases.
  ///
  /// - Parameters:
  ///   - indices: The indices of the constant inputs. `make` receives their bytes in this order.
  ///   - layout: Identifies everything that the packed bytes depend on, except the constants' own bytes.
  package func packed(
    inputs indices: [Int], layout: PackedLayout, make: ([UnsafeRawBufferPointer]) throws -> AlignedBytes
  ) throws -> AlignedBytes {
    let regions = try constants(indices)
    return try packing.value(regions, layout) { try make(regions.map { $0.filled().bytes }) }
  }

  /// Returns constants packed into a block of `byteCount` bytes. The block is filled before the compilation ends, after
  /// this method returns.
  ///
  /// - Parameters:
  ///   - indices: The indices of the constant inputs. `fill` receives their bytes in this order.
  ///   - layout: Identifies everything that the packed bytes depend on, except the constants' own bytes.
  ///   - items: The number of items in the block that several threads can fill independently.
  ///   - fill: Writes a range of items.
  package func packed(
    inputs indices: [Int], layout: PackedLayout, byteCount: Int, items: Int = 1,
    fill:
      @escaping @Sendable (_ sources: [UnsafeRawBufferPointer], _ packed: AlignedBytes, _ items: Range<Int>) throws ->
      Void
  ) throws -> AlignedBytes {
    try packing.value(try constants(indices), layout, byteCount: byteCount, items: items, fill: fill)
  }

  /// Returns the float16 constant that input `index`, a large float32 constant, is expanded from; `nil` if there is none.
  package func float16Source(ofInput index: Int) -> ByteRegion? {
    guard index < node.node.inputs.count, let id = node.node.inputs[index], let region = node.values.constants[id],
      let expansion = region.deferred, expansion.source.count * 2 == region.count
    else { return nil }
    return expansion.source
  }

  /// Returns a result of `float16Source` and constants packed into a block of `byteCount` bytes, as the method for inputs
  /// does. `fill` receives `source` first.
  package func packed(
    _ source: ByteRegion, inputs indices: [Int], layout: PackedLayout, byteCount: Int, items: Int,
    fill:
      @escaping @Sendable (_ sources: [UnsafeRawBufferPointer], _ packed: AlignedBytes, _ items: Range<Int>) throws ->
      Void
  ) throws -> AlignedBytes {
    try packing.value([source] + constants(indices), layout, byteCount: byteCount, items: items, fill: fill)
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
