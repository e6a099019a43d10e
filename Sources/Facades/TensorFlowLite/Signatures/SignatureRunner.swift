public import Foundation
@_spi(Facades) import SwiftletEngine
import TensorFlowLiteCommon

/// Runs one of a model's signatures, with its inputs and outputs by name.
///
/// Runners of one graph, and the interpreter where that is its main graph, share its tensors.
///
/// - Thread safety: as for ``Interpreter``.
public final class SignatureRunner: Sendable {
  /// The name of the signature.
  public let signatureKey: String
  /// What the runner is of; it lives as long as the runner.
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

  /// Allocates tensors where that is needed, fills the inputs that are named, and runs; other inputs keep what they
  /// hold.
  ///
  /// - Throws: `SignatureRunnerError`: as `allocateTensors()` and `copy(_:toInputNamed:)`, and
  ///   `failedToInvokeSignature` when the run fails.
  public func invoke(with inputs: [String: Data]) throws {
    try withGraph { graph in
      try Self.allocate(graph)
      for (name, data) in inputs { try copy(data, toInputNamed: name, of: graph) }
      try translating(to: SignatureRunnerError.failedToInvokeSignature(signatureKey: signatureKey)) { try graph.run() }
    }
  }

  /// An input with what it holds.
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

  /// An output with what the last run has written to it; before that, and after resizing, with the shape that it had.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToGetTensor` for an unknown name, `allocateTensorsRequired` for an output
  ///   whose size only a run tells, `invalidTensorDataType`.
  public func output(named name: String) throws -> Tensor {
    try withGraph { graph in
      let index = try position(.output, name)
      return try Self.tensor(graph.output(at: index)) { make in try graph.withOutput(index, make) }
    }
  }

  /// Asks for another shape of an input, which the next `allocateTensors()` or `invoke(with:)` makes memory for.
  ///
  /// - Throws: `SignatureRunnerError.failedToResizeInputTensor` for an unknown name and for what is no shape.
  public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
    try withGraph { graph in
      guard let index = ends.input(named: name), graph.resizeInput(at: index, to: shape.dimensions) else {
        throw SignatureRunnerError.failedToResizeInputTensor(inputName: name)
      }
    }
  }

  /// Fills an input.
  ///
  /// - Throws: `SignatureRunnerError`: `failedToGetTensor` for an unknown name, `invalidTensorDataCount` unless `data`
  ///   has just the bytes of the present shape, `allocateTensorsRequired` after resizing.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    try withGraph { try copy(data, toInputNamed: name, of: $0) }
  }

  /// Makes memory for the tensors, for the present shapes of the inputs; does nothing where it is there.
  ///
  /// - Throws: `SignatureRunnerError.failedToAllocateTensors` when the graph does not take the shapes.
  public func allocateTensors() throws { try withGraph(Self.allocate) }

  // MARK: Within the lock

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
  /// The input takes another number of bytes.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// `Tensor.DataType` does not have the tensor's type.
  case invalidTensorDataType
  /// The model has no such signature, or has something in it that is not supported.
  case failedToCreateSignatureRunner(signatureKey: String)
  /// The signature names no such tensor; the type is `input` or `output`.
  case failedToGetTensor(tensorType: String, nameInSignature: String)
  /// The signature names no such input, or what was asked for is no shape.
  case failedToResizeInputTensor(inputName: String)
  /// The input takes no bytes from outside.
  case failedToCopyDataToInputTensor
  /// The graph does not take the inputs' shapes, or there is not enough memory.
  case failedToAllocateTensors
  /// A run failed.
  case failedToInvokeSignature(signatureKey: String)
  /// `allocateTensors()` must be called first.
  case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
  /// A sentence that describes the error.
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
  /// A sentence that describes the error.
  public var description: String { errorDescription ?? "" }
}
