@_spi(Facades) package import Swiftlet

/// One graph of a model, in the states that TensorFlow Lite defines: created, allocated for certain shapes, run.
///
/// Shapes are collected one input at a time and applied together, because a model may accept them only in combination.
///
/// - Thread safety: one caller at a time.
package final class GraphRunner {
  private let model: Model
  private let signature: String?
  private let options: RuntimeOptions
  /// The inputs and outputs as declared in the file, with the graph's own names.
  private let declared: (inputs: [TensorSpec], outputs: [TensorSpec])
  /// The compiled graph; `nil` as long as the graph doesn't accept the shapes in the file.
  private var compiled: CompiledModel?
  private var session: Session?
  /// The requested input shapes, whether memory is allocated for them or not.
  private var shapes: [Shape]
  /// Whether memory is allocated for the requested shapes.
  package private(set) var isAllocated = false

  /// Compiles the main graph of a model, or the graph of a signature. If a graph with dynamic dimensions doesn't accept
  /// the shapes in the file, it is compiled when memory is allocated for other shapes.
  ///
  /// - Throws: The same errors as `CompiledModel`.
  init(_ model: Model, signature: String?, options: RuntimeOptions) throws {
    self.model = model
    self.signature = signature
    self.options = options
    declared = try model.declaredEnds(signature: signature)
    shapes = declared.inputs.map(\.shape)
    do {
      compiled = try CompiledModel(model, options: options, signature: signature)
    } catch {
      guard error.code != .unsupportedOperators, declared.inputs.contains(where: { $0.shapeSignature != nil }) else {
        throw error
      }
    }
  }

  package var inputCount: Int { declared.inputs.count }
  package var outputCount: Int { declared.outputs.count }

  /// Returns an input with the graph's own name and the requested shape.
  package func input(at index: Int) -> TensorSpec {
    var spec = declared.inputs[index]
    spec.shape = shapes[index]
    return spec
  }

  /// Returns an output with the graph's own name and its current shape.
  package func output(at index: Int) -> TensorSpec {
    var spec = declared.outputs[index]
    if let present = session?.outputs ?? compiled?.outputs { spec.shape = present[index].shape }
    return spec
  }

  /// Returns the dimensions of an input as declared in the file, with -1 for dynamic ones.
  package func declaredShape(ofInput index: Int) -> [Int] { Self.sizes(declared.inputs[index]) }

  /// Returns the dimensions of an output as declared in the file, with -1 for dynamic ones.
  package func declaredShape(ofOutput index: Int) -> [Int] { Self.sizes(declared.outputs[index]) }

  private static func sizes(_ spec: TensorSpec) -> [Int] { spec.shapeSignature ?? spec.shape.dimensions }

  /// Requests another shape. If the graph doesn't accept it, `allocate()` throws an error.
  ///
  /// - Returns: Whether the shape is valid.
  package func resizeInput(at index: Int, to dimensions: [Int]) -> Bool {
    let shape = Shape(dimensions)
    guard dimensions.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) }), shape.elementCount < .max else { return false }
    guard shape != shapes[index] else { return true }
    shapes[index] = shape
    isAllocated = false
    return true
  }

  /// Allocates memory for the requested shapes, unless it is allocated already. Inputs whose shape did not change keep
  /// their contents; the memory of other inputs is zeroed.
  ///
  /// - Throws: `RuntimeError` if the graph doesn't accept the shapes, or there is not enough memory.
  package func allocate() throws {
    guard !isAllocated else { return }
    var kept = [[UInt8]?](repeating: nil, count: inputCount)
    let session: Session
    if let made = self.session {
      session = made
      for (index, spec) in made.inputs.enumerated() where spec.shape == shapes[index] {
        kept[index] = try? made.withInput(index) { [UInt8]($0) }
      }
      try made.resizeInputs(to: shapes)
      made.resetState()
    } else {
      let compiled =
        try compiled ?? CompiledModel(model, options: options, signature: signature, inputShapes: shapes)
      session = try Session(compiled)
      try session.resizeInputs(to: shapes)
      self.compiled = compiled
      self.session = session
    }
    for index in 0..<inputCount {
      // Inputs that are constants of the model, or strings, have no memory to fill.
      try? session.withInput(index) { memory in
        if let bytes = kept[index], bytes.count == memory.count {
          memory.copyBytes(from: bytes)
        } else {
          _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
        }
      }
    }
    isAllocated = true
  }

  /// Calls `body` with the memory of an input.
  ///
  /// - Throws: `RuntimeError` if no memory is allocated, or the input has no memory of its own; and the errors of
  ///   `body`.
  package func withInput<Result>(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws
    -> Result
  {
    try allocatedSession().withInput(index, body)
  }

  /// Calls `body` with the memory of an output. Before the first run, its contents are undefined.
  ///
  /// - Throws: `RuntimeError` if no memory was ever allocated, or the output's size is known only after a run; and the
  ///   errors of `body`.
  package func withOutput<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard let session else { throw Self.notAllocated }
    return try session.withOutput(index, body)
  }

  /// Runs the graph.
  ///
  /// - Throws: `RuntimeError` if no memory is allocated, and the same errors as `Session.run()`.
  package func run() throws { try allocatedSession().run() }

  private func allocatedSession() throws -> Session {
    guard isAllocated, let session else { throw Self.notAllocated }
    return session
  }

  private static let notAllocated = RuntimeError(
    .invalidArgument, "there is no memory for the tensors yet; allocate them first")
}
