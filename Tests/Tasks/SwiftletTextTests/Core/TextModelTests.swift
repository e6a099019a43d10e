import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text models")
struct TextModelTests {
  @Test("strings reach the model unchanged")
  func strings() throws {
    let model = WordModel(.string)
    let (one, same, other) = (try numbers(model, "Abc"), try numbers(model, "aBC"), try numbers(model, "abd"))
    #expect(one.count == 5 && one == same && one != other)
    #expect(try numbers(model, "").count == 2 && numbers(model, "a\u{0}b").count == 5)
    #expect(try numbers(model, String(repeating: "é", count: 500_000)).count == WordModel.stringLength)
  }

  @Test("of three strings, one is the text and two are empty")
  func sentenceEncoder() throws {
    let results = try outputs(WordModel(.sentenceEncoder), "abc")
    #expect(results.map(\.count) == [2, 2, 5])
    var turned = WordModel(.sentenceEncoder)
    turned.inputNames = ["res_text", "inp_text", "res_context"]
    #expect(try outputs(turned, "abc").map(\.count) == [5, 2, 2])
    turned.inputNames = ["a", "b", "c"]
    #expect(taskError { try outputs(turned, "abc") }?.code == .missingMetadata)
  }

  @Test("token ID inputs must be rows of the same length")
  func shapes() throws {
    for shape in [[2, 4], [4], [1, 1, 4]] {
      var graph = TestGraph()
      let words = graph.input(.int32, shape)
      graph.add(.cast, [words], [graph.output(.float32, shape)])
      let error = taskError { try TextEmbedder(.bytes(TestGraph.bytes([graph]))) }
      #expect(
        error?.message.contains(
          "the inputs of a text model must all be of the same shape [1, n] with n of 1 or more, got") == true)
    }
  }

  @Test("string inputs must accept one string, or be resizable vectors")
  func stringShapes() throws {
    for (shape, isTaken) in [([1], true), ([3], true), ([], true), ([1, 1], true), ([2, 2], false), ([1, 2], false)] {
      var graph = TestGraph()
      let text = graph.input(.string, shape)
      let hashes = graph.tensor(.int32, shape + [1, 1])
      graph.add(
        custom: "NGramHash", [text], [hashes],
        options: FlexMap.bytes([
          "seed": .int(1), "ngram_lengths": .ints([1]), "vocab_sizes": .ints([9]), "max_splits": .int(1),
        ]))
      let flat = graph.tensor(.int32, [1, 1])
      graph.add(.reshape, [hashes, graph.constant([Int32(1), -1])], [flat])
      graph.add(.cast, [flat], [graph.output(.float32, [1, 1])])
      let error = taskError { try TextEmbedder(.bytes(TestGraph.bytes([graph]))) }
      let isRefused = error?.message.contains("an input of a text model must contain one string") == true
      #expect(isRefused == !isTaken, "\(shape): \(error?.message ?? "no error")")
    }
  }

  @Test("options have their defaults, and keep their values")
  func options() {
    let base = BaseOptions(model: .file("m"))
    let embedder = TextEmbedderOptions(baseOptions: base)
    #expect(embedder.baseOptions == base && !embedder.normalizesEmbedding && !embedder.quantizesEmbedding)
    #expect(TextEmbedderOptions(baseOptions: base, normalizesEmbedding: true).normalizesEmbedding)
    #expect(!TextEmbedderOptions(baseOptions: base, normalizesEmbedding: true).quantizesEmbedding)
    #expect(TextEmbedderOptions(baseOptions: base, quantizesEmbedding: true).quantizesEmbedding)
    let classifier = TextClassifierOptions(baseOptions: base)
    #expect(classifier.baseOptions == base && classifier.displayNamesLocale == "en" && classifier.maxResults == nil)
    #expect(
      classifier.scoreThreshold == 0 && classifier.categoryAllowlist.isEmpty && classifier.categoryDenylist.isEmpty)
    let full = TextClassifierOptions(
      baseOptions: base, displayNamesLocale: "de", maxResults: 3, scoreThreshold: 0.5, categoryAllowlist: ["a"],
      categoryDenylist: ["b"])
    #expect(full.displayNamesLocale == "de" && full.maxResults == 3 && full.scoreThreshold == 0.5)
    #expect(full.categoryAllowlist == ["a"] && full.categoryDenylist == ["b"])
    let detector = LanguageDetectorOptions(baseOptions: base)
    #expect(detector.baseOptions == base && detector.displayNamesLocale == "en" && detector.maxResults == nil)
    #expect(detector.scoreThreshold == 0 && detector.categoryAllowlist.isEmpty && detector.categoryDenylist.isEmpty)
    let other = LanguageDetectorOptions(
      baseOptions: base, displayNamesLocale: "de", maxResults: 3, scoreThreshold: 0.5, categoryAllowlist: ["a"],
      categoryDenylist: ["b"])
    #expect(other.displayNamesLocale == "de" && other.maxResults == 3 && other.scoreThreshold == 0.5)
    #expect(other.categoryAllowlist == ["a"] && other.categoryDenylist == ["b"])
    let context = TextFormatContext(embeddingType: .clustering)
    #expect(context.embeddingType == .clustering && context.title == nil && context.role == .query)
  }

  @Test("models of other kinds are rejected with the reason")
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
      let error = taskError { try TextEmbedder(.bytes(bytes)) }
      #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "none")")
    }
    #expect(taskError { try TextEmbedder(.file("/nowhere.tflite")) }?.code == .modelNotFound)
  }
}
