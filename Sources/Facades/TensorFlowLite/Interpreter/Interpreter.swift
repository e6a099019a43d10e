public import Foundation
@_spi(Facades) import SwiftletEngine
import TensorFlowLiteCommon

/// Runs a TensorFlow Lite model.
///
/// Call the methods in this order: create an interpreter, call `resizeInput` if another shape is needed, call
/// `allocateTensors`, and then for every run `copy`, `invoke`, and `output`.
///
/// - Thread safety: calls on one interpreter and its runners are serialized. The app must synchronize sequences of
///   calls, such as copying, running, and reading. `Sendable` is unchecked because of the delegates, which can be of
///   any type: they are retained, but never called.
public final class Interpreter: @unchecked Sendable {
  /// The options that the interpreter was created with.
  public let options: Options?
  /// The delegates that the interpreter was created with. None of them is used: models run on the CPU.
  public let delegates: [any Delegate]?
  let runner: ModelRunner

  /// Creates an interpreter for a model file.
  ///
  /// - Throws: `InterpreterError`: `failedToLoadModel` if the file is missing or is not a model, and
  ///   `failedToCreateInterpreter` for a model with operators that are not supported.
  public convenience init(modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil) throws {
    guard let model = Model(filePath: modelPath) else { throw InterpreterError.failedToLoadModel }
    try self.init(model, options: options, delegates: delegates)
  }

  /// Creates an interpreter for a model in memory, which is copied.
  ///
  /// - Throws: The same errors as `init(modelPath:options:delegates:)`.
  public convenience init(modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil) throws {
    guard let model = Model(modelData: modelData) else { throw InterpreterError.failedToLoadModel }
    try self.init(model, options: options, delegates: delegates)
  }

  private init(_ model: Model, options: Options?, delegates: [any Delegate]?) throws {
    self.options = options
    self.delegates = delegates
    runner = ModelRunner(model.cModel, threads: options?.threadCount)
    try translating(to: InterpreterError.failedToCreateInterpreter) { try runner.withMainGraph { _ in } }
    for delegate in delegates ?? [] { delegate.warn() }
  }

  /// The number of inputs of the main graph.
  public var inputTensorCount: Int { (try? runner.withMainGraph(\.inputCount)) ?? 0 }

  /// The number of outputs of the main graph.
  public var outputTensorCount: Int { (try? runner.withMainGraph(\.outputCount)) ?? 0 }

  /// The names of the model's signatures, in the order of the model; empty if there are none.
  public var signatureKeys: [String] { runner.signatures.map(\.key) }

  /// Runs the model on the current inputs.
  ///
  /// - Throws: `InterpreterError.allocateTensorsRequired` for every failure. `Runtime.messageHandler` receives the
  ///   reason.
  public func invoke() throws {
    try withGraph { graph in
      try translating(to: InterpreterError.allocateTensorsRequired) { try graph.run() }
    }
  }

  /// Returns an input with its current contents.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `allocateTensorsRequired`, `invalidTensorDataType` for a type
  ///   that `Tensor.DataType` doesn't support.
  public func input(at index: Int) throws -> Tensor {
    try withGraph { graph in
      try Self.check(index, graph.inputCount)
      return try Self.input(at: index, of: graph)
    }
  }

  /// Returns an output with the result of the last run.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `invokeInterpreterRequired` before the tensors are allocated
  ///   and for outputs whose size is known only after a run, `invalidTensorDataType` for a type that `Tensor.DataType`
  ///   doesn't support.
  public func output(at index: Int) throws -> Tensor {
    try withGraph { graph in
      try Self.check(index, graph.outputCount)
      let spec = graph.output(at: index)
      guard graph.isAllocated else { throw InterpreterError.invokeInterpreterRequired }
      guard let dataType = Tensor.DataType(spec.elementType) else { throw InterpreterError.invalidTensorDataType }
      do {
        return try graph.withOutput(index) { Tensor(spec, dataType: dataType, bytes: $0) }
      } catch {
        throw InterpreterError.invokeInterpreterRequired
      }
    }
  }

