package import SwiftletBase
package import SwiftletEngine
import SwiftletOperators
package import SwiftletSchema

/// A task's model, ready to run: the session, the outputs as numbers, and what the metadata says.
///
/// One caller at a time.
package final class TaskModel {
  package let model: Model
  /// Metadata of the main graph, `nil` when the model has none.
  package let metadata: SubgraphMetadata?
  /// The files appended to the model.
  package let files: ZIPArchive?
  /// The outputs, with the shapes of the last run.
  package private(set) var outputs: [TensorSpec]
  package let session: Session
  /// What the calls of the model's task may return.
  package let results: ResultBudget
  /// Whether each run is a call of its own: the model belongs to no pipeline of a pool.
  private let runsAreCalls: Bool
  private let tables: ModelTables
  private let unusedOutputs: Set<Int>
  private let realOutputs: [RealOutput]
  /// The first output of each value.
  private let firstOutputs: [Int: Int]

  /// The inputs.
  package var inputs: [TensorSpec] { session.inputs }

  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package convenience init(_ context: ModelContext) throws(TaskError) {
    try self.init(try context.load(), context)
  }

  /// - Parameters:
  ///   - model: The model of the context, once it is loaded.
  ///   - context: How the model runs, and what it shares.
  ///   - unusedOutputs: positions of outputs that the task never asks for; what only they need is not computed.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
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
  /// - Throws: The engine's error, which the pool of the pipeline makes one of the task.
  package func run() throws {
    if runsAreCalls { results.begin() }
    try session.run()
    try updateOutputs()
  }

  /// Where shapes depend on values, the size of an output changes with them. Asking for the shapes after every run
  /// would allocate.
  private func updateOutputs() throws {
    for index in outputs.indices where !unusedOutputs.contains(index) {
      let byteCount = try session.withOutput(index) { $0.count }
      guard byteCount == outputs[index].byteCount else {
        outputs = session.outputs
        return
      }
    }
  }

  /// Gives `body` output `index` as real numbers, quantized ones multiplied out.
  ///
  /// - Throws: `TaskError` when the output is of a type that stands for no numbers, and what `body` throws.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    let spec = outputs[index]
    return try session.withOutput(index) { memory in
      try realOutputs[index].withValues(of: memory, spec, of: session, body)
    }
  }

  /// The first output that has the same value as output `index`: a graph may list a tensor several times.
  package func firstOutput(sharing index: Int) -> Int {
    let value = session.outputValue(index)
    return firstOutputs[value] ?? index
  }

  /// The custom metadata of that name, `nil` when the model has none.
  package func customMetadata(_ name: String) -> ByteRegion? {
    metadata?.customMetadata.first { $0.name == name }?.data
  }

  /// What the metadata says of output `index`.
  package func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// The labels that the metadata of an output names, `nil` when it names none.
  ///
  /// - Throws: `TaskError`: `missingMetadata` when the file is not in the model, `invalidModel` when it is
  ///   damaged.
  package func labels(
    of metadata: TensorMetadata?, _ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String
  ) throws(TaskError) -> LabelMap? {
    guard let names = metadata?.labelFiles(kind, locale: locale) else { return nil }
    return try TaskError.wrapping(as: .invalidModel, missingMember: .missingMetadata, about: "the model's labels") {
      try tables.labels(names)
    }
  }

  /// The parameters of score calibration in a file of the model.
  ///
  /// - Throws: `TaskError` (`invalidModel`) if it is missing or damaged.
  func scoreCalibration(_ name: String) throws(TaskError) -> ScoreCalibrationFile {
    try TaskError.wrapping(as: .invalidModel) { try tables.calibration(name) }
  }
}

/// An output of a model as real numbers, with memory of its own for those that have to be multiplied out.
///
/// One caller at a time.
package final class RealOutput {
  private var values: [Float] = []
  /// What ``values`` count.
  private var charge: MemoryCharge?
  /// What every byte stands for, by its bits.
  private var table: [Float] = []
  private var tabulated: TensorSpec?

  package init() {}

  /// Types that stand for real numbers.
  package static func isReal(_ spec: TensorSpec) -> Bool {
    switch spec.elementType {
    case .float32, .bool: true
    case .uint8, .int8: spec.quantization?.scales.count == 1
    default: false
    }
  }

  /// Calls `body` with the numbers in `memory`.
  ///
  /// - Parameter session: The session that the numbers count against if they take memory of their own; `nil` for none.
  /// - Throws: `TaskError` if the output is of another type or lacks a scale and if there is no room, and what `body` throws.
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

/// What tasks demand of the types of their models' outputs.
package enum OutputRequirement {
  /// All float32, or all quantized.
  ///
  /// - Throws: `TaskError` that names the first output which does not fit.
  /// - Source: MediaPipe's rule; int8 is accepted besides uint8.
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
