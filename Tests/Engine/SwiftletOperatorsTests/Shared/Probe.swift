import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A tensor that a probe reads or produces.
struct ProbeTensor: Sendable {
  fileprivate enum Role: Sendable { case computed, constant, variable, missing }

  fileprivate var role = Role.computed
  fileprivate var type = ElementType.float32
  fileprivate var shape: [Int] = []
  fileprivate var values: Tensor?
  fileprivate var quantization: QuantizationParameters?

  static func of(_ type: ElementType, _ shape: [Int] = []) -> ProbeTensor { ProbeTensor(type: type, shape: shape) }

  static func of(_ type: ElementType, _ shape: [Int] = [], scale: Float, zeroPoint: Int32 = 0) -> ProbeTensor {
    .of(type, shape).scaled(scale, zeroPoint)
  }

  static func floats(_ shape: [Int] = []) -> ProbeTensor { .of(.float32, shape) }

  /// Returns values that are known only at run time.
  static func values<Scalar: TensorScalar>(_ values: [Scalar], _ shape: [Int]? = nil) -> ProbeTensor {
    let shape = shape ?? [values.count]
    return ProbeTensor(type: Scalar.elementType, shape: shape, values: try? Tensor(values, shape: Shape(shape)))
  }

  static func constant<Scalar: TensorScalar>(_ values: [Scalar], _ shape: [Int]? = nil) -> ProbeTensor {
    var tensor = ProbeTensor.values(values, shape)
    tensor.role = .constant
    return tensor
  }

  static func ints(_ values: [Int32], _ shape: [Int]? = nil) -> ProbeTensor { .constant(values, shape) }

  static func scalar(_ value: Int32) -> ProbeTensor { .constant([value], []) }

  /// Returns a bias of zeros, or none.
  static func optional(_ shape: [Int]?) -> ProbeTensor { shape.map { ProbeTensor.zeros(.float32, $0) } ?? .missing }

  /// Returns a constant of zeros.
  static func zeros(_ type: ElementType, _ shape: [Int]) -> ProbeTensor {
    let bytes = [UInt8](repeating: 0, count: type.byteCount(elements: Shape(shape).elementCount) ?? 0)
    return ProbeTensor(
      role: .constant, type: type, shape: shape,
      values: try? Tensor(elementType: type, shape: Shape(shape), bytes: bytes))
  }

  static func variable(_ type: ElementType, _ shape: [Int]) -> ProbeTensor {
    ProbeTensor(role: .variable, type: type, shape: shape)
  }

  static let missing = ProbeTensor(role: .missing)

  func scaled(_ scale: Float, _ zeroPoint: Int32 = 0) -> ProbeTensor {
    scaled([scale], [zeroPoint], axis: 0)
  }

  func scaled(_ scales: [Float], _ zeroPoints: [Int32]? = nil, axis: Int) -> ProbeTensor {
    var tensor = self
    tensor.quantization = QuantizationParameters(
      scales: scales, zeroPoints: zeroPoints ?? scales.map { _ in 0 }, axis: axis)
    return tensor
  }

  /// Adds the tensor to a graph as an input of a node.
  ///
  /// - Parameter isBare: Whether the shape and quantization of computed tensors are omitted, for `complete`.
  fileprivate func add(to graph: inout TestGraph, isBare: Bool) -> Int? {
    let index: Int
    switch role {
    case .missing: return nil
    case .variable: index = graph.variable(type, shape)
    case .constant:
      guard let values else { return nil }
      index = graph.constant(values)
    case .computed: index = graph.input(type, isBare ? [] : shape)
    }
    if let quantization, !isBare { graph.quantize(index, quantization) }
    return index
  }

  /// Adds the shape and quantization that `add` omitted.
  fileprivate func complete(_ tensor: inout TensorDescription) {
    tensor.shape = shape
    guard let quantization else { return }
    tensor.quantization = QuantizationDescription(
      scales: quantization.scales, zeroPoints: quantization.zeroPoints.map { Int($0) }, axis: quantization.axis)
  }
}

/// A model of one operator for testing limits and checks: the operator's inputs and outputs, and its options.
struct Probe: Sendable {
  var kind: OperatorKind
  var inputs: [ProbeTensor]
  var outputs: [ProbeTensor]
  var options: WrittenOptions?
  var customOptions: [UInt8] = []
  var version = 1
  var runtime = RuntimeOptions()
  var others: [TestGraph] = []

