import SwiftletBase

/// A session that runs a compiled model, one run at a time, with its own arena.
///
/// - Thread safety: One caller at a time. Create a session per thread; sessions share the compiled model.
public final class Session {
  /// The model that the session runs.
  public let model: CompiledModel
  let environment: RunEnvironment
  var strings: StringPool { environment.strings }
  let main: GraphExecutor
  private var runProfile: RunProfile?
  /// The indices of the inputs that contain strings and aren't constant.
  private(set) lazy var stringInputs = inputs.indices.filter {
    inputs[$0].elementType == .string && !isConstantInput($0)
  }

  /// Creates a session that runs a compiled model.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if the tensors exceed the limits.
  public init(_ model: CompiledModel) throws(RuntimeError) {
    self.model = model
    environment = RunEnvironment(model)
    do {
      main = try GraphExecutor(environment, graph: model.graph, program: model.program)
    } catch {
      throw RuntimeError(wrapping: error)
    }
    if model.options.isProfiling { runProfile = RunProfile(nodeCount: main.program.nodes.count) }
  }

  /// Returns a session for another entry point of the model. Its inputs and outputs have the signature's names.
  ///
  /// The new session shares packed constants with this session. It has its own tensors and variables.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the signatures if there is none named `key`, and the
  ///   errors of the initializers.
  public func signature(_ key: String) throws(RuntimeError) -> Session { try Session(try model.signature(key)) }

  // MARK: Tensors

  /// The inputs with their current shapes.
  public var inputs: [TensorSpec] { main.inputs }

  /// The outputs with the shapes of the last run.
  public var outputs: [TensorSpec] { main.outputs }

