@_spi(Facades) package import Swiftlet

/// One graph of a model in the states that TensorFlow Lite knows: made, allocated for certain shapes, run.
///
/// Shapes are collected one input at a time and applied together, as a model may take them only together.
///
/// - Thread safety: one caller at a time.
package final class GraphRunner {
  private let model: Model
  private let signature: String?
  private let options: RuntimeOptions
  /// What the file says, under the graph's own names.
  private let declared: (inputs: [TensorSpec], outputs: [TensorSpec])
  /// `nil` while the model takes only other shapes than the file's.
  private var compiled: CompiledModel?
  private var session: Session?
  /// What the inputs shall have, whether memory is there for it or not.
  private var shapes: [Shape]
  /// Whether there is memory for the shapes that were asked for last.
  package private(set) var isAllocated = false

  /// Compiles the main graph of a model, or the one that a signature names. A graph that leaves sizes open and does not
  /// take the file's is compiled when memory is allocated for others.
  ///
  /// - Throws: as `CompiledModel`.
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

  /// An input under the graph's own name, with the shape that was asked for last.
  package func input(at index: Int) -> TensorSpec {
    var spec = declared.inputs[index]
    spec.shape = shapes[index]
    return spec
  }

  /// An output under the graph's own name, with the shape that it has now.
  package func output(at index: Int) -> TensorSpec {
    var spec = declared.outputs[index]
    if let present = session?.outputs ?? compiled?.outputs { spec.shape = present[index].shape }
    return spec
  }

  /// The sizes that the file says of an input, -1 for those that it leaves open.
  package func declaredShape(ofInput index: Int) -> [Int] { Self.sizes(declared.inputs[index]) }

  /// The sizes that the file says of an output, -1 for those that it leaves open.
  package func declaredShape(ofOutput index: Int) -> [Int] { Self.sizes(declared.outputs[index]) }

  private static func sizes(_ spec: TensorSpec) -> [Int] { spec.shapeSignature ?? spec.shape.dimensions }

  /// Asks for another shape. Whether the graph takes it only comes out in `allocate()`.
  ///
  /// - Returns: whether this is a shape at all.
  package func resizeInput(at index: Int, to dimensions: [Int]) -> Bool {
    let shape = Shape(dimensions)
    guard dimensions.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) }), shape.elementCount < .max else { return false }
    guard shape != shapes[index] else { return true }
    shapes[index] = shape
    isAllocated = false
    return true
  }

  /// Makes memory for the present shapes; does nothing where it is there. New memory of inputs holds zeros, and what an
  /// input of the same shape held before.
  ///
  /// - Throws: `RuntimeError` when the graph cannot take the shapes, or there is not enough memory.
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

  /// Gives `body` the memory of an input.
  ///
  /// - Throws: `RuntimeError` when nothing is allocated, or the input has no memory of its own; and what `body` throws.
  package func withInput<Result>(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws
    -> Result
  {
    try allocatedSession().withInput(index, body)
  }

  /// Gives `body` the memory of an output: of the last run, or before it what lies where the result will be.
  ///
  /// - Throws: `RuntimeError` when nothing was ever allocated, or the output's size is only known after a run; and what
  ///   `body` throws.
  package func withOutput<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard let session else { throw Self.notAllocated }
    return try session.withOutput(index, body)
  }

  /// - Throws: `RuntimeError` when nothing is allocated, and as `Session.run()`.
  package func run() throws { try allocatedSession().run() }

  private func allocatedSession() throws -> Session {
    guard isAllocated, let session else { throw Self.notAllocated }
    return session
  }

  private static let notAllocated = RuntimeError(
    .invalidArgument, "there is no memory for the tensors yet; allocate them first")
}