  init(
    _ kind: BuiltinOperator, _ inputs: [ProbeTensor], _ outputs: [ProbeTensor], _ options: WrittenOptions? = nil,
    version: Int = 1, runtime: RuntimeOptions = RuntimeOptions(), others: [TestGraph] = []
  ) {
    self.kind = .builtin(kind)
    self.inputs = inputs
    self.outputs = outputs
    self.options = options
    self.version = version
    self.runtime = runtime
    self.others = others
  }

  init(
    custom name: String, _ inputs: [ProbeTensor], _ outputs: [ProbeTensor], _ options: [UInt8] = [], version: Int = 1
  ) {
    kind = .custom(name)
    self.inputs = inputs
    self.outputs = outputs
    customOptions = options
    self.version = version
  }

  private func graph(isBare: Bool) -> (graph: TestGraph, tensors: [Int?]) {
    var graph = TestGraph()
    let sources = inputs.map { $0.add(to: &graph, isBare: isBare) }
    let results = outputs.map { output in
      let index = graph.output(output.type, isBare ? [] : output.shape)
      if let quantization = output.quantization, !isBare { graph.quantize(index, quantization) }
      return index
    }
    switch kind {
    case .builtin(let builtin): graph.add(builtin, sources, results, options: options, version: version)
    case .custom(let name): graph.add(custom: name, sources, results, options: customOptions, version: version)
    }
    return (graph, sources + results)
  }

  /// Returns the probe with the constants from input `first` on known only at run time.
  func computing(inputsFrom first: Int) -> Probe {
    var probe = self
    for index in first..<inputs.count where inputs[index].role == .constant { probe.inputs[index].role = .computed }
    return probe
  }

  func compile() throws -> CompiledModel {
    try CompiledModel(try graph(isBare: false).graph.model(others), options: runtime)
  }

  /// Compiles the operator with shapes and quantization that the model reader itself rejects.
  func compileUnread() throws {
    let (graph, tensors) = graph(isBare: true)
    var file = try graph.model(others).file
    for (index, tensor) in zip(tensors, inputs + outputs) {
      if let index { tensor.complete(&file.subgraphs[0].tensors[index]) }
    }
    let built = try GraphBuilder.build(file, subgraph: 0, options: runtime, operators: OperatorCatalog.type(for:))
    let memory = MemoryBudget(limit: runtime.limits.sessionBytes)
    let compiler = ProgramCompiler(
      options: runtime, kernels: .current, packed: PackedConstants(runtime.limits, fileBytes: 0, memory: memory),
      budget: .load(runtime), memory: memory)
    _ = try compiler.compile(
      built.nodes, table: ValueTable(built.values), inputs: built.inputs.map(\.value),
      results: BitSet(built.outputs.map(\.value)))
  }

  /// Runs the model; inputs without values are zeros.
  @discardableResult
  func run() throws -> [Tensor] {
    let session = try Session(try compile())
    return try session.run(
      try inputs.compactMap { input in
        guard input.role == .computed else { return nil }
        if let values = input.values { return values }
        let bytes = [UInt8](repeating: 0, count: input.type.byteCount(elements: Shape(input.shape).elementCount) ?? 0)
        return try Tensor(elementType: input.type, shape: Shape(input.shape), bytes: bytes)
      })
  }
}

/// A model that is rejected, with the error message, and one that is just accepted.
struct Refusal: Sendable, CustomTestStringConvertible {
  let words: String
  let code: RuntimeError.Code
  let refused: Probe
  let accepted: Probe?
  /// Whether the operator is only compiled, after the model reader: the tensors are too large for a run, or the reader
  /// rejects them.
  let isUnread: Bool

  init(
    _ words: String, _ refused: Probe, but accepted: Probe? = nil, code: RuntimeError.Code = .invalidModel,
    isUnread: Bool = false
  ) {
    self.words = words
    self.code = code
    self.refused = refused
    self.accepted = accepted
    self.isUnread = isUnread
  }

  var testDescription: String { "\(refused.kind.name): \(words)" }

  private func attempt(_ probe: Probe) throws {
    if isUnread {
      try probe.compileUnread()
    } else {
      try probe.run()
    }
  }

  func check() {
    do {
      try attempt(refused)
      Issue.record("is not refused")
    } catch let error as RuntimeError {
      #expect(error.code == code)
      let saysSo = error.message.contains(words)
      #expect(saysSo, "says '\(error.message)'")
      #expect(error.location?.operatorName == refused.kind.name)
    } catch {
      Issue.record(error)
    }
    guard let accepted else { return }
    #expect(throws: Never.self) { try attempt(accepted) }
  }
}
