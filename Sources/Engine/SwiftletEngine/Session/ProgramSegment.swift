import SwiftletBase

/// A part of a run that has computed values.
protocol ValueHolder: AnyObject {
  /// The computed values.
  var values: BitSet { get }
  func holds(_ value: ValueID) -> Bool
  func memory(of value: ValueID) -> UnsafeMutableRawBufferPointer?
  func spec(of value: ValueID) -> TensorSpec?
  /// The nodes that remain to be computed after it.
  var rest: Program.Deferred? { get }
}

extension ProgramInstance: ValueHolder {
  var values: BitSet { BitSet(program.slots.keys) }
  func holds(_ value: ValueID) -> Bool { program.slots[value] != nil }
  func spec(of value: ValueID) -> TensorSpec? { program.specs.indices.contains(value) ? program.specs[value] : nil }
  var rest: Program.Deferred? { program.deferred }
}

/// The results of a control node.
final class ControlResults: ValueHolder {
  private let tensors: [ValueID: TensorView]
  private let blocks: [AlignedBytes]
  /// The charge for the copy of all values' types and shapes.
  private let charge: MemoryCharge
  let rest: Program.Deferred?

  /// Creates the results.
  ///
  /// - Parameter blocks: The memory of the tensors.
  /// - Throws: An error if a tensor has another type than the node's output, and `limitExceeded`.
  init(_ node: Node, tensors: [TensorView], blocks: [AlignedBytes], rest: Program.Deferred, memory: SessionMemory)
    throws
  {
    charge = try memory.charge(
      rest.values.specs.count * MemoryLayout<TensorSpec>.stride, for: "the shapes of a run", at: node.location)
    var byValue: [ValueID: TensorView] = [:]
    var values = rest.values
    for (output, tensor) in zip(node.outputs, tensors) {
      let declared = values.specs[output]
      try SubgraphBoundary(subgraph: nil, location: node.location).checkResult(tensor.spec, for: declared)
      values.specs[output].shape = tensor.spec.shape
      values.resources[output] = tensor.resource
      byValue[output] = TensorView(spec: values.specs[output], memory: tensor.memory, resource: tensor.resource)
    }
    self.tensors = byValue
    self.blocks = blocks
    let nodes = Array(rest.nodes.dropFirst())
    self.rest = nodes.isEmpty ? nil : Program.Deferred(nodes: nodes, values: values, results: rest.results)
  }

  var values: BitSet { BitSet(tensors.keys) }
  func holds(_ value: ValueID) -> Bool { tensors[value] != nil }
  func memory(of value: ValueID) -> UnsafeMutableRawBufferPointer? { tensors[value]?.memory }
  func spec(of value: ValueID) -> TensorSpec? { tensors[value]?.spec }

  /// Returns whether both have the same tensors at the same addresses, so that a segment compiled after one can also
  /// run after the other.
  func isSame(as other: ControlResults) -> Bool {
    tensors.count == other.tensors.count
      && tensors.allSatisfy { value, tensor in
        guard let same = other.tensors[value] else { return false }
        return same.spec.shape == tensor.spec.shape && same.memory.baseAddress == tensor.memory.baseAddress
          && same.resource == tensor.resource
      }
  }
}

/// The values that a compilation read, with copies of their bytes.
final class RecordedReads {
  private var reads: [ValueID: AlignedBytes] = [:]
  private let memory: SessionMemory

  init(_ memory: SessionMemory) { self.memory = memory }

  /// Records a copy of a value.
  ///
  /// - Throws: `limitExceeded` if there is no memory for a copy.
  func record(_ value: ValueID, _ bytes: UnsafeRawBufferPointer) throws(RuntimeError) {
    guard reads[value] == nil else { return }
    let copy = try memory.allocate(bytes.count, for: "values that shapes depend on")
    copy.bytes.copyMemory(from: bytes)
    reads[value] = copy
  }

  /// Returns whether all values are unchanged.
  func isCurrent(_ memory: (ValueID) -> UnsafeMutableRawBufferPointer?) -> Bool {
    reads.allSatisfy { value, copy in memory(value)?.elementsEqual(copy.bytes) ?? false }
  }
}

/// One segment of a run after the program that was compiled ahead of time.
struct ProgramSegment {
  let holder: any ValueHolder
  /// The values, other than shapes, that a program was compiled from; `nil` for a control node.
  var reads: RecordedReads?
}
