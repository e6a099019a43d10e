import Foundation
import SwiftletTestSupport
import TensorFlowLite
import Testing

@Suite("Interpreter with published models", .enabled(if: TestData.has("models"), "\(TestData.skipReason)"))
struct PublishedModelTests {
  private func interpreter(_ model: String, threads: Int? = nil) throws -> Interpreter {
    var options = Interpreter.Options()
    options.threadCount = threads
    return try Interpreter(modelPath: TestData.path("models/" + model), options: options)
  }

  @Test("a quantized classifier runs like in apps")
  func classifier() throws {
    let interpreter = try interpreter("classification/mobilenet_v1_0.25_224_quant.tflite", threads: 2)
    try interpreter.allocateTensors()
    let input = try interpreter.input(at: 0)
    #expect(input.shape == [1, 224, 224, 3] && input.dataType == .uInt8 && input.data.count == 224 * 224 * 3)
    let before = try interpreter.output(at: 0)
    #expect(before.shape == [1, 1001] && before.quantizationParameters?.scale == 1 / 256)
    try interpreter.copy(Data(repeating: 128, count: 224 * 224 * 3), toInputAt: 0)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    let scale = try #require(output.quantizationParameters).scale
    // A softmax of 1001 classes, most of which are too small for a byte.
    #expect((0.3...1.05).contains(output.data.map { scale * Float($0) }.reduce(0, +)))
  }

  @Test("a pose model has its output shape before the first run")
  func pose() throws {
    let interpreter = try interpreter("hand_pose/movenet_single_pose_lightning_ptq.tflite")
    try interpreter.allocateTensors()
    #expect(try interpreter.output(at: 0).shape == [1, 1, 17, 3])
  }

  @Test("signatures of one model run independently")
  func signatures() throws {
    let interpreter = try interpreter("ops/aeq_two_signatures.tflite")
    #expect(interpreter.signatureKeys.count == 2)
    for key in interpreter.signatureKeys {
      let runner = try interpreter.signatureRunner(with: key)
      #expect(!runner.inputs.isEmpty && !runner.outputs.isEmpty)
      for name in runner.inputs {
        let input = try runner.input(named: name)
        try runner.copy(Data(count: input.data.count), toInputNamed: name)
      }
      try runner.invoke(with: [:])
      for name in runner.outputs { #expect(try !runner.output(named: name).data.isEmpty) }
    }
  }

  @Test("a model with dynamic sizes is resized, run, and resized again")
  func resizing() throws {
    let interpreter = try interpreter("ops/litert_simple_add_dynamic_shape.tflite")
    for size in [3, 5] {
      for index in 0..<interpreter.inputTensorCount {
        try interpreter.resizeInput(at: index, to: [size, 2, 3])
      }
      try interpreter.allocateTensors()
      for index in 0..<interpreter.inputTensorCount {
        try interpreter.copy(
          [Float](repeating: 1, count: size * 6).withUnsafeBufferPointer(Data.init), toInputAt: index)
      }
      try interpreter.invoke()
      let output = try interpreter.output(at: 0)
      #expect(output.shape == [size, 2, 3])
      #expect(output.data.withUnsafeBytes { $0.bindMemory(to: Float.self).allSatisfy { $0 == 2 } })
    }
  }
}
