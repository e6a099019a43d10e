import SwiftletBase

/// Runs a compiled model: one arena, one run at a time.
///
/// - Thread safety: one caller at a time. Make a session per thread; they share the compiled model.
public final class Session {
  /// The model that the session runs.
  public let model: CompiledModel
  let environment: RunEnvironment
  var strings: StringPool { environment.strings }
  let main: GraphExecutor
  private var runProfile: RunProfile?
  /// The inputs that hold strings and are not constant.
  private(set) lazy var stringInputs = inputs.indices.filter {
    inputs[$0].elementType == .string && !isConstantInput($0)
  }

  /// Creates a session that runs a compiled model.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if the tensors do not fit the limits.
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

  /// Returns a session of another entry point of the model, whose inputs and outputs have the signature's names.
  ///
  /// It shares packed constants with this session. Tensors and variables are its own.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the signatures if there is none named `key`, and as the
  ///   initializers.
  public func signature(_ key: String) throws(RuntimeError) -> Session { try Session(try model.signature(key)) }

  // MARK: Tensors

  /// The inputs with their present shapes.
  public var inputs: [TensorSpec] { main.inputs }

  /// The outputs, with the shapes of the last run.
  public var outputs: [TensorSpec] { main.outputs }

  /// Returns the position of the input named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the names there are.
  public func inputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.inputs, "input")
  }

  /// Returns the position of the output named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the names there are.
  public func outputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.outputs, "output")
  }

  private static func index(of name: String, in ports: [Graph.Port], _ what: String) throws(RuntimeError) -> Int {
    if let index = ports.firstIndex(where: { $0.name == name }) { return index }
    let names = SanitizedText.list(ports.map(\.name), in: "'")
    throw RuntimeError(.invalidArgument, "the model has no \(what) '\(name.excerpt)'; it has \(names)")
  }

  /// Gives `body` the memory of input `index`, to be filled before a run. It stays filled from run to run.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if there is no such input, and what `body` throws.
  public func withInput<Result>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let memory = try storedInput(index)
    let spec = main.inputSpec(index)
    guard spec.elementType != .string else {
      throw RuntimeError(.typeMismatch, "input \(index) \(spec) holds strings, which setStrings(_:at:) gives it")
    }
    return try body(memory)
  }

  /// Returns the same with the input's spec; strings are there as numbers of the pool.
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

  /// Gives `body` the memory of input `index` as typed elements.
  ///
  /// - Throws: as `withInput(_:_:)`, and `RuntimeError` (`typeMismatch`) when the input has another type.
  public func withInput<Scalar: TensorScalar, Result>(
    _ index: Int, as type: Scalar.Type, _ body: (UnsafeMutableBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    // An index that is none is refused there.
    if model.graph.inputs.indices.contains(index) { try Self.check(type, main.inputSpec(index), "input") }
    return try withInput(index) { try body($0.assumingMemoryBound(to: type)) }
  }

  /// Gives `body` the memory of output `index`, valid until the next run.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if there is no such output or nothing has run yet, and what `body`
  ///   throws.
  public func withOutput<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let memory = try storedOutput(index)
    let spec = main.outputSpec(index)
    guard spec.elementType != .string else {
      throw RuntimeError(.typeMismatch, "output \(index) \(spec) holds strings, which strings(ofOutput:) gives")
    }
    return try body(memory)
  }

  /// Returns the same with the output's spec; strings are there as numbers of the pool.
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

  /// Gives `body` the memory of output `index` as typed elements.
  ///
  /// - Throws: as `withOutput(_:_:)`, and `RuntimeError` (`typeMismatch`) when the output has another type.
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

  /// Gives input `index` another shape; see `resizeInputs(to:)`.
  public func resizeInput(at index: Int, to shape: Shape) throws(RuntimeError) {
    _ = try Self.port(index, of: model.graph.inputs, "input")
    var shapes = inputs.map(\.shape)
    shapes[index] = shape
    try resizeInputs(to: shapes)
  }

  /// Gives all inputs new shapes at once. Unless they are the present ones, all shapes are inferred and all memory is
  /// planned again, and the contents of the inputs are lost.
  ///
  /// - Throws: `RuntimeError` that names the operator which cannot take the shapes; the session then keeps its old
  ///   ones.
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

  /// Computes the outputs from the inputs' present contents.
  ///
  /// A run also ends when the task that called it is cancelled. Both this and the deadline are looked at between pieces
  /// of work of some milliseconds. The outputs are undefined then, and so is what operators keep from run to run;
  /// `resetState()` gives that its first values again.
  ///
  /// - Throws: `RuntimeError`: `invalidInput` when an operator's result is undefined for these values, `limitExceeded`
  ///   when loops do not end, or subgraphs, results and strings take too much memory, `deadlineExceeded`, and
  ///   `cancelled`. The session stays usable.
  public func run() throws(RuntimeError) { try run(until: nil) }

  /// Computes the outputs as `run()` does, until a deadline.
  ///
  /// - Parameter deadline: When the run is to end at the latest, besides `RuntimeOptions.timeout`.
  /// - Throws: as `run()`.
  public func run(deadline: ContinuousClock.Instant) throws(RuntimeError) { try run(until: Deadline(deadline)) }

  func run(until deadline: Deadline?) throws(RuntimeError) {
    environment.beginRun(deadline: deadline)
    try environment.budget.check()
    if environment.stringByteCount > 0 { try forgetStrings() }
    do {
      guard let checkedMemory = environment.checkedMemory else { return try main.run(profile: runProfile) }
      try AlignedBytes.taking(from: checkedMemory) { try main.run(profile: runProfile) }
    } catch {
      // It may have failed because of them, and the next inputs need room.
      try forgetStrings()
      throw RuntimeError(wrapping: error)
    }
  }

  /// Gives every variable of the model its initial value, as if nothing had run.
  public func resetState() {
    environment.reset()
  }

  // MARK: Reports

  /// The time of one operator, added up over runs.
  public struct OperatorTime: Sendable, Hashable {
    /// The position in the model's graph.
    public var index: Int
    /// `CONV_2D`.
    public var name: String
    /// The name of the first output.
    public var output: String
    /// The time of all threads, added up over runs.
    public var duration: Duration
    /// Multiply-adds of one run, 0 where that is not what the operator does.
    public var multiplyAdds: Int
    /// The algorithm and the instruction set of its kernels: `indirect GEMM int8 3×3, avx512`. For people: the words
    /// may change.
    public var implementation: String
  }

  /// The time spent in each operator since the session was made, when `RuntimeOptions.isProfiling` is set. Threads'
  /// times are added.
  public var profile: [OperatorTime] {
    guard let runProfile else { return [] }
    return zip(main.program.nodes, runProfile.totals).map { node, total in
      OperatorTime(
        index: node.location.operatorIndex ?? 0, name: node.location.operatorName ?? "", output: node.outputName,
        duration: total, multiplyAdds: node.multiplyAdds, implementation: "\(node.implementation)")
    }
  }

  /// Computes the outputs on the caller's thread, in the tiles that `RuntimeOptions.threads` threads would share.
  ///
  /// - Returns: what each tile took; empty for a model in which shapes depend on values, and in checked mode.
  /// - Throws: as `run()`.
  package func runTimed() throws -> [PhaseTimes] {
    environment.beginRun(deadline: nil)
    return try main.runTimed()
  }

  /// The memory of this session's tensors, in bytes.
  public var arenaByteCount: Int { main.program.arenaByteCount }

  /// Counts memory that is kept next to the session's own, such as its outputs in another form, as long as the result
  /// lives.
  ///
  /// - Parameter purpose: What it is for, a plural, in a message.
  /// - Throws: `RuntimeError` (`limitExceeded`) if it is more than `RuntimeOptions.Limits.sessionBytes` leaves.
  package func charge(_ count: Int, for purpose: String) throws(RuntimeError) -> MemoryCharge {
    try environment.memory.charge(count, for: purpose)
  }

  /// Returns a number that outputs of one value have in common: a graph may list a tensor several times.
  package func outputValue(_ index: Int) -> Int { model.graph.outputs[index].value }

  /// The memory that counts against `RuntimeOptions.Limits.sessionBytes` now, in bytes: this session's memory and what
  /// its compiled model shares with others.
  public var memoryByteCount: Int { environment.memory.budget.byteCount }
}

extension Session {
  /// Gives input `index` strings, which stay from run to run. Its shape must be right before.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` when there is no such input or its shape has another number of
  ///   elements, `typeMismatch` when it does not hold strings, `limitExceeded` when there is no room for them.
  public func setStrings(_ strings: [String], at index: Int) throws(RuntimeError) {
    try setStrings(strings.map { [UInt8]($0.utf8) }, at: index)
  }

  /// Returns the strings of output `index` of the last run; bytes that are no UTF-8 become replacement characters.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` when there is no such output or nothing has run yet, `typeMismatch`
  ///   when it does not hold strings, `limitExceeded` when they are longer together than
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

  /// Forgets strings of earlier runs, once they take much memory; those of the inputs stay.
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
