import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Heads of classification and embedding models")
struct ClassificationHeadsTests {
  private func decoder(
    labels: [String]? = nil, displayNames: [String]? = nil, allow: [String] = [], threshold: Float = 0,
    limit: Int? = nil
  ) throws -> ClassificationOutputDecoder {
    let map = try labels.map { try LabelMap(labels: $0, displayNames: displayNames) }
    return ClassificationOutputDecoder(
      index: 3, name: "scores", labels: map, filter: try CategoryFilter(allow: allow, deny: [], labels: map),
      scoreThreshold: threshold, maxResults: limit)
  }

  private func decode(_ decoder: ClassificationOutputDecoder, _ scores: [Float]) throws -> Classifications {
    var decoder = decoder
    return try scores.withUnsafeBufferPointer { try decoder.decode($0) }
  }

  @Test("a score at the threshold is reported, one just below is not")
  func threshold() throws {
    let scores: [Float] = [0.5, Float(0.5).nextDown, 0.75]
    #expect(try decode(decoder(threshold: 0.5), scores).categories.map(\.index) == [2, 0])
  }

  @Test("the head's index and name are told, and names of classes as far as there are any")
  func names() throws {
    let decoder = try decoder(labels: ["a", "b"], displayNames: ["A", "B"])
    let head = try decode(decoder, [0.25, 0.5, 0.75])
    #expect(head.headIndex == 3 && head.headName == "scores")
    #expect(
      head.categories == [
        ResultCategory(index: 2, score: 0.75),
        ResultCategory(index: 1, score: 0.5, categoryName: "b", displayName: "B"),
        ResultCategory(index: 0, score: 0.25, categoryName: "a", displayName: "A"),
      ])
  }

  @Test("the best class is the first of all, also from one call to the next")
  func best() throws {
    var decoder = try decoder(labels: ["a", "b", "c"], allow: ["a", "c"], threshold: 0.5)
    func best(_ scores: [Float]) throws -> ResultCategory? {
      try scores.withUnsafeBufferPointer { try decoder.best($0) }
    }
    #expect(try best([0.5, 0.9, 0.75]) == ResultCategory(index: 2, score: 0.75, categoryName: "c"))
    #expect(try best([0.5, 0.9, 0.25]) == ResultCategory(index: 0, score: 0.5, categoryName: "a"))
    #expect(try best([0.25, 0.9, 0.25]) == nil)
    let head = try [0.5, 0.9, 0.75].withUnsafeBufferPointer { try decoder.decode($0) }
    #expect(head.categories.map(\.index) == [2, 0])
  }

  private static let model = PassingModel(
    width: 2, height: 1,
    outputs: [
      .init(shape: [1, 6], name: "one", labels: ["a", "b", "c", "d", "e", "f"]), .init(shape: [1, 6], name: "two"),
    ])

  /// A task's model that has run on 10, 20, ... 60.
  private func run(_ model: PassingModel) throws -> TaskModel {
    let task = try TaskModel(BaseOptions(model: .bytes(model.bytes)))
    try task.session.withInput(at: 0, as: Float.self) { input in
      for index in input.indices { input[index] = Float(10 * (index + 1)) }
    }
    try task.run()
    return task
  }

  @Test("every output is a head; all classes have names only if all heads have labels")
  func classifications() throws {
    let model = try run(Self.model)
    var heads = try ClassificationHeads(model, CategoryOptions(maxResults: 1), task: "image classification")
    #expect(heads.count == 2 && !heads.hasNames && heads.categoryNames == ["a", "b", "c", "d", "e", "f"])
    #expect(
      try heads.decode(model) == [
        Classifications(
          headIndex: 0, headName: "one", categories: [ResultCategory(index: 5, score: 60, categoryName: "f")]),
        Classifications(headIndex: 1, headName: "two", categories: [ResultCategory(index: 5, score: 60)]),
      ])
    var labeled = Self.model
    labeled.outputs[1].labels = ["g", "h", "i", "j", "k", "l"]
    let both = try ClassificationHeads(try run(labeled), CategoryOptions(), task: "image classification")
    #expect(both.hasNames && both.categoryNames.count == 12 && both.categoryNames[6] == "g")
  }

  @Test("an embedding per output; nameless ones have empty names next to named ones")
  func embeddings() throws {
    var source = Self.model
    source.outputs[1].name = nil
    var model = try run(source)
    var heads = try EmbeddingHeads(model, l2Normalize: false, quantize: false, task: "image embedding")
    let expected: [Float] = [10, 20, 30, 40, 50, 60]
    #expect(
      try heads.decode(model) == [
        Embedding(floatEmbedding: expected, quantizedEmbedding: nil, headIndex: 0, headName: "one"),
        Embedding(floatEmbedding: expected, quantizedEmbedding: nil, headIndex: 1, headName: ""),
      ])
    source.outputs[0].name = nil
    model = try run(source)
    heads = try EmbeddingHeads(model, l2Normalize: true, quantize: true, task: "image embedding")
    let embeddings = try heads.decode(model)
    #expect(embeddings.map(\.headName) == [nil, nil])
    // Of length 95.393 9, in 128ths.
    #expect(embeddings.map(\.quantizedEmbedding) == [[13, 27, 40, 54, 67, 81], [13, 27, 40, 54, 67, 81]])
  }

  // MARK: Requirements

  private func spec(_ type: ElementType, _ shape: Shape = [1, 6], scales: [Float]? = nil) -> TensorSpec {
    TensorSpec(
      name: "t", elementType: type, shape: shape,
      quantization: scales.map { QuantizationParameters(scales: $0, zeroPoints: $0.map { _ in 0 }) })
  }

  private func check(_ outputs: [TensorSpec]) -> TaskError? {
    thrownError { try OutputRequirement.checkNumbersOfOneKind(outputs, task: "audio classification") }
  }

  @Test("outputs are real numbers, all float32 or all quantized")
  func requirements() {
    let (float, byte) = (spec(.float32), spec(.uint8, scales: [0.5]))
    #expect(check([float]) == nil && check([float, float]) == nil && check([byte, spec(.int8, scales: [1])]) == nil)
    #expect(check([byte, spec(.bool)]) == nil)
    let none = check([])
    #expect(none?.code == .invalidModel)
    #expect(none?.message == "the model has no outputs; it is not an audio classification model")
    for mixed in [[float, byte], [byte, float], [float, float, byte]] {
      let error = check(mixed)
      #expect(error?.code == .invalidModel)
      #expect(error?.message.contains("audio classification model must all be float32 or all quantised") == true)
    }
    for other in [spec(.int32), spec(.uint8), spec(.int8, scales: [1, 2]), spec(.int64), spec(.float16)] {
      let error = check([other])
      #expect(error?.code == .invalidModel, "\(other)")
      #expect(error?.message.contains("must be float32, bool, or uint8 or int8 with one scale") == true)
      #expect(check([spec(.bool), other]) != nil)
    }
  }
}
