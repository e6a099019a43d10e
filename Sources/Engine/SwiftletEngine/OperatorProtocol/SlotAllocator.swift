import SwiftletBase

/// An allocator that assigns slots while nodes are prepared, and records the memory that each node accesses.
final class SlotAllocator {
  enum Source {
    case value(ValueID)
    case scratch(bytes: Int)
    case state(StateKey, bytes: Int, initialByte: UInt8)
  }

  private(set) var sources: [Source] = []
  private(set) var workerScratchBytes = 0
  /// The indices in `sources` of tensors that kernels read past the end of; see `PrepareContext.requireSlack(behind:)`.
  private(set) var slack = BitSet()
  /// The size of tables that nodes keep for their runs, in bytes; see `PrepareContext.takeTable(bytes:atMost:)`.
  private(set) var tableBytes = 0
  private var slotsByValue = ValueMap<TensorSlot>()
  private var slotsByState = StateMap<TensorSlot>()
  /// The scratch and state slots requested since `beginNode`.
  private(set) var currentScratch: [TensorSlot] = []
  private(set) var currentStates: [TensorSlot] = []
  /// The value slots requested since `beginNode`, and the scratch memory per worker.
  private(set) var currentValues: [TensorSlot] = []
  private(set) var currentWorkerScratchBytes = 0
  /// The implementation of the node; see `PrepareContext.uses`.
  private var noted: Implementation?
  private var notedWindow: (height: Int, width: Int)?

  var valueSlots: ValueMap<TensorSlot> { slotsByValue }

  func beginNode() {
    currentScratch.removeAll(keepingCapacity: true)
    currentStates.removeAll(keepingCapacity: true)
    currentValues.removeAll(keepingCapacity: true)
    currentWorkerScratchBytes = 0
    noted = nil
    notedWindow = nil
  }

  func note(_ implementation: Implementation) {
    if noted == nil { noted = implementation }
  }

  func note(window: (height: Int, width: Int)) { notedWindow = window }

  var currentImplementation: Implementation {
    var implementation = noted ?? .loop
    implementation.window = notedWindow
    return implementation
  }

  func slot(of value: ValueID) -> TensorSlot {
    if let slot = slotsByValue[value] {
      currentValues.append(slot)
      return slot
    }
    let slot = add(.value(value))
    slotsByValue[value] = slot
    currentValues.append(slot)
    return slot
  }

  func scratch(bytes: Int) throws -> TensorSlot {
    guard bytes >= 0 else { throw RuntimeError(.limitExceeded, "cannot allocate scratch memory of \(bytes) bytes") }
    let slot = add(.scratch(bytes: bytes))
    currentScratch.append(slot)
    return slot
  }

  func state(_ key: StateKey, bytes: Int, initialByte: UInt8) -> TensorSlot {
    if let slot = slotsByState[key] {
      if case .state(_, let known, _) = sources[slot.index], known < bytes {
        sources[slot.index] = .state(key, bytes: bytes, initialByte: initialByte)
      }
      currentStates.append(slot)
      return slot
    }
    let slot = add(.state(key, bytes: bytes, initialByte: initialByte))
    slotsByState.set(key, to: slot)
    currentStates.append(slot)
    return slot
  }

  func requireSlack(behind slot: TensorSlot) { slack.insert(slot.index) }

  /// Counts `bytes` of tables if all tables then take at most `limit` bytes. Returns whether they do.
  func takeTable(bytes: Int, atMost limit: Int) -> Bool {
    guard bytes <= limit - tableBytes else { return false }
    tableBytes += bytes
    return true
  }

  func requireWorkerScratch(bytes: Int) {
    workerScratchBytes = max(workerScratchBytes, bytes)
    currentWorkerScratchBytes = max(currentWorkerScratchBytes, bytes)
  }

  private func add(_ source: Source) -> TensorSlot {
    sources.append(source)
    return TensorSlot(index: sources.count - 1)
  }
}
