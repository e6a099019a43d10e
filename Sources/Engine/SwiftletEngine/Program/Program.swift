import SwiftletBase

/// A graph compiled for certain input shapes: steps in order, and a place for every tensor. Immutable and shared by
/// sessions.
final class Program: Sendable {
  /// What a step belongs to, for messages and profiles.
  struct NodeRecord: Sendable {
    var location: RuntimeError.Location
    var outputName: String
    var multiplyAdds: Int
    var precision: Precision
    /// What it takes of one thread, in nanoseconds, by estimate.
    var work: Double
    var implementation: Implementation
  }

  /// Where a slot's memory comes from.
  enum SlotLocation: Sendable {
    case arena(offset: Int)
    case constant(ByteRegion)
    case state(StateKey, bytes: Int, initialByte: UInt8)
    /// A value that lies outside of the program: one of the program that ran before it in the same run, or an output
    /// that becomes a constant.
    case external(ValueID)
  }

  /// Nodes whose shapes depend on values computed by this program.
  struct Deferred: Sendable {
    var nodes: [Node]
    var values: ValueSet
    /// Values that the graph's outputs need from the deferred nodes.
    var results: BitSet
  }

  let nodes: [NodeRecord]
  let steps: [ProgramStep]
  let locations: [SlotLocation]
  let slots: ValueMap<TensorSlot>
  /// Types and shapes of all values, as inferred.
  let specs: [TensorSpec]
  let arenaByteCount: Int
  let workerScratchByteCount: Int
  /// Tables that operators keep for a run.
  let tableByteCount: Int
  let deferred: Deferred?
  /// Whether nothing is deferred: one question without copying what is.
  let isComplete: Bool
  /// What all nodes together take of one thread, in nanoseconds, by estimate.
  let work: Double
  /// What was planned and where, kept for self-checks and reports.
  let memoryRequests: [MemoryRequest]
  let memoryPlan: MemoryPlan
  /// The position in `memoryRequests` of what each slot lies in; `nil` for slots outside of the arena.
  let blockOfSlot: [Int?]
  /// What each step may touch; `nil` unless the program runs in checked mode.
  let checked: CheckedPlan?

  init(
    nodes: [NodeRecord], steps: [ProgramStep], locations: [SlotLocation], slots: ValueMap<TensorSlot>,
    specs: [TensorSpec],
    arenaByteCount: Int, workerScratchByteCount: Int, tableByteCount: Int, deferred: Deferred?,
    memoryRequests: [MemoryRequest],
    memoryPlan: MemoryPlan, blockOfSlot: [Int?], checked: CheckedPlan?
  ) {
    self.nodes = nodes
    self.steps = steps
    self.locations = locations
    self.slots = slots
    self.specs = specs
    self.arenaByteCount = arenaByteCount
    self.workerScratchByteCount = workerScratchByteCount
    self.tableByteCount = tableByteCount
    self.deferred = deferred
    isComplete = deferred == nil
    work = nodes.reduce(0) { $0 + $1.work }
    self.memoryRequests = memoryRequests
    self.memoryPlan = memoryPlan
    self.blockOfSlot = blockOfSlot
    self.checked = checked
  }

  /// Where most of the work is.
  var maximumWork: RuntimeError.Location? { nodes.max { $0.work < $1.work }?.location }
}

extension Program {
  /// About what the program itself takes in a session, besides the memory of its tensors.
  var recordByteCount: Int {
    4096 + tableByteCount + specs.count * MemoryLayout<TensorSpec>.stride + locations.count
      * (MemoryLayout<SlotLocation>.stride + 8)
      + steps.count * (MemoryLayout<ProgramStep>.stride + 256)
  }

  /// Where it begins, for messages: the subgraph of the model, when it is not the main one.
  var place: RuntimeError.Location? { nodes.first.map { RuntimeError.Location(subgraph: $0.location.subgraph) } }
}
