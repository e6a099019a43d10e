import SwiftletBase
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

/// A session of a model whose main graph returns the tensors that a diagnosis looks at.
///
/// Its graph runs operator by operator as in the file. A quantized graph runs with the arithmetic of the reference
/// kernels.
final class ObservedModel {
  private let session: Session
  /// The position among the outputs of each tensor that is returned.
  private let outputs: [Int: Int]
  /// The position among the inputs of each tensor that is set.
  private let inputs: [Int: Int]

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - graph: The main graph, a changed copy of the model's.
  ///   - tensors: The tensors to return.
  init(_ model: Model, graph: Subgraph, returning tensors: [Int], options: RuntimeOptions) throws {
    var options = options
    options.threads = 1
    // Floats differ in the last bits only, which no figure shows.
    let isQuantized = graph.tensors.contains {
      [.int8, .uint8, .int16, .int4].contains($0.type) && $0.quantization != nil
    }
    options.numerics = isQuantized ? .bitExact : .fast
    options.precision = .full
    options.runsPasses = false
    options.isProfiling = false
    // `CallContext` bounds the time of the diagnosis as a whole.
    options.timeout = nil
    var file = model.file
    file.subgraphs[0] = graph
    file.subgraphs[0].outputs = tensors
    file.signatures = []
    session = try Session(CompiledModel(Model(file, addingOperatorsOf: model), options: options))
    outputs = Dictionary(zip(tensors, tensors.indices)) { first, _ in first }
    inputs = Dictionary(zip(graph.inputs, graph.inputs.indices)) { first, _ in first }
  }

  /// The memory of the session.
  var byteCount: Int { session.memoryByteCount }

  func run() throws { try session.run() }

  func resetState() { session.resetState() }

  func returns(_ tensor: Int) -> Bool { outputs[tensor] != nil }

  /// Calls `body` with the elements of a tensor of the last run.
  func withTensor<Result>(_ tensor: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
    guard let position = outputs[tensor] else { return nil }
    return try session.withOutput(position, body)
  }

  /// Calls `body` with the memory of an input of the graph.
  func withInput<Result>(_ tensor: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws -> Result? {
    guard let position = inputs[tensor] else { return nil }
    return try session.withInput(position, body)
  }
}

/// A graph whose operators read some of their tensors from new inputs instead of from the operators before.
struct CutGraph {
  /// An input in place of a tensor, with the numbers of another model's tensor.
  struct Key: Hashable {
    var tensor: Int
    /// The tensor of the other model; `nil` if there is just one.
    var source: Int?
  }

  private(set) var graph: Subgraph
  /// The new inputs.
  private(set) var inputs: [Key: Int] = [:]

  init(_ graph: Subgraph) { self.graph = graph }

  /// Makes an operator read the tensor at a position of its inputs from a new input.
  mutating func cut(_ operation: Int, position: Int, tensor: Int, source: Int?) {
    let key = Key(tensor: tensor, source: source)
    if inputs[key] == nil {
      var copy = graph.tensors[tensor]
      copy.name += "/input"
      graph.tensors.append(copy)
      graph.inputs.append(graph.tensors.count - 1)
      inputs[key] = graph.tensors.count - 1
    }
    graph.operators[operation].inputs[position] = inputs[key]
  }

  /// Makes an operator read a constant of floats in place of one of its inputs.
  mutating func replace(_ operation: Int, position: Int, shape: [Int], by values: [Float]) {
    graph.tensors.append(
      TensorDescription(
        name: "replaced", type: .float32, shape: shape, hasRank: true,
        data: ByteRegion(values.withUnsafeBytes { [UInt8]($0) })))
    graph.operators[operation].inputs[position] = graph.tensors.count - 1
  }
}
