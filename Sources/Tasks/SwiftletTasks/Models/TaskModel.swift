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
  private let unreadOutputs: Set<Int>
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
  ///   - unreadOutputs: positions of outputs that the task never asks for; what only they need is not computed.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package init(_ model: Model, _ context: ModelContext, unreadOutputs: Set<Int> = []) throws(TaskError) {
    (self.model, self.unreadOutputs) = (model, unreadOutputs)
    (runsAreCalls, results) = (context.runsAreCalls, context.results)
    (metadata, files) = try TaskError.wrapping(as: .invalidModel, about: "the model's metadata is damaged") {
      (try model.file.modelMetadata()?.subgraphs.first, try model.file.associatedFiles())
    }
    tables = ModelTables(files, results: results)
    let options = context.options.runtimeOptions
    session = try TaskError.wrapping {
      func compile() throws -> CompiledModel {
        try CompiledModel(model, options: options, unusedOutputs: unreadOutputs)
      }
      guard let sharing = context.sharing else { return try Session(try compile()) }
      return try Session(try sharing.compiled(context.source, options, unreadOutputs, compile: compile))
    }
    outputs = session.outputs
    realOutputs = outputs.map { _ in RealOutput() }
    firstOutputs = Dictionary(
      outputs.indices.filter { !unreadOutputs.contains($0) }.map { [session] in (session.outputValue($0), $0) },
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
    for index in outputs.indices where !unreadOutputs.contains(index) {
      let byteCount = try session.withOutput(index) { $0.count }
      guard byteCount == outputs[index].byteCount else {
        outputs = session.outputs
        return
      }
    }
  }

  /// Gives `body` output `index` as real numbers, quantised ones multiplied out.
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
