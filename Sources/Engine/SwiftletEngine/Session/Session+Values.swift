import SwiftletBase

/// Runs with values that are copied in before the run and out after it.
extension Session {
  // MARK: Tensors

  /// Runs the model on whole tensors: copies them in, resizes inputs whose shape differs, and copies the outputs out.
  ///
  /// - Returns: The computed outputs in the model's order.
  /// - Throws: `RuntimeError` if a tensor doesn't match its input or if the outputs exceed
  ///   `RuntimeOptions.Limits.resultBytes`, and the errors of `run()`.
  public func run(_ tensors: [Tensor], deadline: ContinuousClock.Instant? = nil) throws(RuntimeError) -> [Tensor] {
    try runOnTensors(tensors, deadline: deadline).compactMap { $0 }
  }

  private func runOnTensors(_ tensors: [Tensor], deadline: ContinuousClock.Instant?) throws(RuntimeError) -> [Tensor?] {
    try checkCount(tensors.count)
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
        try withStoredInput(index) { $1.copyBytes(from: tensor.bytes) }
      }
    }
    try run(until: deadline.map(Deadline.init))
    return try outputTensors()
  }

  /// Runs the model on tensors by input name, like `run(_:deadline:)` for an array.
  ///
  /// Inputs and outputs have the names of the signature, or of the main graph's tensors.
  ///
  /// - Returns: The computed outputs by name.
  /// - Throws: `RuntimeError` (`invalidArgument`) if the names don't match the inputs or if two outputs have the same
  ///   name, and the errors of `run(_:deadline:)` for an array.
  public func run(
    _ tensors: [String: Tensor], deadline: ContinuousClock.Instant? = nil
  ) throws(RuntimeError) -> [String: Tensor] {
    let ordered = try inOrder(tensors)
    try checkOutputNames()
    return named(try runOnTensors(ordered, deadline: deadline))
  }

  // MARK: Arrays

  /// Runs the model on the elements of its inputs in row-major order, with the current shapes.
  ///
  /// - Returns: The elements of the computed outputs in the model's order.
  /// - Throws: `RuntimeError`: `invalidArgument` if there isn't one array per input, or if the number of elements
  ///   doesn't match the input's shape; `typeMismatch` if an input or an output has another type; `limitExceeded` if
  ///   the outputs exceed `RuntimeOptions.Limits.resultBytes`; and the errors of `run()`.
  public func run<Input: TensorScalar, Output: TensorScalar>(
    _ values: [[Input]], deadline: ContinuousClock.Instant? = nil
  ) throws(RuntimeError) -> [[Output]] {
    try runOnValues(values, deadline: deadline).compactMap { $0 }
  }

  /// Runs the model on the elements of its inputs by name, like `run(_:deadline:)` for an array of arrays.
  ///
  /// - Returns: The elements of the computed outputs by name.
  /// - Throws: `RuntimeError` (`invalidArgument`) if the names don't match the inputs or if two outputs have the same
  ///   name, and the errors of `run(_:deadline:)` for an array of arrays.
  public func run<Input: TensorScalar, Output: TensorScalar>(
    _ values: [String: [Input]], deadline: ContinuousClock.Instant? = nil
  ) throws(RuntimeError) -> [String: [Output]] {
    let ordered = try inOrder(values)
    try checkOutputNames()
    return named(try runOnValues(ordered, deadline: deadline))
  }

  private func runOnValues<Input: TensorScalar, Output: TensorScalar>(
    _ values: [[Input]], deadline: ContinuousClock.Instant?
  ) throws(RuntimeError) -> [[Output]?] {
    try checkCount(values.count)
    for (index, spec) in inputs.enumerated() {
      try Self.check(Input.self, spec, "input")
      guard values[index].count == spec.shape.elementCount else {
        throw RuntimeError(
          .invalidArgument,
          "input \(index) \(spec) takes \(spec.shape.elementCount) values, got \(values[index].count); resize it with resizeInput(at:to:)"
        )
      }
    }
    for (index, spec) in outputs.enumerated() where isComputed(index) { try Self.check(Output.self, spec, "output") }
    for (index, array) in values.enumerated() {
      try withStoredInput(index) { _, memory in array.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }
    try run(until: deadline.map(Deadline.init))
    var byteCount = 0
    var results: [[Output]?] = []
    for index in outputs.indices {
      guard isComputed(index) else {
        results.append(nil)
        continue
      }
      results.append(
        try withStoredOutput(index) { (_, memory) throws(RuntimeError) in
          byteCount = try countResults(memory.count, before: byteCount)
          return [Output](memory.assumingMemoryBound(to: Output.self))
        })
    }
    return results
  }

  // MARK: Checks

  private func checkCount(_ count: Int) throws(RuntimeError) {
    guard count == model.graph.inputs.count else {
      throw RuntimeError(.invalidArgument, "the model takes \(model.graph.inputs.count) inputs, got \(count)")
    }
  }

  private func inOrder<Value>(_ values: [String: Value]) throws(RuntimeError) -> [Value] {
    for name in values.keys { _ = try inputIndex(named: name) }
    var ordered: [Value] = []
    for port in model.graph.inputs {
      guard let value = values[port.name] else {
        throw RuntimeError(.invalidArgument, "input '\(port.name.excerpt)' is missing")
      }
      ordered.append(value)
    }
    return ordered
  }

  private func checkOutputNames() throws(RuntimeError) {
    var names: Set<String> = []
    for (index, port) in model.graph.outputs.enumerated() where isComputed(index) {
      guard names.insert(port.name).inserted else {
        throw RuntimeError(
          .invalidArgument, "two outputs are named '\(port.name.excerpt)'; run the model on an array instead")
      }
    }
  }

  private func named<Value>(_ values: [Value?]) -> [String: Value] {
    var result: [String: Value] = [:]
    for (port, value) in zip(model.graph.outputs, values) { result[port.name] = value }
    return result
  }

  private func isComputed(_ output: Int) -> Bool { model.graph.outputs[output].isRead }

  private func countResults(_ size: Int, before: Int) throws(RuntimeError) -> Int {
    try model.options.limits.checkResults(size, each: 1, before: before, for: "outputs")
  }

  /// Returns copies of the outputs; `nil` for outputs that aren't computed. Outputs with the same value share its
  /// bytes.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if the outputs exceed the limit of results.
  private func outputTensors() throws(RuntimeError) -> [Tensor?] {
    var tensors: [Tensor?] = []
    var copies = ValueMap<Int>()
    var byteCount = 0
    for (index, spec) in outputs.enumerated() {
      guard isComputed(index) else {
        tensors.append(nil)
        continue
      }
      let value = model.graph.outputs[index].value
      if let twin = copies[value] {
        tensors.append(tensors[twin])
        continue
      }
      copies[value] = tensors.count
      guard spec.elementType != .string else {
        let strings = try stringBytes(ofOutput: index)
        byteCount = try countResults(
          strings.reduce(0) { $0 + $1.count } + 4 * (strings.count + 2), before: byteCount)
        tensors.append(try Tensor(elementType: .string, shape: spec.shape, bytes: Tensor.payload(strings)))
        continue
      }
      tensors.append(
        try withStoredOutput(index) { (_, memory) throws(RuntimeError) in
          byteCount = try countResults(memory.count, before: byteCount)
          return try Tensor(elementType: spec.elementType, shape: spec.shape, bytes: [UInt8](memory))
        })
    }
    return tensors
  }
}
