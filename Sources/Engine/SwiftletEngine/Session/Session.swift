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

  /// - Throws: `RuntimeError` (`limitExceeded`) when the tensors do not fit the limits.
  public init(_ model: CompiledModel) throws {
    self.model = model
    environment = RunEnvironment(model)
    main = try GraphExecutor(environment, graph: model.graph, program: model.program)
    if model.options.isProfiling { runProfile = RunProfile(nodeCount: main.program.nodes.count) }
  }

  // MARK: Tensors

  /// The inputs with their present shapes.
  public var inputs: [TensorSpec] { main.inputs }

  /// The outputs, with the shapes of the last run.
  public var outputs: [TensorSpec] { main.outputs }

  /// The position of the input named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the names there are.
  public func inputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.inputs, "input")
  }

  /// The position of the output named `name`.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) that lists the names there are.
  public func outputIndex(named name: String) throws(RuntimeError) -> Int {
    try Self.index(of: name, in: model.graph.outputs, "output")
  }

  private static func index(of name: String, in ports: [Graph.Port], _ what: String) throws(RuntimeError) -> Int {
    if let index = ports.firstIndex(where: { $0.name == name }) { return index }
    let names = ShownText.list(ports.map(\.name), in: "'")
    throw RuntimeError(.invalidArgument, "the model has no \(what) '\(name.excerpt)'; it has \(names)")
  }

  /// Gives `body` the memory of input `index`, to be filled before a run. It stays filled from run to run.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) when there is no such input, and what `body` throws.
  public func withInput<Result>(
    at index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    try withStoredInput(at: index) { spec, memory in
      guard spec.elementType != .string else {
        throw RuntimeError(.typeMismatch, "input \(index) \(spec) holds strings, which setStrings(_:at:) gives it")
      }
      return try body(memory)
    }
  }

  /// The same with the input's spec; strings are there as numbers of the pool.
  func withStoredInput<Result>(
    at index: Int, _ body: (TensorSpec, UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let port = try Self.port(index, of: model.graph.inputs, "input")
    guard let memory = main.memory(ofInput: port.value) else {
      throw RuntimeError(.invalidArgument, "input \(index) is a constant of the model")
    }
    return try body(main.inputSpec(index), memory)
  }

  func isConstantInput(_ index: Int) -> Bool { main.memory(ofInput: model.graph.inputs[index].value) == nil }

  /// Gives `body` the memory of input `index` as typed elements.
  ///
  /// - Throws: as `withInput(at:_:)`, and `RuntimeError` (`typeMismatch`) when the input has another type.
  public func withInput<Scalar: TensorScalar, Result>(
    at index: Int, as type: Scalar.Type, _ body: (UnsafeMutableBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    // An index that is none is refused there.
    if model.graph.inputs.indices.contains(index) { try Self.check(type, main.inputSpec(index), "input") }
    return try withInput(at: index) { try body($0.assumingMemoryBound(to: type)) }
  }

  /// Gives `body` the memory of output `index`, valid until the next run.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) when there is no such output or nothing has run yet, and what `body`
  ///   throws.
  public func withOutput<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try withStoredOutput(at: index) { spec, memory in
      guard spec.elementType != .string else {
        throw RuntimeError(.typeMismatch, "output \(index) \(spec) holds strings, which strings(ofOutput:) gives")
      }
      return try body(memory)
    }
  }

  /// The same with the output's spec; strings are there as numbers of the pool.
  func withStoredOutput<Result>(at index: Int, _ body: (TensorSpec, UnsafeRawBufferPointer) throws -> Result) throws
    -> Result
  {
    let port = try Self.port(index, of: model.graph.outputs, "output")
    guard port.isRead else {
      throw RuntimeError(
        .invalidArgument,
        "output \(index) '\(port.name.excerpt)' is not computed: the model was compiled with it among unusedOutputs")
    }
    guard let memory = main.memory(of: port.value) else {
      throw RuntimeError(.invalidArgument, "output \(index) '\(port.name.excerpt)' has no value before the first run")
    }
    return try body(main.outputSpec(index), UnsafeRawBufferPointer(memory))
  }

  /// Gives `body` the memory of output `index` as typed elements.
  ///
  /// - Throws: as `withOutput(at:_:)`, and `RuntimeError` (`typeMismatch`) when the output has another type.
  public func withOutput<Scalar: TensorScalar, Result>(
    at index: Int, as type: Scalar.Type, _ body: (UnsafeBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    if model.graph.outputs.indices.contains(index) { try Self.check(type, main.outputSpec(index), "output") }
    return try withOutput(at: index) { try body($0.assumingMemoryBound(to: type)) }
  }

  private static func port(_ index: Int, of ports: [Graph.Port], _ what: String) throws(RuntimeError) -> Graph.Port {
    guard ports.indices.contains(index) else {
      throw RuntimeError(.invalidArgument, "there is no \(what) \(index); the model has \(ports.count)")
    }
    return ports[index]
  }

  private static func check<Scalar: TensorScalar>(
    _ type: Scalar.Type, _ spec: TensorSpec, _ what: String
  ) throws(RuntimeError) {
    guard spec.elementType != Scalar.elementType else { return }
    throw RuntimeError(.typeMismatch, "\(what) \(spec) holds \(spec.elementType.name), not \(Scalar.elementType.name)")
  }

  // MARK: Shapes

  /// Gives input `index` another shape; see `resizeInputs(to:)`.
  public func resizeInput(at index: Int, to shape: Shape) throws {
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
  public func resizeInputs(to shapes: [Shape]) throws {
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
    try main.resize(to: shapes)
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
  ///   when loops do not end, or subgraphs, results and strings take too much memory, `deadlineExceeded`; and
  ///   `CancellationError`. The session stays usable.
  public func run() throws { try run(until: nil) }

  /// Computes the outputs as `run()` does, until a deadline.
  ///
  /// - Parameter deadline: when the run is to end at the latest, besides `RuntimeOptions.timeout`.
  /// - Throws: as `run()`.
  public func run(deadline: ContinuousClock.Instant) throws { try run(until: Deadline(deadline)) }

  private func run(until deadline: Deadline?) throws {
    environment.beginRun(deadline: deadline)
    try environment.budget.check()
    if environment.stringByteCount > 0 { try forgetStrings() }
    do {
      guard let checkedMemory = environment.checkedMemory else { return try main.run(profile: runProfile) }
      try AlignedBytes.taking(from: checkedMemory) { try main.run(profile: runProfile) }
    } catch {
      // It may have failed because of them, and the next inputs need room.
      try forgetStrings()
      throw error
    }
  }

  /// Runs the model on whole tensors: copies them in, resizes inputs whose shape differs, and copies the outputs out.
  ///
  /// - Returns: the outputs that are computed, in the model's order.
  /// - Throws: `RuntimeError` if a tensor does not fit its input, if the outputs take more than
  ///   `RuntimeOptions.Limits.resultBytes`, and as `run()`.
  public func run(_ tensors: [Tensor], deadline: ContinuousClock.Instant? = nil) throws -> [Tensor] {
    guard tensors.count == model.graph.inputs.count else {
      throw RuntimeError(.invalidArgument, "the model takes \(model.graph.inputs.count) inputs, got \(tensors.count)")
    }
    for (index, tensor) in tensors.enumerated() {
      let spec = inputs[index]
      guard spec.elementType == tensor.elementType else {
        throw RuntimeError(.typeMismatch, "input \(index) \(spec) got a \(tensor.elementType.name) tensor")
      }
    }
    try resizeInputs(to: tensors.map(\.shape))
    try forgetStrings()
    for (index, tensor) in tensors.enumerated() {
      if tensor.elementType == .string {
        try setStrings(try Tensor.strings(tensor), at: index)
      } else {
        try withInput(at: index) { $0.copyBytes(from: tensor.bytes) }
      }
    }
    try run(until: deadline.map(Deadline.init))
    return try outputTensors()
  }

  /// Copies of the outputs that are computed. Outputs of one value share its bytes.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if they take more than the limit of results.
  private func outputTensors() throws -> [Tensor] {
    var tensors: [Tensor] = []
    var copies = ValueMap<Int>()
    var byteCount = 0
    for (index, spec) in outputs.enumerated() where model.graph.outputs[index].isRead {
      let value = model.graph.outputs[index].value
      if let twin = copies[value] {
        tensors.append(tensors[twin])
        continue
      }
      copies[value] = tensors.count
      func count(_ size: Int) throws {
        byteCount = try model.options.limits.checkResults(size, each: 1, before: byteCount, for: "outputs")
      }
      guard spec.elementType != .string else {
        let strings = try stringBytes(ofOutput: index)
        try count(strings.reduce(0) { $0 + $1.count } + 4 * (strings.count + 2))
        tensors.append(try Tensor(elementType: .string, shape: spec.shape, bytes: Tensor.payload(strings)))
        continue
      }
      tensors.append(
        try withOutput(at: index) { memory in
          try count(memory.count)
          return try Tensor(elementType: spec.elementType, shape: spec.shape, bytes: [UInt8](memory))
        })
    }
    return tensors
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
    /// The algorithm and the instruction set of its kernels: `indirect GEMM int8 3×3, avx512`. For people: the words may
    /// change.
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

  /// Counts memory that is kept beside the session's own, such as its outputs in another form, as long as the result
  /// lives.
  ///
  /// - Parameter purpose: What it is for, a plural, in a message.
  /// - Throws: `RuntimeError` (`limitExceeded`) if it is more than `RuntimeOptions.Limits.sessionBytes` leaves.
  package func charge(_ count: Int, for purpose: String) throws(RuntimeError) -> MemoryCharge {
    try environment.memory.charge(count, for: purpose)
  }

  /// A number that outputs of one value have in common: a graph may list a tensor several times.
  package func outputValue(_ index: Int) -> Int { model.graph.outputs[index].value }

  /// What counts against `RuntimeOptions.Limits.sessionBytes` now, in bytes: this session's memory and what its
  /// compiled model shares with others.
  public var memoryByteCount: Int { environment.memory.budget.byteCount }
}
