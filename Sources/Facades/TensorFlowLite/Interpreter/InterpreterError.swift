public import Foundation

/// What an ``Interpreter`` throws.
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
  /// What was asked for is no shape.
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
  /// What went wrong, in a sentence.
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
  /// What went wrong, in a sentence.
  public var description: String { errorDescription ?? "" }
}
