public import Foundation
@_spi(Facades) import SwiftletEngine
import TensorFlowLiteCommon

/// Runs one of a model's signatures, with its inputs and outputs by name.
///
/// Runners of the same graph share its tensors, and so does the interpreter if this is its main graph.
///
/// - Thread safety: as for ``Interpreter``.
public final class SignatureRunner: Sendable {
  /// The name of the signature.
  public let signatureKey: String
  /// The interpreter that the runner belongs to. It lives as long as the runner.
  private let interpreter: Interpreter
  private let ends: SignatureBindings

  init(interpreter: Interpreter, signatureKey: String) throws {
    let failure = SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: signatureKey)
    guard let ends = interpreter.runner.signatures.first(where: { $0.key == signatureKey }) else { throw failure }
    self.interpreter = interpreter
    self.signatureKey = signatureKey
    self.ends = ends
    try translating(to: failure) { try interpreter.runner.withGraph(ends) { _ in } }
    try allocateTensors()
  }

  /// The names of the inputs, in the order of the signature.
  public var inputs: [String] { ends.inputs.map(\.name) }

  /// The names of the outputs, in the order of the signature.
  public var outputs: [String] { ends.outputs.map(\.name) }

  /// Allocates tensors if necessary, copies data to the given inputs, and runs the signature. Other inputs keep their
  /// contents.
  ///
  /// - Throws: `SignatureRunnerError`: the same errors as `allocateTensors()` and `copy(_:toInputNamed:)`, and
  ///   `failedToInvokeSignature` if the run fails.
  public func invoke(with inputs: [String: Data]) throws {
    try withGraph { graph in
      try Self.allocate(graph)
      for (name, data) in inputs { try copy(data, toInputNamed: name, of: graph) }
      try translating(to: SignatureRunnerError.failedToInvokeSignature(signatureKey: signatureKey)) { try graph.run() }
    }
  }

  /// Returns an input with its current contents.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToGetTensor` for an unknown name, `allocateTensorsRequired` after
  ///   resizing, `invalidTensorDataType`.
  public func input(named name: String) throws -> Tensor {
    try withGraph { graph in
      let index = try position(.input, name)
      guard graph.isAllocated else { throw SignatureRunnerError.allocateTensorsRequired }
      let spec = graph.input(at: index)
      return try Self.tensor(spec) { make in
        try graph.withInput(index) { make(UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Returns an output with the result of the last run; before a run, and after resizing, with its last shape.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToGetTensor` for an unknown name, `allocateTensorsRequired` for an output
  ///   whose size is known only after a run, `invalidTensorDataType`.
  public func output(named name: String) throws -> Tensor {
    try withGraph { graph in
      let index = try position(.output, name)
      return try Self.tensor(graph.output(at: index)) { make in try graph.withOutput(index, make) }
    }
  }

  /// Requests another shape for an input. The next `allocateTensors()` or `invoke(with:)` allocates memory for it.
  ///
  /// - Throws: `SignatureRunnerError.failedToResizeInputTensor` for an unknown name and for an invalid shape.
  public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
    try withGraph { graph in
      guard let index = ends.input(named: name), graph.resizeInput(at: index, to: shape.dimensions) else {
        throw SignatureRunnerError.failedToResizeInputTensor(inputName: name)
      }
    }
  }

  /// Copies data to an input.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToGetTensor` for an unknown name, `invalidTensorDataCount` unless `data`
  ///   has exactly the size of the current shape, `allocateTensorsRequired` after resizing.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    try withGraph { try copy(data, toInputNamed: name, of: $0) }
  }

  /// Allocates memory for the tensors, for the current shapes of the inputs, unless it is allocated already.
  ///
  /// - Throws: `SignatureRunnerError.failedToAllocateTensors` if the graph doesn't accept the shapes.
  public func allocateTensors() throws { try withGraph(Self.allocate) }

  // MARK: With the lock held

  private func withGraph<Result>(_ body: (GraphRunner) throws -> Result) throws -> Result {
    try interpreter.runner.withGraph(ends, body)
  }

  private static func allocate(_ graph: GraphRunner) throws {
    try translating(to: SignatureRunnerError.failedToAllocateTensors) { try graph.allocate() }
  }

  private func position(_ type: TensorType, _ name: String) throws -> Int {
    let position = type == .input ? ends.input(named: name) : ends.output(named: name)
    guard let position else {
      throw SignatureRunnerError.failedToGetTensor(tensorType: type.rawValue, nameInSignature: name)
    }
    return position
  }

  private func copy(_ data: Data, toInputNamed name: String, of graph: GraphRunner) throws {
    let index = try position(.input, name)
    let required = graph.input(at: index).byteCount ?? 0
    guard data.count == required else {
      throw SignatureRunnerError.invalidTensorDataCount(provided: data.count, required: required)
    }
    guard graph.isAllocated else { throw SignatureRunnerError.allocateTensorsRequired }
    try translating(to: SignatureRunnerError.failedToCopyDataToInputTensor) {
      try graph.withInput(index) { $0.copyBytes(from: data) }
    }
  }

  private static func tensor(
    _ spec: TensorSpec, _ read: ((UnsafeRawBufferPointer) -> Tensor) throws -> Tensor
  ) throws -> Tensor {
    guard let dataType = Tensor.DataType(spec.elementType) else { throw SignatureRunnerError.invalidTensorDataType }
    return try translating(to: SignatureRunnerError.allocateTensorsRequired) {
      try read { Tensor(spec, dataType: dataType, bytes: $0) }
    }
  }
}

/// An error of a ``SignatureRunner``.
public enum SignatureRunnerError: Error, Equatable, Hashable, Sendable {
  /// The size of the data doesn't match the input.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// `Tensor.DataType` doesn't support the tensor's type.
  case invalidTensorDataType
  /// The model has no such signature, or the signature has unsupported features.
  case failedToCreateSignatureRunner(signatureKey: String)
  /// The signature has no such tensor; the type is `input` or `output`.
  case failedToGetTensor(tensorType: String, nameInSignature: String)
  /// The signature has no such input, or the requested shape is invalid.
  case failedToResizeInputTensor(inputName: String)
  /// Data can't be copied to the input.
  case failedToCopyDataToInputTensor
  /// The graph doesn't accept the input shapes, or there is not enough memory.
  case failedToAllocateTensors
  /// A run failed.
  case failedToInvokeSignature(signatureKey: String)
  /// `allocateTensors()` must be called first.
  case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
  /// A description of the error in one sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorDataCount(let provided, let required):
      InterpreterError.invalidTensorDataCount(provided: provided, required: required).errorDescription
    case .invalidTensorDataType: InterpreterError.invalidTensorDataType.errorDescription
    case .failedToCreateSignatureRunner(let key):
      "A signature runner could not be created: there is no signature (\(key)) that can be run."
    case .failedToGetTensor(let type, let name): "There is no \(type) tensor of the \(type) name (\(name))."
    case .failedToResizeInputTensor(let name): "The input tensor of the name (\(name)) could not be resized."
    case .failedToCopyDataToInputTensor: InterpreterError.failedToCopyDataToInputTensor.errorDescription
    case .failedToAllocateTensors: InterpreterError.failedToAllocateTensors.errorDescription
    case .failedToInvokeSignature(let key): "The signature (\(key)) could not be run."
    case .allocateTensorsRequired: InterpreterError.allocateTensorsRequired.errorDescription
    }
  }
}

extension SignatureRunnerError: CustomStringConvertible {
  /// A description of the error in one sentence.
  public var description: String { errorDescription ?? "" }
}
