package import SwiftletBase
package import SwiftletEngine
import SwiftletOperators
package import SwiftletSchema

/// A task's model, ready to run: the session, the outputs as real numbers, and the metadata.
///
/// - Thread safety: one caller at a time.
package final class TaskModel {
  package let model: Model
  /// The metadata of the main graph; `nil` if the model has none.
  package let metadata: SubgraphMetadata?
  /// The files appended to the model.
  package let files: ZIPArchive?
  /// The outputs, with the shapes of the last run.
  package private(set) var outputs: [TensorSpec]
  package let session: Session
  /// The budget for the results of the task's calls.
  package let results: ResultBudget
  /// Whether each run is a separate call, because the model belongs to no pipeline of a pool.
  private let runsAreCalls: Bool
  private let tables: ModelTables
  private let unusedOutputs: Set<Int>
  private let realOutputs: [RealOutput]
  /// For each tensor, the first output that returns it.
  private let firstOutputs: [Int: Int]

  /// The inputs.
  package var inputs: [TensorSpec] { session.inputs }

  /// Creates a task model from the model of a context.
  ///
  /// - Throws: `TaskError` for every problem with the options or the model.
  package convenience init(_ context: ModelContext) throws(TaskError) {
    try self.init(try context.load(), context)
  }

  /// Creates a task model from a loaded model.
  ///
  /// - Parameters:
  ///   - model: The model of the context, already loaded.
  ///   - context: The options of the model, and the state that it shares.
  ///   - unusedOutputs: The indices of outputs that the task never reads. Operators that only they need are not run.
  /// - Throws: `TaskError` for every problem with the options or the model.
  package init(_ model: Model, _ context: ModelContext, unusedOutputs: Set<Int> = []) throws(TaskError) {
    (self.model, self.unusedOutputs) = (model, unusedOutputs)
    (runsAreCalls, results) = (context.runsAreCalls, context.results)
    (metadata, files) = try TaskError.wrapping(as: .invalidModel, about: "the model's metadata is damaged") {
      (try model.file.modelMetadata()?.subgraphs.first, try model.file.associatedFiles())
    }
    tables = ModelTables(files, results: results)
    let options = context.options.runtimeOptions
    session = try TaskError.wrapping {
      func compile() throws -> CompiledModel {
        try CompiledModel(model, options: options, unusedOutputs: unusedOutputs)
      }
      guard let sharing = context.sharing else { return try Session(try compile()) }
      return try Session(try sharing.compiled(context.source, options, unusedOutputs, compile: compile))
    }
    outputs = session.outputs
    realOutputs = outputs.map { _ in RealOutput() }
    firstOutputs = Dictionary(
      outputs.indices.filter { !unusedOutputs.contains($0) }.map { [session] in (session.outputValue($0), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Runs the model on the contents of its inputs.
  ///
  /// - Throws: The engine's error. The pool of the pipeline converts it to a task error.
  package func run() throws {
    if runsAreCalls { results.begin() }
    let start = PhaseTimes.start()
    try session.run()
    PhaseTimes.endRun(of: model, session.model, since: start)
    try updateOutputs()
  }

  /// Updates the output shapes if the size of an output has changed, as it can if shapes depend on values.
  ///
  /// The sizes are compared first, because a query of the shapes after every run would allocate memory.
  private func updateOutputs() throws {
    for index in outputs.indices where !unusedOutputs.contains(index) {
      let byteCount = try session.withOutput(index) { $0.count }
      guard byteCount == outputs[index].byteCount else {
        outputs = session.outputs
        return
      }
    }
  }

  /// Calls `body` with output `index` as real numbers; quantized values are dequantized.
  ///
  /// - Throws: `TaskError` if the output has an unsupported element type, and the errors of `body`.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    let spec = outputs[index]
    return try session.withOutput(index) { memory in
      try realOutputs[index].withValues(of: memory, spec, of: session, body)
    }
  }

  /// Returns the first output that returns the same tensor as output `index`; a graph may list a tensor several times.
  package func firstOutput(sharing index: Int) -> Int {
    let value = session.outputValue(index)
    return firstOutputs[value] ?? index
  }

  /// Returns the custom metadata with the given name; `nil` if the model has none.
  package func customMetadata(_ name: String) -> ByteRegion? {
    metadata?.customMetadata.first { $0.name == name }?.data
  }

  /// Returns the metadata of output `index`.
  package func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// Returns the labels from the files in the metadata of an output; `nil` if the metadata names no files.
  ///
  /// - Throws: `TaskError`: `missingMetadata` if the file is not in the model, `invalidModel` if it is damaged.
  package func labels(
    of metadata: TensorMetadata?, _ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String
  ) throws(TaskError) -> LabelMap? {
    guard let names = metadata?.labelFiles(kind, locale: locale) else { return nil }
    return try TaskError.wrapping(as: .invalidModel, missingMember: .missingMetadata, about: "the model's labels") {
      try tables.labels(names)
    }
  }

  /// Returns the score calibration parameters from a file in the model.
  ///
  /// - Throws: `TaskError` (`invalidModel`) if it is missing or damaged.
  func scoreCalibration(_ name: String) throws(TaskError) -> ScoreCalibrationFile {
    try TaskError.wrapping(as: .invalidModel) { try tables.calibration(name) }
  }
}

/// A model output as real numbers, with a buffer for dequantized values.
///
/// - Thread safety: one caller at a time.
package final class RealOutput {
  private var values: [Float] = []
  /// The memory charge for ``values``.
  private var charge: MemoryCharge?
  /// The real number for each byte, indexed by bit pattern.
  private var table: [Float] = []
  private var tabulated: TensorSpec?

  package init() {}

  /// Returns whether the elements of a tensor represent real numbers.
  package static func isReal(_ spec: TensorSpec) -> Bool {
    switch spec.elementType {
    case .float32, .bool: true
    case .uint8, .int8: spec.quantization?.scales.count == 1
    default: false
    }
  }

  /// Calls `body` with the elements of `memory` as real numbers.
  ///
  /// - Parameter session: The session that the buffer is charged to, if one is needed; `nil` for none.
  /// - Throws: `TaskError` if the output has another type or lacks a scale, or if there is no room, and the errors of
  ///   `body`.
  package func withValues<Result>(
    of memory: UnsafeRawBufferPointer, _ spec: TensorSpec, of session: Session? = nil,
    _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result {
    guard Self.isReal(spec) else {
      throw TaskError.invalidModel(
        "the model's output \(spec) must be float32, bool, or uint8 or int8 with one scale and zero point")
    }
    if spec.elementType == .float32 { return try body(memory.assumingMemoryBound(to: Float.self)) }
    if tabulated != spec { tabulate(spec) }
    if values.count != memory.count {
      (values, charge) = ([], nil)
      charge = try TaskError.wrapping {
        try session?.charge(MemoryLayout<Float>.size * memory.count, for: "outputs as real numbers")
      }
      values = [Float](repeating: 0, count: memory.count)
    }
    values.withUnsafeMutableBufferPointer { values in
      table.withUnsafeBufferPointer { table in
        for index in values.indices { values[index] = table[Int(memory[index])] }
      }
    }
    return try values.withUnsafeBufferPointer(body)
  }

  private func tabulate(_ spec: TensorSpec) {
    let scale = spec.quantization?.scales.first ?? 1
    let zeroPoint = spec.quantization?.zeroPoints.first ?? 0
    table = (0..<256).map { (byte: Int) -> Float in
      switch spec.elementType {
      case .bool: byte == 0 ? 0 : 1
      case .int8: Float(Int32(Int8(truncatingIfNeeded: byte)) &- zeroPoint) * scale
      default: Float(Int32(byte) &- zeroPoint) * scale
      }
    }
    tabulated = spec
  }
}

/// The requirements on the element types of a model's outputs.
package enum OutputRequirement {
  /// Checks that all outputs are float32, or that all are quantized.
  ///
  /// - Throws: `TaskError` with the name of the first output that doesn't meet the requirement.
  /// - Source: MediaPipe's rule; int8 is accepted in addition to uint8.
  package static func checkNumbersOfOneKind(_ outputs: [TensorSpec], task: String) throws(TaskError) {
    guard let first = outputs.first else { throw .invalidModel("the model has no outputs; it is not an \(task) model") }
    for output in outputs {
      guard RealOutput.isReal(output) else {
        throw .invalidModel(
          "the output \(output) of an \(task) model must be float32, bool, or uint8 or int8 with one scale and zero point"
        )
      }
      guard (output.elementType == .float32) == (first.elementType == .float32) else {
        throw .invalidModel(
          "the outputs of an \(task) model must all be float32 or all quantized, got \(first) and \(output)")
      }
    }
  }
}
