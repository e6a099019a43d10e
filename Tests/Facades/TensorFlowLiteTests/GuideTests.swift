import Foundation
import SwiftletTestSupport
import Testing

@testable import TensorFlowLite

@Suite("Code written for TensorFlow Lite")
struct GuideTests {
  @Test("code of the page classifies with quantized and float models")
  func classifier() throws {
    let labels = ["a", "b", "c", "d", "e", "f"]
    try withFile(PassingModel.imageModel(quantizedBy: 0.5)) { path in
      let best = try ImageClassifier(modelPath: path, labels: labels, threadCount: 2).classify(
        Data([1, 2, 9, 4, 5, 6]))
      #expect(best?.label == "c" && best?.score == 4.5)
    }
    try withFile(PassingModel.imageModel()) { path in
      let numbers = Data(numbers: [Float(1), 2, 3, 4, 5.5, 5])
      let best = try ImageClassifier(modelPath: path, labels: labels, threadCount: 2).classify(numbers)
      #expect(best?.label == "e" && best?.score == 5.5)
    }
  }

  @Test("code of the page runs a signature")
  func signature() throws {
    #expect(try add([1, 2, 3], with: try Interpreter(SmallModels.addAndSub)) == [3, 4, 5])
  }

  @Test("the code of the page equals the code that this test compiles")
  func documentation() throws {
    let code = try DocumentedCode(page: "tensorflowlite-facade.md")
    let sources = [
      "Facades/TensorFlowLiteTests/Guides/MigrationGuide.swift", "Facades/LiteRTTests/Guides/MigrationGuide.swift",
    ]
    #expect(code.blocks.count == 4)
    #expect(try code.blocks(notIn: sources) == [])
  }
}