  /// Requests another shape for an input. Call `allocateTensors()` afterwards, which throws an error if the model
  /// doesn't accept the shape.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `failedToResizeInputTensor` for an invalid shape.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try withGraph { graph in
      try Self.check(index, graph.inputCount)
      guard graph.resizeInput(at: index, to: shape.dimensions) else {
        throw InterpreterError.failedToResizeInputTensor(index: index)
      }
    }
  }

  /// Copies data to an input.
  ///
  /// - Returns: The input with its new contents.
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `invalidTensorDataCount` unless `data` has exactly the size of
  ///   the current shape, `allocateTensorsRequired`, and `invalidTensorDataType` for a type that `Tensor.DataType`
  ///   doesn't support, after the data was copied.
  @discardableResult
  public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
    try withGraph { graph in
      try Self.check(index, graph.inputCount)
      let required = graph.input(at: index).byteCount ?? 0
      guard data.count == required else {
        throw InterpreterError.invalidTensorDataCount(provided: data.count, required: required)
      }
      guard graph.isAllocated else { throw InterpreterError.allocateTensorsRequired }
      try translating(to: InterpreterError.failedToCopyDataToInputTensor) {
        try graph.withInput(index) { $0.copyBytes(from: data) }
      }
      return try Self.input(at: index, of: graph)
    }
  }

  /// Allocates memory for all tensors of the main graph, for the current shapes of its inputs.
  ///
  /// - Throws: `InterpreterError.failedToAllocateTensors` if the model doesn't accept the shapes.
  public func allocateTensors() throws {
    try withGraph { graph in
      try translating(to: InterpreterError.failedToAllocateTensors) { try graph.allocate() }
    }
  }

  /// Returns a runner for one of the model's signatures, with allocated tensors.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToCreateSignatureRunner` for a name that is not in ``signatureKeys``,
  ///   `failedToAllocateTensors`.
  public func signatureRunner(with key: String) throws -> SignatureRunner {
    try SignatureRunner(interpreter: self, signatureKey: key)
  }

  // MARK: With the lock held

  private func withGraph<Result>(_ body: (GraphRunner) throws -> Result) throws -> Result {
    try runner.withMainGraph(body)
  }

  private static func check(_ index: Int, _ count: Int) throws {
    guard index >= 0, index < count else {
      throw InterpreterError.invalidTensorIndex(index: index, maxIndex: count - 1)
    }
  }

  private static func input(at index: Int, of graph: GraphRunner) throws -> Tensor {
    guard graph.isAllocated else { throw InterpreterError.allocateTensorsRequired }
    let spec = graph.input(at: index)
    guard let dataType = Tensor.DataType(spec.elementType) else { throw InterpreterError.invalidTensorDataType }
    return try translating(to: InterpreterError.allocateTensorsRequired) {
      try graph.withInput(index) { Tensor(spec, dataType: dataType, bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}

/// Calls `body`. If it fails, the reason is reported and `failure`, which has no room for a reason, is thrown.
func translating<Result>(to failure: @autoclosure () -> some Error, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    Runtime.report(error)
    throw failure()
  }
}

extension Interpreter {
  /// The options for running a model.
  public struct Options: Equatable, Hashable, Sendable {
    /// The maximum number of threads per run; `nil` or a number below 1 lets the engine choose.
    public var threadCount: Int?
    /// A Boolean value that indicates whether to use XNNPACK. It has no effect, because the engine's kernels are always
    /// optimized.
    public var isXNNPackEnabled = false

    /// Creates options with their default values.
    public init() {}
  }
}

/// The former name of `Interpreter.Options`.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options

/// An error of an ``Interpreter``.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
  /// There is no tensor with this index.
  case invalidTensorIndex(index: Int, maxIndex: Int)
  /// The size of the data doesn't match the input.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// `Tensor.DataType` doesn't support the tensor's type.
  case invalidTensorDataType
  /// The file or the bytes could not be read, or are not a model.
  case failedToLoadModel
  /// The model has unsupported features.
  case failedToCreateInterpreter
  /// The requested shape is not valid.
  case failedToResizeInputTensor(index: Int)
  /// Data can't be copied to the input.
  case failedToCopyDataToInputTensor
  /// The model doesn't accept the input shapes, or there is not enough memory.
  case failedToAllocateTensors
  /// `allocateTensors()` must be called first. Also thrown if a run fails.
  case allocateTensorsRequired
  /// `invoke()` must be called first.
  case invokeInterpreterRequired
  /// A message of the engine. Never thrown: `Runtime.messageHandler` receives its description.
  case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
  /// A description of the error in one sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorIndex(let index, let maxIndex):
      "There is no tensor of index \(index): the largest index is \(maxIndex)."
    case .invalidTensorDataCount(let provided, let required):
      "The tensor takes \(required) bytes, but \(provided) were provided."
    case .invalidTensorDataType: "The tensor's data type is not supported, or the model has an error."
    case .failedToLoadModel: "The model could not be loaded."
    case .failedToCreateInterpreter: "The interpreter could not be created."
    case .failedToResizeInputTensor(let index): "The input tensor of index \(index) could not be resized."
    case .failedToCopyDataToInputTensor: "The data could not be copied to the input tensor."
    case .failedToAllocateTensors: "The memory of the tensors could not be allocated."
    case .allocateTensorsRequired: "allocateTensors() must be called first."
    case .invokeInterpreterRequired: "invoke() must be called first."
    case .tensorFlowLiteError(let message): "TensorFlow Lite Error: \(message)"
    }
  }
}

extension InterpreterError: CustomStringConvertible {
  /// A description of the error in one sentence.
  public var description: String { errorDescription ?? "" }
}
