import Foundation
import SwiftletTestSupport
import SwiftletBase
import Testing

@testable import TensorFlowLite

/// The tests are serialized, because the message handler belongs to the entire program.
@Suite("Delegates and messages", .serialized)
struct DelegateTests {
  @Test("delegates have the original's defaults")
  func defaults() throws {
    let metal = MetalDelegate()
    #expect(!metal.options.isPrecisionLossAllowed && metal.options.waitType == .passive)
    #expect(metal.options.isQuantizationEnabled)
    let coreML = try #require(CoreMLDelegate())
    #expect(coreML.options.enabledDevices == .neuralEngine && coreML.options.coreMLVersion == 0)
    #expect(coreML.options.maxDelegatedPartitions == 0 && coreML.options.minNodesPerPartition == 2)
  }

  @Test("delegates keep their options, which are compared by value")
  func options() throws {
    var options = MetalDelegate.Options()
    options.isPrecisionLossAllowed = true
    options.waitType = .active
    #expect(MetalDelegate(options: options).options == options && options != MetalDelegate.Options())
    var coreML = CoreMLDelegate.Options()
    coreML.enabledDevices = .all
    #expect(CoreMLDelegate(options: coreML)?.options == coreML && coreML != CoreMLDelegate.Options())
  }

  @Test("models run with any delegate, and a handler receives each kind once")
  func accepted() throws {
    let messages = try collecting {
      for _ in 0..<3 {
        let delegates: [any Delegate] = [MetalDelegate()] + (CoreMLDelegate().map { [$0] } ?? [])
        let interpreter = try Interpreter(modelData: Data(SmallModels.triple), delegates: delegates)
        #expect(interpreter.delegates?.count == 2 && interpreter.options == nil)
        #expect(interpreter.delegates?.first === delegates[0])
        try interpreter.allocateTensors()
        try interpreter.copy(Data(numbers: [Float(4)]), toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).data.numbers() == [Float(12)])
      }
    }
    #expect(messages.filter { $0.contains("MetalDelegate") && $0.contains("CPU") }.count == 1)
    #expect(messages.filter { $0.contains("CoreMLDelegate") && $0.contains("CPU") }.count == 1)
  }

  @Test("a handler receives the error of a call, and can use the interpreter")
  func reasons() throws {
    let interpreter = try Interpreter(SmallModels.choice)
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Int32(9)]), toInputAt: 0)
    let counts = Mutex<[Int]>([])
    let messages = collecting { _ in
      counts.withLock { $0.append(interpreter.inputTensorCount) }
    } during: {
      _ = try? Interpreter(SmallModels.unknownOperator)
      try? interpreter.invoke()
    }
    #expect(messages.contains { $0.hasPrefix("TensorFlow Lite Error: ") && $0.contains("NobodyKnowsThis") })
    #expect(messages.contains { $0.contains("GATHER") })
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } && $0.count >= 2 })
  }

  private func collecting(_ body: () throws -> Void) rethrows -> [String] {
    try collecting({ _ in }, during: body)
  }

  private func collecting(_ also: @escaping @Sendable (String) -> Void, during body: () throws -> Void) rethrows
    -> [String]
  {
    final class Messages: Sendable { let list = Mutex<[String]>([]) }
    let messages = Messages()
    return try ProcessSettings.exclusively {
      let before = Runtime.messageHandler
      Runtime.messageHandler = { message in
        messages.list.withLock { $0.append(message) }
        also(message)
      }
      defer { Runtime.messageHandler = before }
      try body()
      return messages.list.withLock { $0 }
    }
  }
}
