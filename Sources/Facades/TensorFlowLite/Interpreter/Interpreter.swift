public import Foundation
@_spi(Facades) import SwiftletEngine
import TensorFlowLiteCommon

/// Runs a TensorFlow Lite model.
///
/// The order of calls is: make one, `resizeInput` where another shape is needed, `allocateTensors`, and then for every
/// run `copy`, `invoke` and `output`.
///
/// - Thread safety: calls of one interpreter and of its runners wait for each other; what belongs together, such as
///   copying, running and reading, is for the app to keep together. `Sendable` is unchecked because of the delegates,
///   which may come from anywhere: they are kept, and never called.
public final class Interpreter: @unchecked Sendable {
  /// The options that the interpreter was made with.
  public let options: Options?
  /// The delegates that the interpreter was made with. None of them is used: models run on the processor.
  public let delegates: [any Delegate]?
  let runner: ModelRunner

  /// Creates an interpreter for a model file.
  ///
  /// - Throws: `InterpreterError`: `failedToLoadModel` for a file that is not there or is no model, and
  ///   `failedToCreateInterpreter` for a model with operators that are not supported.
  public convenience init(modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil) throws {
    guard let model = Model(filePath: modelPath) else { throw InterpreterError.failedToLoadModel }
    try self.init(model, options: options, delegates: delegates)
  }

  /// Creates an interpreter for a model in memory, which is copied.
  ///
  /// - Throws: as `init(modelPath:options:delegates:)`.
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

  /// The number of inputs that the main graph has.
  public var inputTensorCount: Int { (try? runner.withMainGraph(\.inputCount)) ?? 0 }

  /// The number of outputs that the main graph has.
  public var outputTensorCount: Int { (try? runner.withMainGraph(\.outputCount)) ?? 0 }

  /// The names of the model's signatures, in its order; empty for a model without.
  public var signatureKeys: [String] { runner.signatures.map(\.key) }

  /// Computes the outputs from what the inputs hold.
  ///
  /// - Throws: `InterpreterError.allocateTensorsRequired`, whatever the reason; `Runtime.messageHandler` hears of it.
  public func invoke() throws {
    try withGraph { graph in
      try translating(to: InterpreterError.allocateTensorsRequired) { try graph.run() }
    }
  }

  /// An input with what it holds.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `allocateTensorsRequired`, `invalidTensorDataType` for a type
  ///   that `Tensor.DataType` does not have.
  public func input(at index: Int) throws -> Tensor {
    try withGraph { graph in
      try Self.check(index, graph.inputCount)
      return try Self.input(at: index, of: graph)
    }
  }

  /// An output with what the last run has written to it.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `invokeInterpreterRequired` before the tensors are allocated
  ///   and for outputs whose size only a run tells, `invalidTensorDataType` for a type that `Tensor.DataType` does not
  ///   have.
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

  /// Asks for another shape of an input. It needs `allocateTensors()` afterwards, which says whether the model takes
  /// it.
  ///
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `failedToResizeInputTensor` for what is no shape.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try withGraph { graph in
      try Self.check(index, graph.inputCount)
      guard graph.resizeInput(at: index, to: shape.dimensions) else {
        throw InterpreterError.failedToResizeInputTensor(index: index)
      }
    }
  }

  /// Fills an input.
  ///
  /// - Returns: the input with its new bytes.
  /// - Throws: `InterpreterError`: `invalidTensorIndex`, `invalidTensorDataCount` unless `data` has just the bytes of
  ///   the present shape, `allocateTensorsRequired`, and `invalidTensorDataType` for a type that `Tensor.DataType` does
  ///   not have, after the bytes were copied.
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

  /// Makes memory for all tensors of the main graph, for the present shapes of its inputs.
  ///
  /// - Throws: `InterpreterError.failedToAllocateTensors` when the model does not take the shapes.
  public func allocateTensors() throws {
    try withGraph { graph in
      try translating(to: InterpreterError.failedToAllocateTensors) { try graph.allocate() }
    }
  }

  /// A runner of one of the model's signatures; its tensors are allocated.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToCreateSignatureRunner` for a name that is none of ``signatureKeys``,
  ///   `failedToAllocateTensors`.
  public func signatureRunner(with key: String) throws -> SignatureRunner {
    try SignatureRunner(interpreter: self, signatureKey: key)
  }

  // MARK: Within the lock

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

/// Calls `body`; where it fails, the reason is reported and `failure` thrown, which has no room for a reason.
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
    /// The most threads that a run uses; `nil` or no positive number for as many as the engine chooses.
    public var threadCount: Int?
    /// Whether the original uses XNNPACK. Accepted, and without effect: the kernels here are always as fast.
    public var isXNNPackEnabled = false

    /// Creates options with their default values.
    public init() {}
  }
}

/// The older name of `Interpreter.Options`.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options

/// An error of an ``Interpreter``.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
  /// There is no tensor of that index.
  case invalidTensorIndex(index: Int, maxIndex: Int)
  /// The input takes another number of bytes.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// `Tensor.DataType` does not have the tensor's type.
  case invalidTensorDataType
  /// The file or the bytes could not be read, or are no model.
  case failedToLoadModel
  /// The model has something that is not supported.
  case failedToCreateInterpreter
  /// The requested shape is not valid.
  case failedToResizeInputTensor(index: Int)
  /// The input takes no bytes from outside.
  case failedToCopyDataToInputTensor
  /// The model does not take the inputs' shapes, or there is not enough memory.
  case failedToAllocateTensors
  /// `allocateTensors()` must be called first; also what a run that fails throws.
  case allocateTensorsRequired
  /// `invoke()` must be called first.
  case invokeInterpreterRequired
  /// A message of the engine. Never thrown: `Runtime.messageHandler` receives its description.
  case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
  /// A sentence that describes the error.
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
  /// A sentence that describes the error.
  public var description: String { errorDescription ?? "" }
}
