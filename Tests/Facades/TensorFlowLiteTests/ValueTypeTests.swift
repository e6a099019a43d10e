import Foundation
import Testing

@testable import TensorFlowLite

@Suite("Values of TensorFlowLite")
struct ValueTypeTests {
  @Test("options have the original's defaults, and are equal by their values")
  func options() {
    var first = Interpreter.Options(), second = Interpreter.Options()
    #expect(first.threadCount == nil && !first.isXNNPackEnabled && first == second)
    first.threadCount = 2
    #expect(first != second)
    second.threadCount = 2
    first.isXNNPackEnabled = true
    #expect(first != second && Set([first, second]).count == 2)
  }

  @Test("shapes are made of arrays, elements and literals")
  func shapes() {
    let literal: Tensor.Shape = [2, 2, 3]
    for shape in [Tensor.Shape([2, 2, 3]), Tensor.Shape(2, 2, 3), literal] {
      #expect(shape.rank == 3 && shape.dimensions == [2, 2, 3] && shape == literal)
    }
    #expect(literal != [2, 2, 4] && Tensor.Shape([]).rank == 0)
  }

  @Test("tensors and parameters are equal by all that they hold")
  func equality() {
    func tensor(
      _ name: String = "t", _ type: Tensor.DataType = .uInt8, _ shape: Tensor.Shape = [1], _ byte: UInt8 = 1,
      _ scale: Float? = 0.5
    ) -> Tensor {
      Tensor(
        name: name, dataType: type, shape: shape, data: Data([byte]),
        quantizationParameters: scale.map { QuantizationParameters(scale: $0, zeroPoint: 1) })
    }
    #expect(tensor() == tensor() && tensor().hashValue == tensor().hashValue)
    let others = [tensor("u"), tensor("t", .bool), tensor("t", .uInt8, [1, 1]), tensor("t", .uInt8, [1], 2)]
    for other in others + [tensor("t", .uInt8, [1], 1, nil), tensor("t", .uInt8, [1], 1, 0.4)] {
      #expect(other != tensor())
    }
    #expect(QuantizationParameters(scale: 0.5, zeroPoint: 1) != QuantizationParameters(scale: 0.5, zeroPoint: 2))
  }

  @Test("the version is one of semantic versioning")
  func version() throws {
    let pattern = #"^(\d+)\.(\d+)\.(\d+)([+-][-.0-9A-Za-z]+)?(\+\w+)?$"#
    #expect(TensorFlowLite.Runtime.version.range(of: pattern, options: .regularExpression) != nil)
  }

  @Test("errors say their numbers and names, in every form that apps print")
  func texts() {
    for (error, parts) in [
      (.invalidTensorIndex(index: 7, maxIndex: 3), ["7", "3"]),
      (.invalidTensorDataCount(provided: 12, required: 34), ["12", "34"]),
      (.failedToResizeInputTensor(index: 5), ["5"]), (.allocateTensorsRequired, ["allocateTensors()"]),
      (.invokeInterpreterRequired, ["invoke()"]), (.tensorFlowLiteError("because"), ["TensorFlow Lite Error: because"]),
      (.invalidTensorDataType, ["type"]), (.failedToLoadModel, ["model"]), (.failedToCreateInterpreter, ["created"]),
      (.failedToCopyDataToInputTensor, ["copied"]), (.failedToAllocateTensors, ["allocated"]),
    ] as [(InterpreterError, [String])] {
      #expect(error.errorDescription == error.description && error.localizedDescription == "\(error)")
      for part in parts { #expect("\(error)".contains(part)) }
    }
    for (error, parts) in [
      (.invalidTensorDataCount(provided: 12, required: 34), ["12", "34"]),
      (.failedToCreateSignatureRunner(signatureKey: "key"), ["(key)"]),
      (.failedToGetTensor(tensorType: "output", nameInSignature: "name"), ["output", "(name)"]),
      (.failedToResizeInputTensor(inputName: "name"), ["(name)"]),
      (.failedToInvokeSignature(signatureKey: "key"), ["(key)"]), (.invalidTensorDataType, ["type"]),
      (.failedToCopyDataToInputTensor, ["copied"]), (.failedToAllocateTensors, ["allocated"]),
      (.allocateTensorsRequired, ["allocateTensors()"]),
    ] as [(SignatureRunnerError, [String])] {
      #expect(error.errorDescription == error.description && error.localizedDescription == "\(error)")
      for part in parts { #expect("\(error)".contains(part)) }
    }
  }
}
