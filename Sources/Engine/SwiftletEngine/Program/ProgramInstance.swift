import SwiftletBase

/// The memory that outlives runs: the variable tensors and resource variables of one session.
final class StateStore {
  private struct Variable {
    var block: AlignedBytes
    var initialByte: UInt8
  }

  private var variables = StateMap<Variable>()
  private let memory: SessionMemory
  /// A counter that changes whenever a variable moves to a larger block.
  private(set) var generation = 0

  init(_ memory: SessionMemory) { self.memory = memory }

  /// Returns the memory of a variable.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if there is no memory for the variable.
  func block(_ key: StateKey, bytes: Int, initialByte: UInt8) throws(RuntimeError) -> AlignedBytes {
    if let known = variables[key], known.block.bytes.count >= bytes { return known.block }
    let block = try memory.allocate(bytes, for: "variables")
    if initialByte != 0 { fill(block, with: initialByte) }
    if let old = variables[key] {
      block.bytes.copyBytes(from: old.block.bytes)
      generation += 1
    }
    variables.set(key, to: Variable(block: block, initialByte: initialByte))
    return block
  }

  /// Returns the header of a resource variable; zeros if no program has used it yet.
  func header(of key: StateKey) -> UnsafeMutableRawBufferPointer {
    let bytes = (variables[key]?.block ?? AlignedBytes.nowhere).bytes
    return UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(StateKey.headerByteCount))
  }

  /// Resets every variable to its initial contents.
  func reset() {
    for variable in variables.elements { fill(variable.block, with: variable.initialByte) }
  }

  private func fill(_ block: AlignedBytes, with byte: UInt8) {
    block.bytes.initializeMemory(as: UInt8.self, repeating: byte)
  }
}

/// A program bound to memory: the arena of one session and its address table.
final class ProgramInstance {
  let program: Program
  private let arena: AlignedBytes
  private let workerScratch: [AlignedBytes]
  /// The charge for the program and the address table.
  private let charge: MemoryCharge
  private let store: StateStore
  private var states: [AlignedBytes] = []
  /// The store's generation when the state addresses were bound.
  private var generation = 0
  private let pointers: UnsafeMutableBufferPointer<UnsafeMutableRawPointer>
  /// The tile context of each worker.
  private let contexts: UnsafeMutableBufferPointer<RunContext>
  private let team: ThreadTeam
  /// The runner that replaces `team` in checked mode and limits each step to its tensors.
  private let checked: CheckedRun?
  private let checkedMemory: CheckedMemory?
  private let checkedCharge: MemoryCharge?

  /// Creates an instance.
  ///
  /// - Parameters:
  ///   - checkedMemory: The memory of the tensors in checked mode, instead of one arena.
  ///   - external: The memory of values outside the program.
  /// - Throws: `RuntimeError` (`limitExceeded`) if there is no memory for the arena or a variable.
  init(
    _ program: Program, states store: StateStore, memory: SessionMemory, threads: Int,
    checkedMemory: CheckedMemory? = nil,
    external: (ValueID) -> UnsafeMutableRawPointer?
  ) throws(RuntimeError) {
    charge = try memory.charge(program.recordByteCount, for: "the steps of a program", at: program.place)
    let checked = try program.checked.flatMap { plan throws(RuntimeError) in
      try checkedMemory.map { memory throws(RuntimeError) in try CheckedRun(program, plan, memory) }
    }
    // In checked mode, tensors aren't in an arena but have the same size.
    checkedCharge = try checked.map { _ throws(RuntimeError) in
      try memory.charge(program.arenaByteCount, for: "the model's tensors", at: program.place)
    }
    let arena = try memory.allocate(
      checked == nil ? program.arenaByteCount : 0, for: "the model's tensors", at: program.place)
    let team = ThreadTeam(program: program.steps, threads: threads)
    var workerScratch: [AlignedBytes] = []
    for _ in 0..<team.workerCount {
      workerScratch.append(
        try memory.allocate(program.workerScratchByteCount, for: "intermediate results", at: program.place))
    }
    self.program = program
    self.arena = arena
    self.store = store
    let firstPointer = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(
      capacity: max(1, program.locations.count))
    let pointers = UnsafeMutableBufferPointer(start: firstPointer, count: max(1, program.locations.count))
    let nowhere = checked?.nowhere ?? AlignedBytes.nowhere.start
    pointers.initialize(repeating: nowhere)
    contexts = .allocate(capacity: workerScratch.count)
    for (worker, scratch) in workerScratch.enumerated() {
      contexts.initializeElement(at: worker, to: RunContext(pointers: firstPointer, workerScratch: scratch.start))
    }
    for (index, location) in program.locations.enumerated() {
      switch location {
      case .arena(let offset): pointers[index] = checked?.address(ofSlot: index) ?? arena.start + offset
      case .constant(let region):
        pointers[index] = region.bytes.baseAddress.map(UnsafeMutableRawPointer.init(mutating:)) ?? nowhere
      case .state: break
      case .external(let id): pointers[index] = external(id) ?? nowhere
      }
    }
    self.pointers = pointers
    self.team = team
    self.workerScratch = workerScratch
    self.checked = checked
    self.checkedMemory = checkedMemory
    try bindStates()
  }

  deinit {
    contexts.deallocate()
    pointers.deallocate()
  }

  /// Copies the addresses of variables from the store.
  private func bindStates() throws(RuntimeError) {
    states = []
    for (index, location) in program.locations.enumerated() {
      guard case .state(let key, let bytes, let initialByte) = location else { continue }
      let block = try AlignedBytes.taking(from: checkedMemory) { () throws(RuntimeError) in
        try store.block(key, bytes: bytes, initialByte: initialByte)
      }
      states.append(block)
      pointers[index] = block.start
    }
    generation = store.generation
  }

  /// Runs all steps.
  ///
  /// - Throws: The first error of a step, and the errors of the budget's check.
  func run(profile: RunProfile?, budget: RunBudget) throws {
    guard let contexts = contexts.baseAddress else { return }
    if generation != store.generation { try bindStates() }
    if let checked {
      return try checked.run(contexts[0].pointers, isAlone: team.workerCount == 1, profile: profile, budget: budget)
    }
    try team.run(contexts, profile: profile, budget: budget)
  }

  /// Runs all steps on the caller's thread, in the tiles for a team.
  ///
  /// - Returns: The time of each tile; empty in checked mode, where steps aren't divided into tiles for a team.
  func runTimed(budget: RunBudget) throws -> [PhaseTimes] {
    guard checked == nil, let context = contexts.first else { return [] }
    if generation != store.generation { try bindStates() }
    return try team.runTimed(context, budget: budget)
  }

  /// Returns the memory of a value, or `nil` if this program doesn't contain it.
  func memory(of id: ValueID) -> UnsafeMutableRawBufferPointer? {
    guard let slot = program.slots[id] else { return nil }
    if let checked, let pointers = UnsafePointer(pointers.baseAddress) { checked.open(id, slot, pointers) }
    return UnsafeMutableRawBufferPointer(start: pointers[slot.index], count: program.specs[id].storedByteCount ?? 0)
  }
}
