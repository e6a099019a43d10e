import Foundation
import Testing

import enum SwiftletEngine.ElementType
import struct SwiftletEngine.TensorSpec
@testable import TensorFlowLite

@Suite("Values of TensorFlowLite")
struct ValueTypeTests {
  @Test("options have the original's defaults, and are compared by value")
  func options() {
    var first = Interpreter.Options(), second = Interpreter.Options()
    #expect(first.threadCount == nil && !first.isXNNPackEnabled && first == second)
    first.threadCount = 2
    #expect(first != second)
    second.threadCount = 2
    first.isXNNPackEnabled = true
    #expect(first != second && Set([first, second]).count == 2)
  }

  @Test("shapes are created from arrays, elements, and literals")
  func shapes() {
    let literal: Tensor.Shape = [2, 2, 3]
    for shape in [Tensor.Shape([2, 2, 3]), Tensor.Shape(2, 2, 3), literal] {
      #expect(shape.rank == 3 && shape.dimensions == [2, 2, 3] && shape == literal)
    }
    #expect(literal != [2, 2, 4] && Tensor.Shape([]).rank == 0)
  }

  @Test("tensors and parameters are compared by all values")
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

  @Test("the version is a semantic version")
  func version() throws {
    let pattern = #"^(\d+)\.(\d+)\.(\d+)([+-][-.0-9A-Za-z]+)?(\+\w+)?$"#
    #expect(TensorFlowLite.Runtime.version.range(of: pattern, options: .regularExpression) != nil)
  }

  @Test("errors contain numbers and names in every printed form")
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

  @Test("errors have their messages")
  func words() {
    for (error, words) in [
      (.invalidTensorIndex(index: 7, maxIndex: 3), "There is no tensor of index 7: the largest index is 3."),
      (.invalidTensorDataCount(provided: 12, required: 34), "The tensor takes 34 bytes, but 12 were provided."),
      (.invalidTensorDataType, "The tensor's data type is not supported, or the model has an error."),
      (.failedToLoadModel, "The model could not be loaded."),
      (.failedToCreateInterpreter, "The interpreter could not be created."),
      (.failedToResizeInputTensor(index: 5), "The input tensor of index 5 could not be resized."),
      (.failedToCopyDataToInputTensor, "The data could not be copied to the input tensor."),
      (.failedToAllocateTensors, "The memory of the tensors could not be allocated."),
      (.allocateTensorsRequired, "allocateTensors() must be called first."),
      (.invokeInterpreterRequired, "invoke() must be called first."),
    ] as [(InterpreterError, String)] {
      #expect(error.errorDescription == words)
    }
    for (error, words) in [
      (.invalidTensorDataCount(provided: 12, required: 34), "The tensor takes 34 bytes, but 12 were provided."),
      (.invalidTensorDataType, "The tensor's data type is not supported, or the model has an error."),
      (
        .failedToCreateSignatureRunner(signatureKey: "k"),
        "A signature runner could not be created: there is no signature (k) that can be run."
      ),
      (
        .failedToGetTensor(tensorType: "output", nameInSignature: "n"),
        "There is no output tensor of the output name (n)."
      ),
      (.failedToResizeInputTensor(inputName: "n"), "The input tensor of the name (n) could not be resized."),
      (.failedToCopyDataToInputTensor, "The data could not be copied to the input tensor."),
      (.failedToAllocateTensors, "The memory of the tensors could not be allocated."),
      (.failedToInvokeSignature(signatureKey: "k"), "The signature (k) could not be run."),
      (.allocateTensorsRequired, "allocateTensors() must be called first."),
    ] as [(SignatureRunnerError, String)] {
      #expect(error.errorDescription == words)
    }
  }

  @Test("types are the engine types that the original has, and the version extends the original's")
  func dataTypes() {
    let types: [(ElementType, Tensor.DataType)] = [
      (.bool, .bool), (.uint8, .uInt8), (.int16, .int16), (.int32, .int32), (.int64, .int64), (.float16, .float16),
      (.float32, .float32), (.float64, .float64),
    ]
    for (type, expected) in types { #expect(Tensor.DataType(type) == expected) }
    #expect(Set(types.map(\.1)).count == types.count)
    for type: ElementType in [.int8, .uint16, .uint32, .uint64, .int4, .string, .complex64, .bfloat16] {
      #expect(Tensor.DataType(type) == nil)
    }
    #expect(TensorFlowLite.Runtime.version == "2.17.0+swiftlet")
    #expect(TensorType.input.rawValue == "input" && TensorType.output.rawValue == "output")
  }

  @Test("tensors have the first scale and zero point, or none without a scale")
  func parameters() {
    func parameters(_ scales: [Float], _ zeroPoints: [Int32]) -> QuantizationParameters? {
      var spec = TensorSpec(name: "t", elementType: .uint8, shape: [2, 3])
      spec.quantization = .init(scales: scales, zeroPoints: zeroPoints)
      let tensor = [UInt8](0..<6).withUnsafeBytes { Tensor(spec, dataType: .uInt8, bytes: $0) }
      #expect(tensor.name == "t" && tensor.shape == [2, 3] && tensor.data == Data(0..<6))
      return tensor.quantizationParameters
    }
    #expect(parameters([0.5, 0.25], [3, 4]) == QuantizationParameters(scale: 0.5, zeroPoint: 3))
    #expect(parameters([0.5], []) == QuantizationParameters(scale: 0.5, zeroPoint: 0))
    #expect(parameters([0], [3]) == nil && parameters([], []) == nil)
  }
}
