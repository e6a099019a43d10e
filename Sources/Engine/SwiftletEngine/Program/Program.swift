import SwiftletBase

/// A graph compiled for specific input shapes: ordered steps, and a location for every tensor. Immutable and shared by
/// sessions.
final class Program: Sendable {
  /// The node that a step belongs to, for messages and profiles.
  struct NodeRecord: Sendable {
    var location: RuntimeError.Location
    var outputName: String
    var multiplyAdds: Int
    var precision: Precision
    /// The estimated single-thread time in nanoseconds.
    var work: Double
    var implementation: Implementation
  }

  /// The location of a slot's memory.
  enum SlotLocation: Sendable {
    case arena(offset: Int)
    case constant(ByteRegion)
    case state(StateKey, bytes: Int, initialByte: UInt8)
    /// A value outside the program: a value of the previous program in the same run, or an output that becomes a
    /// constant.
    case external(ValueID)
  }

  /// The nodes whose shapes depend on values computed by this program.
  struct Deferred: Sendable {
    var nodes: [Node]
    var values: ValueSet
    /// The values that the deferred nodes must provide for the graph's outputs.
    var results: BitSet
  }

  let nodes: [NodeRecord]
  let steps: [ProgramStep]
  let locations: [SlotLocation]
  let slots: ValueMap<TensorSlot>
  /// The inferred types and shapes of all values.
  let specs: [TensorSpec]
  let arenaByteCount: Int
  let workerScratchByteCount: Int
  /// The size of the tables that operators keep for a run, in bytes.
  let tableByteCount: Int
  let deferred: Deferred?
  /// Whether nothing is deferred. Stored separately, so that checking it doesn't copy the deferred nodes.
  let isComplete: Bool
  /// The estimated single-thread time of all nodes in nanoseconds.
  let work: Double
  /// The requests and results of memory planning, kept for self-checks and reports.
  let memoryRequests: [MemoryRequest]
  let memoryPlan: MemoryPlan
  /// The index in `memoryRequests` of each slot's block; `nil` for slots outside the arena.
  let blockOfSlot: [Int?]
  /// The memory that each step may access; `nil` unless the program runs in checked mode.
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

  /// The location of the node with the most work.
  var maximumWork: RuntimeError.Location? { nodes.max { $0.work < $1.work }?.location }
}

extension Program {
  /// The approximate size of the program in a session, in addition to the memory of its tensors.
  var recordByteCount: Int {
    4096 + tableByteCount + specs.count * MemoryLayout<TensorSpec>.stride + locations.count
      * (MemoryLayout<SlotLocation>.stride + 8)
      + steps.count * (MemoryLayout<ProgramStep>.stride + 256)
  }

  /// The start of the program, for messages: the subgraph of the model, if it isn't the main graph.
  var place: RuntimeError.Location? { nodes.first.map { RuntimeError.Location(subgraph: $0.location.subgraph) } }
}
