import SwiftletBase

/// Memory that outlives runs: variable tensors and resource variables of one session.
final class StateStore {
  private struct Variable {
    var block: AlignedBytes
    var initialByte: UInt8
  }

  private var variables = StateMap<Variable>()
  private let memory: SessionMemory
  /// Changes whenever a variable moves to a larger block.
  private(set) var generation = 0

  init(_ memory: SessionMemory) { self.memory = memory }

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

  /// What a resource variable says about itself; zeros where no program has used it yet.
  func header(of key: StateKey) -> UnsafeMutableRawBufferPointer {
    let bytes = (variables[key]?.block ?? AlignedBytes.nowhere).bytes
    return UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(StateKey.headerByteCount))
  }

  /// Gives every variable its initial contents again.
  func reset() {
    for variable in variables.elements { fill(variable.block, with: variable.initialByte) }
  }

  private func fill(_ block: AlignedBytes, with byte: UInt8) {
    block.bytes.initializeMemory(as: UInt8.self, repeating: byte)
  }
}

/// A program bound to memory: one session's arena and table of addresses.
final class ProgramInstance {
  let program: Program
  private let arena: AlignedBytes
  private let workerScratch: [AlignedBytes]
  /// For the program and the table of addresses.
  private let charge: MemoryCharge
  private let store: StateStore
  private var states: [AlignedBytes] = []
  /// The store's generation that the addresses of states are from.
  private var generation = 0
  private let pointers: UnsafeMutableBufferPointer<UnsafeMutableRawPointer>
  /// What tiles get, for every worker.
  private let contexts: UnsafeMutableBufferPointer<RunContext>
  private let team: ThreadTeam
  /// Runs the steps in the place of `team`, where each is confined to its tensors.
  private let checked: CheckedRun?
  private let checkedMemory: CheckedMemory?
  private let checkedCharge: MemoryCharge?

  /// - Parameters:
  ///   - checkedMemory: Where tensors lie in checked mode, instead of in one arena.
  ///   - external: The memory of values that lie outside of the program.
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
    // In checked mode tensors lie elsewhere, but they are as many bytes.
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

  /// Takes the addresses of variables from the store.
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
  /// - Throws: the first error a step threw, and what the budget's check throws.
  func run(profile: RunProfile?, budget: RunBudget) throws {
    guard let contexts = contexts.baseAddress else { return }
    if generation != store.generation { try bindStates() }
    if let checked {
      return try checked.run(contexts[0].pointers, isAlone: team.workerCount == 1, profile: profile, budget: budget)
    }
    try team.run(contexts, profile: profile, budget: budget)
  }

  /// Runs all steps on the caller's thread as a team would share them.
  ///
  /// - Returns: what each tile took; empty in checked mode, where steps are not shared.
  func runTimed(budget: RunBudget) throws -> [PhaseTimes] {
    guard checked == nil, let context = contexts.first else { return [] }
    if generation != store.generation { try bindStates() }
    return try team.runTimed(context, budget: budget)
  }

  /// Returns the memory of a value, or `nil` if this program does not hold it.
  func memory(of id: ValueID) -> UnsafeMutableRawBufferPointer? {
    guard let slot = program.slots[id] else { return nil }
    if let checked, let pointers = UnsafePointer(pointers.baseAddress) { checked.open(id, slot, pointers) }
    return UnsafeMutableRawBufferPointer(start: pointers[slot.index], count: program.specs[id].storedByteCount ?? 0)
  }
}