  /// Returns the index of the input named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the available names.
  public func inputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.inputs, "input")
  }

  /// Returns the index of the output named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the available names.
  public func outputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.outputs, "output")
  }

  private static func index(of name: String, in ports: [Graph.Port], _ what: String) throws(RuntimeError) -> Int {
    if let index = ports.firstIndex(where: { $0.name == name }) { return index }
    let names = SanitizedText.list(ports.map(\.name), in: "'")
    throw RuntimeError(.invalidArgument, "the model has no \(what) '\(name.excerpt)'; it has \(names)")
  }

  /// Calls `body` with the memory of input `index`, to be filled before a run. The contents persist between runs.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if there is no such input, and the errors of `body`.
  public func withInput<Result>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let memory = try storedInput(index)
    let spec = main.inputSpec(index)
    guard spec.elementType != .string else {
      throw RuntimeError(.typeMismatch, "input \(index) \(spec) contains strings; set them with setStrings(_:at:)")
    }
    return try body(memory)
  }

  /// Calls `body` with the memory and the spec of an input. Strings are represented by IDs in the pool.
  func withStoredInput<Result>(
    _ index: Int, _ body: (TensorSpec, UnsafeMutableRawBufferPointer) throws(RuntimeError) -> Result
  ) throws(RuntimeError) -> Result {
    let memory = try storedInput(index)
    return try body(main.inputSpec(index), memory)
  }

  /// Returns the memory of an input.
  private func storedInput(_ index: Int) throws(RuntimeError) -> UnsafeMutableRawBufferPointer {
    let port = try Self.port(index, of: model.graph.inputs, "input")
    guard let memory = main.memory(ofInput: port.value) else {
      throw RuntimeError(.invalidArgument, "input \(index) is a constant of the model")
    }
    return memory
  }

  func isConstantInput(_ index: Int) -> Bool { main.memory(ofInput: model.graph.inputs[index].value) == nil }

  /// Calls `body` with the memory of input `index` as typed elements.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) if the input has another type, and the errors of `withInput(_:_:)`.
  public func withInput<Scalar: TensorScalar, Result>(
    _ index: Int, as type: Scalar.Type, _ body: (UnsafeMutableBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    // `withInput(_:_:)` rejects an invalid index.
    if model.graph.inputs.indices.contains(index) { try Self.check(type, main.inputSpec(index), "input") }
    return try withInput(index) { try body($0.assumingMemoryBound(to: type)) }
  }

  /// Calls `body` with the memory of output `index`, which is valid until the next run.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if there is no such output or if the session hasn't run yet, and the
  ///   errors of `body`.
  public func withOutput<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let memory = try storedOutput(index)
    let spec = main.outputSpec(index)
    guard spec.elementType != .string else {
      throw RuntimeError(.typeMismatch, "output \(index) \(spec) contains strings; read them with strings(ofOutput:)")
    }
    return try body(memory)
  }

  /// Calls `body` with the memory and the spec of an output. Strings are represented by IDs in the pool.
  func withStoredOutput<Result>(
    _ index: Int, _ body: (TensorSpec, UnsafeRawBufferPointer) throws(RuntimeError) -> Result
  ) throws(RuntimeError) -> Result {
    let memory = try storedOutput(index)
    return try body(main.outputSpec(index), memory)
  }

  /// Returns the memory of an output.
  private func storedOutput(_ index: Int) throws(RuntimeError) -> UnsafeRawBufferPointer {
    let port = try Self.port(index, of: model.graph.outputs, "output")
    guard port.isRead else {
      throw RuntimeError(
        .invalidArgument,
        "output \(index) '\(port.name.excerpt)' is not computed: the model was compiled with it among unusedOutputs")
    }
    guard let memory = main.memory(of: port.value) else {
      throw RuntimeError(.invalidArgument, "output \(index) '\(port.name.excerpt)' has no value before the first run")
    }
    return UnsafeRawBufferPointer(memory)
  }

  /// Calls `body` with the memory of output `index` as typed elements.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) if the output has another type, and the errors of `withOutput(_:_:)`.
  public func withOutput<Scalar: TensorScalar, Result>(
    _ index: Int, as type: Scalar.Type, _ body: (UnsafeBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    if model.graph.outputs.indices.contains(index) { try Self.check(type, main.outputSpec(index), "output") }
    return try withOutput(index) { try body($0.assumingMemoryBound(to: type)) }
  }

  private static func port(_ index: Int, of ports: [Graph.Port], _ what: String) throws(RuntimeError) -> Graph.Port {
    guard ports.indices.contains(index) else {
      throw RuntimeError(.invalidArgument, "there is no \(what) \(index); the model has \(ports.count)")
    }
    return ports[index]
  }

  static func check<Scalar: TensorScalar>(
    _ type: Scalar.Type, _ spec: TensorSpec, _ what: String
  ) throws(RuntimeError) {
    guard spec.elementType != Scalar.elementType else { return }
    throw RuntimeError(.typeMismatch, "\(what) \(spec) holds \(spec.elementType.name), not \(Scalar.elementType.name)")
  }

  // MARK: Shapes

  /// Resizes input `index`; see `resizeInputs(to:)`.
  public func resizeInput(at index: Int, to shape: Shape) throws(RuntimeError) {
    _ = try Self.port(index, of: model.graph.inputs, "input")
    var shapes = inputs.map(\.shape)
    shapes[index] = shape
    try resizeInputs(to: shapes)
  }

  /// Resizes all inputs. Unless all shapes stay the same, this infers all shapes again, plans all memory again, and
  /// discards the contents of the inputs.
  ///
  /// - Throws: `RuntimeError` that names the operator that doesn't accept the shapes. The session then keeps its old
  ///   shapes.
  public func resizeInputs(to shapes: [Shape]) throws(RuntimeError) {
    let ports = model.graph.inputs
    guard shapes.count == ports.count else {
      throw RuntimeError(.invalidArgument, "the model takes \(ports.count) inputs, got \(shapes.count) shapes")
    }
    let rankLimit = model.options.limits.rank
    for (index, shape) in shapes.enumerated() {
      guard shape.dimensions.allSatisfy({ $0 >= 0 }), shape.rank <= rankLimit else {
        throw RuntimeError(
          .invalidArgument,
          "\(shape) is not a shape for input \(index): sizes must not be negative, rank at most \(rankLimit)")
      }
    }
    let program = main.program
    try RuntimeError.wrapping { try main.resize(to: shapes) }
    if runProfile != nil, program !== main.program { runProfile = RunProfile(nodeCount: main.program.nodes.count) }
  }

  // MARK: Runs

  /// Computes the outputs from the current contents of the inputs.
  ///
  /// A run also ends if the task that called it is cancelled. Cancellation and deadline are checked between work items
  /// of some milliseconds. The outputs, and the state that operators keep between runs, are then undefined;
  /// `resetState()` restores the initial state.
  ///
  /// - Throws: `RuntimeError`: `invalidInput` if an operator's result is undefined for these values; `limitExceeded` if
  ///   loops don't end, or if subgraphs, results, and strings take too much memory; `deadlineExceeded`; and
  ///   `cancelled`. The session stays usable.
  public func run() throws(RuntimeError) { try run(until: nil) }

  /// Computes the outputs as `run()` does, with a deadline.
  ///
  /// - Parameter deadline: The latest time for the run to end, in addition to `RuntimeOptions.timeout`.
  /// - Throws: The errors of `run()`.
  public func run(deadline: ContinuousClock.Instant) throws(RuntimeError) { try run(until: Deadline(deadline)) }

  func run(until deadline: Deadline?) throws(RuntimeError) {
    environment.beginRun(deadline: deadline)
    try environment.budget.check()
    if environment.stringByteCount > 0 { try forgetStrings() }
    do {
      guard let checkedMemory = environment.checkedMemory else { return try main.run(profile: runProfile) }
      try AlignedBytes.taking(from: checkedMemory) { try main.run(profile: runProfile) }
    } catch {
      // The run may have failed because of the strings, and the next inputs need room.
      try forgetStrings()
      throw RuntimeError(wrapping: error)
    }
  }

  /// Resets every variable of the model to its initial value, as if nothing had run.
  public func resetState() {
    environment.reset()
  }

  // MARK: Reports

  /// The total time of one operator over all runs.
  public struct OperatorTime: Sendable, Hashable {
    /// The index in the model's graph.
    public var index: Int
    /// The name of the operator, such as `CONV_2D`.
    public var name: String
    /// The name of the first output.
    public var output: String
    /// The time of all threads, summed over all runs.
    public var duration: Duration
    /// The number of multiply-adds in one run; 0 if the operator doesn't multiply and add.
    public var multiplyAdds: Int
    /// The algorithm and the instruction set of its kernels: `indirect GEMM int8 3×3, avx512`. For display only; the
    /// text may change.
    public var implementation: String
  }

  /// The time spent in each operator since the session was created, if `RuntimeOptions.isProfiling` is set. The times
  /// of all threads are summed.
  public var profile: [OperatorTime] {
    guard let runProfile else { return [] }
    return zip(main.program.nodes, runProfile.totals).map { node, total in
      OperatorTime(
        index: node.location.operatorIndex ?? 0, name: node.location.operatorName ?? "", output: node.outputName,
        duration: total, multiplyAdds: node.multiplyAdds, implementation: "\(node.implementation)")
    }
  }

  /// Computes the outputs on the caller's thread, in the tiles for `RuntimeOptions.threads` threads.
  ///
  /// - Returns: The time of each tile; empty for a model with shapes that depend on values, and in checked mode.
  /// - Throws: The errors of `run()`.
  package func runTimed() throws -> [PhaseTimes] {
    environment.beginRun(deadline: nil)
    return try main.runTimed()
  }

  /// The memory of this session's tensors in bytes.
  public var arenaByteCount: Int { main.program.arenaByteCount }

  /// Counts memory that is kept in addition to the session's own, such as its outputs in another format, until the
  /// result is released.
  ///
  /// - Parameter purpose: The purpose of the memory, a plural noun for messages.
  /// - Throws: `RuntimeError` (`limitExceeded`) if the memory exceeds the rest of `RuntimeOptions.Limits.sessionBytes`.
  package func charge(_ count: Int, for purpose: String) throws(RuntimeError) -> MemoryCharge {
    try environment.memory.charge(count, for: purpose)
  }

  /// Returns a number that is the same for outputs with the same value. A graph may list a tensor several times.
  package func outputValue(_ index: Int) -> Int { model.graph.outputs[index].value }

  /// The memory, in bytes, that currently counts against `RuntimeOptions.Limits.sessionBytes`: the session's memory,
  /// and the memory that its compiled model shares with other sessions.
  public var memoryByteCount: Int { environment.memory.budget.byteCount }
}

