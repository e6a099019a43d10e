public import Foundation

/// What a ``SignatureRunner`` throws.
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
  /// What went wrong, in a sentence.
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
  /// What went wrong, in a sentence.
  public var description: String { errorDescription ?? "" }
}
