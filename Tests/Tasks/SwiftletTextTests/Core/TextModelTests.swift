import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text models")
struct TextModelTests {
  @Test("strings come to the model as they are")
  func strings() throws {
    let model = WordModel(.string)
    let (one, same, other) = (try numbers(model, "Abc"), try numbers(model, "aBC"), try numbers(model, "abd"))
    #expect(one.count == 5 && one == same && one != other)
    #expect(try numbers(model, "").count == 2 && numbers(model, "a\u{0}b").count == 5)
    #expect(try numbers(model, String(repeating: "é", count: 500_000)).count == WordModel.stringLength)
  }

  @Test("of three strings one is the text and two are empty")
  func sentenceEncoder() throws {
    let results = try outputs(WordModel(.sentenceEncoder), "abc")
    #expect(results.map(\.count) == [2, 2, 5])
    var turned = WordModel(.sentenceEncoder)
    turned.inputNames = ["res_text", "inp_text", "res_context"]
    #expect(try outputs(turned, "abc").map(\.count) == [5, 2, 2])
    turned.inputNames = ["a", "b", "c"]
    #expect(taskError { try outputs(turned, "abc") }?.code == .missingMetadata)
  }

  @Test("models of other kinds are refused, each with what is wrong")
  func refuses() throws {
    var graph = TestGraph()
    let pixels = graph.input(.float32, [1, 4])
    graph.add(.neg, [pixels], [graph.output(.float32, [1, 4])])
    var many = WordModel(.string)
    many.extraSubgraphs = 1
    var two = TestGraph()
    let ids = [two.input(.int32, [1, 4]), two.input(.int32, [1, 4])]
    two.add(.add, ids.map(\.self), [two.output(.int32, [1, 4])])
    for (bytes, code, hint) in [
      (TestGraph.bytes([graph]), .invalidModel, "all int32 or all strings"), (many.bytes, .invalidModel, "2 subgraphs"),
      (TestGraph.bytes([two]), .invalidModel, "this one has 2"),
      (WordModel(.unexplained).bytes, .missingMetadata, "regex tokenizer"),
      (WordModel(.sentencePiece).bytes, .unsupportedModel, "SentencePiece"),
    ] as [([UInt8], TaskError.Code, String)] {
      let error = taskError { try TextEmbedder(model: .bytes(bytes)) }
      #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "none")")
    }
    #expect(taskError { try TextEmbedder(model: .file("/nowhere.tflite")) }?.code == .modelNotFound)
  }
}
