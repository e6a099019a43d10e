package import SwiftletEngine
@_spi(Facades) import SwiftletOperators
import SwiftletSchema

/// Runs the cases of a golden suite through the engine and compares every output with the reference.
package struct GoldenRunner: Sendable {
  private let suite: GoldenSuite
  private let options: RuntimeOptions
  private let relativeTolerance: Double

  /// - Parameter relativeTolerance: The accepted error of floats, relative to the output's largest magnitude.
  package init(
    _ suite: GoldenSuite, options: RuntimeOptions, relativeTolerance: Double = Comparison.defaultRelativeTolerance
  ) {
    self.suite = suite
    self.options = options
    self.relativeTolerance = relativeTolerance
  }

  /// Returns the reports of all cases of one model. A model that doesn't load produces one failed report per case.
  ///
  /// In checked mode, each case runs twice, so that guard pages are placed at both ends of every tensor.
  package func run(_ golden: GoldenModel) -> [CaseReport] {
    guard options.isChecked else { return run(golden, options) }
    var next = options
    next.checkedTurn += 1
    return zip(run(golden, options), run(golden, next)).map { $0.isPassed ? $1 : $0 }
  }

  private func run(_ golden: GoldenModel, _ options: RuntimeOptions) -> [CaseReport] {
    do {
      let model = try load(golden)
      let compiled = try compile(model, golden, options)
      let traits = ModelTraits(model, golden)
      var session = try Session(compiled)
      return golden.cases.enumerated().map { index, item in
        do {
          if index > 0, !golden.isStateful { session = try Session(compiled) }
          return try run(item, of: golden, on: session, traits: traits)
        } catch {
          return CaseReport(model: golden.model, name: item.name, failure: "\(error)")
        }
      }
    } catch {
      return golden.cases.map { CaseReport(model: golden.model, name: $0.name, failure: "\(error)") }
    }
  }

  /// Compiles a model for the shapes in its file or, if the model doesn't accept these, for the shapes of the first
  /// case. The file also stores sizes for dynamic dimensions, and these can be meaningless.
  private func compile(_ model: Model, _ golden: GoldenModel, _ options: RuntimeOptions) throws -> CompiledModel {
    do {
      return try CompiledModel(model, options: options, signature: golden.signature)
    } catch {
      let shapes = golden.cases.first?.inputs.map { Shape($0.shape) } ?? []
      return try CompiledModel(model, options: options, signature: golden.signature, inputShapes: shapes)
    }
  }

  private func load(_ golden: GoldenModel) throws -> Model {
    if let path = try suite.modelPath(of: golden) { return try Model(contentsOf: path) }
    return try Model(bytes: try suite.modelBytes(of: golden))
  }

  private func run(
    _ item: GoldenCase, of golden: GoldenModel, on session: Session, traits: ModelTraits
  ) throws -> CaseReport {
    let inputs = try item.inputs.map { input in
      let tensor = try suite.tensor(for: input)
      return try Tensor(elementType: tensor.elementType, shape: Shape(tensor.shape), bytes: tensor.bytes)
    }
    let outputs = try session.run(inputs).map {
      try GoldenTensor(elementType: $0.elementType, shape: $0.shape.dimensions, bytes: $0.bytes)
    }
    let expected = try item.outputs.map { try suite.expectation(for: $0) }
    let comparison = Comparison(numerics: numerics, arithmetic: traits.arithmetic, relativeTolerance: relativeTolerance)
    return comparison.compareCase(
      model: golden.model, name: item.name, actual: outputs, expected: expected, detection: traits.detection,
      quantizationSteps: traits.quantizationSteps)
  }

  private var numerics: Comparison.Numerics {
    switch options.numerics {
    case .fast: .fast
    case .bitExact: .bitExact
    }
  }
}

/// The properties of a model that determine how its outputs are compared.
struct ModelTraits {
  /// Integer if any operator computes with quantized values.
  let arithmetic: Comparison.Arithmetic
  /// The outputs that contain the rows of a detection operator.
  let detection: DetectionOutputs?
  /// By output index, the quantization step of a float output that was dequantized.
  let quantizationSteps: [Int: Double]

  init(_ model: Model, _ golden: GoldenModel) {
    let entry = model.file.signatures.first { $0.key == golden.signature }
    let subgraph = entry?.subgraph ?? 0
    guard model.file.subgraphs.indices.contains(subgraph) else {
      arithmetic = .float
      detection = nil
      quantizationSteps = [:]
      return
    }
    let graph = model.file.subgraphs[subgraph]
    let outputs = entry?.outputs.map(\.tensor) ?? graph.outputs
    if let declaredArithmetic = golden.arithmetic {
      arithmetic = declaredArithmetic == "float" ? .float : .integer
    } else {
      arithmetic = model.file.subgraphs.contains(where: Self.computesWithIntegers) ? .integer : .float
    }
    var steps: [Int: Double] = [:]
    var detection: DetectionOutputs?
    for node in graph.operators {
      switch node.code.kind {
      case .builtin(.dequantize):
        guard let input = node.inputs.first ?? nil, let output = node.outputs.first,
          let position = outputs.firstIndex(of: output),
          let scale = graph.tensors[input].quantization?.scales.max()
        else { continue }
        steps[position] = Double(scale)
      case .custom("TFLite_Detection_PostProcess"):
        let positions = node.outputs.compactMap { outputs.firstIndex(of: $0) }
        guard positions.count == 4 else { continue }
        detection = DetectionOutputs(
          boxes: positions[0], classes: positions[1], scores: positions[2], count: positions[3],
          rowsPerBox: Self.rowsPerBox(node))
      default: continue
      }
    }
    self.detection = detection
    quantizationSteps = steps
  }

  /// Returns the number of rows per counted box: several classes of one box, unless non-maximum suppression runs per
  /// class.
  private static func rowsPerBox(_ node: OperatorDescription) -> Int {
    guard let options = try? node.customOptionValues(), !options["use_regular_nms"].boolValue else { return 1 }
    return max(1, options["max_classes_per_detection"].intValue)
  }

  private static func computesWithIntegers(_ graph: Subgraph) -> Bool {
    let packedTypes: Set<ElementType> = [.int8, .uint8, .int16, .int4, .uint4, .int2]
    return graph.operators.contains { node in
      (node.inputs.compactMap { $0 } + node.outputs).contains { index in
        let tensor = graph.tensors[index]
        return packedTypes.contains(tensor.type) && tensor.quantization != nil
      }
    }
  }
}