extension Session {
  /// Sets the strings of input `index`, which persist between runs. Set the input's shape first.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` if there is no such input, or if the number of strings doesn't match
  ///   its shape; `typeMismatch` if it doesn't contain strings; `limitExceeded` if there is no room for them.
  public func setStrings(_ strings: [String], at index: Int) throws(RuntimeError) {
    try setStrings(strings.map { [UInt8]($0.utf8) }, at: index)
  }

  /// Returns the strings of output `index` of the last run. Bytes that aren't valid UTF-8 become replacement
  /// characters.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` if there is no such output or if the session hasn't run yet;
  ///   `typeMismatch` if it doesn't contain strings; `limitExceeded` if the strings together exceed
  ///   `RuntimeOptions.Limits.stringBytes`.
  public func strings(ofOutput index: Int) throws(RuntimeError) -> [String] {
    try stringBytes(ofOutput: index).map { String(decoding: $0, as: UTF8.self) }
  }

  func setStrings(_ strings: [[UInt8]], at index: Int) throws(RuntimeError) {
    try withStoredInput(index) { (spec, memory) throws(RuntimeError) in
      guard spec.elementType == .string else {
        throw RuntimeError(.typeMismatch, "input \(index) \(spec) does not hold strings")
      }
      guard strings.count == spec.shape.elementCount else {
        throw RuntimeError(.invalidArgument, "input \(index) \(spec) got \(strings.count) strings")
      }
      let numbers = memory.assumingMemoryBound(to: UInt64.self)
      for (position, string) in strings.enumerated() { numbers[position] = try self.strings.number(of: string) }
    }
  }

  func stringBytes(ofOutput index: Int) throws(RuntimeError) -> [[UInt8]] {
    try withStoredOutput(index) { (spec, memory) throws(RuntimeError) in
      guard spec.elementType == .string else {
        throw RuntimeError(.typeMismatch, "output \(index) \(spec) does not hold strings")
      }
      return try self.strings.strings(memory, limit: model.options.limits.stringBytes, of: "output \(index) \(spec)")
    }
  }

  /// Removes strings of earlier runs once they take much memory. The strings of the inputs are kept.
  func forgetStrings() throws(RuntimeError) {
    guard environment.stringByteCount > min(Self.keptStringBytes, model.options.limits.stringBytes / 4) else { return }
    var kept: [[[UInt8]]] = []
    for index in stringInputs {
      kept.append(
        try withStoredInput(index) { (_, memory) throws(RuntimeError) in
          memory.assumingMemoryBound(to: UInt64.self).map { self.strings.string($0) ?? [] }
        })
    }
    strings.removeAll()
    for (index, values) in zip(stringInputs, kept) { try setStrings(values, at: index) }
  }

  private static let keptStringBytes = 1 << 20
}
