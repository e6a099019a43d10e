import SwiftletEngine
import SwiftletSchema
import SwiftletBase
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
      name: "scores", labels: map, filter: try CategoryFilter(allow: allow, deny: [], labels: map),
      scoreThreshold: threshold, maxResults: limit)
  }

  private func decode(_ decoder: ClassificationOutputDecoder, _ scores: [Float]) throws -> Classification.Head {
    var decoder = decoder
    return try scores.withUnsafeBufferPointer { try decoder.decode($0, results: ResultBudget(RuntimeOptions.Limits())) }
  }

  @Test("a score at the threshold is reported, and one just below isn't")
  func threshold() throws {
    let scores: [Float] = [0.5, Float(0.5).nextDown, 0.75]
    #expect(try decode(decoder(threshold: 0.5), scores).categories.map(\.index) == [2, 0])
  }

  @Test("a head has its output's name, and classes have the available names")
  func names() throws {
    let decoder = try decoder(labels: ["a", "b"], displayNames: ["A", "B"])
    let head = try decode(decoder, [0.25, 0.5, 0.75])
    #expect(head.name == "scores")
    #expect(
      head.categories == [
        ResultCategory(index: 2, score: 0.75),
        ResultCategory(index: 1, score: 0.5, categoryName: "b", displayName: "B"),
        ResultCategory(index: 0, score: 0.25, categoryName: "a", displayName: "A"),
      ])
  }

  @Test("the best class is the first of equals, also between calls")
  func best() throws {
    var decoder = try decoder(labels: ["a", "b", "c"], allow: ["a", "c"], threshold: 0.5)
    func best(_ scores: [Float]) throws -> ResultCategory? {
      try scores.withUnsafeBufferPointer { try decoder.best($0, results: ResultBudget(RuntimeOptions.Limits())) }
    }
    #expect(try best([0.5, 0.9, 0.75]) == ResultCategory(index: 2, score: 0.75, categoryName: "c"))
    #expect(try best([0.5, 0.9, 0.25]) == ResultCategory(index: 0, score: 0.5, categoryName: "a"))
    #expect(try best([0.25, 0.9, 0.25]) == nil)
    let head = try [0.5, 0.9, 0.75].withUnsafeBufferPointer {
      try decoder.decode($0, results: ResultBudget(RuntimeOptions.Limits()))
    }
    #expect(head.categories.map(\.index) == [2, 0])
  }

  private static let model = PassingModel(
    width: 2, height: 1,
    outputs: [
      .init(shape: [1, 6], name: "one", labels: ["a", "b", "c", "d", "e", "f"]), .init(shape: [1, 6], name: "two"),
    ])

  /// Returns a task's model after a run on 10, 20, ... 60.
  private func run(_ model: PassingModel, resultBytes: Int? = nil) throws -> TaskModel {
    var base = BaseOptions(model: .bytes(model.bytes))
    if let resultBytes { base.limits.resultBytes = resultBytes }
    let task = try TaskModel(ModelContext(base))
    try task.session.withInput(0, as: Float.self) { input in
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
      try heads.decode(model).heads == [
        .init(
          name: "one", categories: [ResultCategory(index: 5, score: 60, categoryName: "f")]),
        .init(name: "two", categories: [ResultCategory(index: 5, score: 60)]),
      ])
    var labeled = Self.model
    labeled.outputs[1].labels = ["g", "h", "i", "j", "k", "l"]
    let both = try ClassificationHeads(try run(labeled), CategoryOptions(), task: "image classification")
    #expect(both.hasNames && both.categoryNames.count == 12 && both.categoryNames[6] == "g")
  }

  @Test("returns an embedding per output, with its name from the metadata")
  func embeddings() throws {
    var source = Self.model
    source.outputs[1].name = nil
    var model = try run(source)
    var heads = try EmbeddingHeads(model, normalizes: false, quantizes: false, task: "image embedding")
    let expected: [Float] = [10, 20, 30, 40, 50, 60]
    #expect(
      try heads.decode(model).heads == [
        .init(name: "one", values: .float(expected)), .init(values: .float(expected)),
      ])
    source.outputs[0].name = nil
    model = try run(source)
    heads = try EmbeddingHeads(model, normalizes: true, quantizes: true, task: "image embedding")
    let embeddings = try heads.decode(model).heads
    #expect(embeddings.map(\.name) == [nil, nil])
    // The vector's length is 95.3939; its components are in units of 1/128.
    #expect(embeddings.map(\.values) == [.int8([13, 27, 40, 54, 67, 81]), .int8([13, 27, 40, 54, 67, 81])])
  }

  // MARK: Limits

  /// Returns the memory that counts for a number of heads and their categories.
  private func byteCount(heads: Int, categories: Int) -> Int {
    heads * MemoryLayout<Classification.Head>.stride + categories * 128
  }

  private func budget(_ bytes: Int) -> ResultBudget {
    var limits = RuntimeOptions.Limits()
    limits.resultBytes = bytes
    return ResultBudget(limits)
  }

  @Test("categories of exactly the limit are reported, and with a byte less none are", arguments: [nil, 4] as [Int?])
  func categoryLimit(maxResults: Int?) throws {
    let count = maxResults ?? 6
    for missing in 0...1 {
      let model = try run(Self.model, resultBytes: 12 + 48 * 7 + byteCount(heads: 2, categories: 2 * count) - missing)
      var heads = try ClassificationHeads(model, CategoryOptions(maxResults: maxResults), task: "image classification")
      let error: TaskError? = thrownError {
        let found = try heads.decode(model).heads
        #expect(found.map(\.categories.count) == [count, count])
      }
      #expect(error?.code == (missing == 0 ? nil : .limitExceeded))
      #expect(error == nil || error?.message.contains("set maxResults") == true)
    }
  }

  @Test("scores of many classes end at the deadline of the call", arguments: [4095, 4096])
  func deadline(count: Int) throws {
    var decoder = try decoder(limit: 1)
    let scores = [Float](repeating: 0.5, count: count)
    let error: TaskError? = CallContext(timeout: .zero - .seconds(1)).carry {
      thrownError { try scores.withUnsafeBufferPointer { try decoder.decode($0, results: budget(1 << 20)) } }
    }
    #expect(error?.code == (count < 4096 ? nil : .deadlineExceeded))
  }

  @Test("a tensor that is several outputs is read once, and its categories are shared but count each time")
  func twins() throws {
    var source = Self.model
    source.repeatsFirstOutput = true
    source.outputs = [.init(shape: [1, 6], name: "one"), .init(shape: [1, 6]), .init(shape: [1, 6], name: "three")]
    let model = try run(source, resultBytes: byteCount(heads: 3, categories: 18))
    #expect((0..<3).map { model.firstOutput(sharing: $0) } == [0, 0, 0])
    var heads = try ClassificationHeads(model, CategoryOptions(), task: "image classification")
    let found = try heads.decode(model).heads
    #expect(found.map(\.name) == ["one", nil, "three"])
    #expect(
      found.map { $0.categories.map(\.index) } == [[5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0]])
    #expect(found[1].categories == found[0].categories && found[2].categories == found[0].categories)
    let addresses = Set(found.map { $0.categories.withUnsafeBufferPointer { $0.baseAddress } })
    #expect(addresses.count == 1)
    let small = try run(source, resultBytes: byteCount(heads: 3, categories: 18) - 1)
    var refused = try ClassificationHeads(small, CategoryOptions(), task: "image classification")
    let error: TaskError? = thrownError { try refused.decode(small) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("outputs of one tensor with other labels have separate categories")
  func labeledTwins() throws {
    var source = Self.model
    source.repeatsFirstOutput = true
    let model = try run(source)
    var heads = try ClassificationHeads(model, CategoryOptions(maxResults: 1), task: "image classification")
    #expect(try heads.decode(model).heads.map(\.categories.first?.categoryName) == ["f", nil])
  }

  @Test("embeddings of one tensor share their values, but count each time")
  func embeddingTwins() throws {
    var source = Self.model
    source.repeatsFirstOutput = true
    let exact = 2 * MemoryLayout<Embedding.Head>.stride + 2 * 6 * 4
    let model = try run(source, resultBytes: exact)
    let found = try EmbeddingHeads(model, normalizes: false, quantizes: false, task: "image embedding").decode(model)
      .heads
    #expect(found.map(\.name) == ["one", "two"])
    #expect(found.map(\.values) == [.float([10, 20, 30, 40, 50, 60]), .float([10, 20, 30, 40, 50, 60])])
    let addresses = found.map { head -> UnsafePointer<Float>? in
      if case .float(let numbers) = head.values { numbers.withUnsafeBufferPointer { $0.baseAddress } } else { nil }
    }
    #expect(addresses[0] != nil && addresses[0] == addresses[1])
    let small = try run(source, resultBytes: exact - 1)
    let heads = try EmbeddingHeads(small, normalizes: false, quantizes: false, task: "image embedding")
    let error: TaskError? = thrownError { try heads.decode(small) }
    #expect(error?.code == .limitExceeded && error?.message.contains("set quantizesEmbedding") == true)
  }

  // MARK: Files

  @Test("a label file is read and counted once, however many outputs use it")
  func sharedLabels() throws {
    var source = Self.model
    source.outputs[1].labelsOfOutput = 0
    // Six lines of two bytes, and an empty line after the last newline.
    let exact = 12 + 48 * 7
    let model = try run(source, resultBytes: exact)
    let heads = try ClassificationHeads(model, CategoryOptions(), task: "image classification")
    #expect(heads.hasNames && heads.categoryNames == ["a", "b", "c", "d", "e", "f"])
    let error: TaskError? = thrownError {
      let small = try run(source, resultBytes: exact - 1)
      _ = try ClassificationHeads(small, CategoryOptions(), task: "image classification")
    }
    #expect(error?.code == .limitExceeded && error?.message.hasPrefix("label files bring") == true)
    // Both of two files count.
    source.outputs[1] = .init(shape: [1, 6], labels: ["g", "h", "i", "j", "k", "l"])
    let others = try run(source, resultBytes: 2 * exact)
    #expect(try ClassificationHeads(others, CategoryOptions(), task: "image classification").categoryNames.count == 12)
    let less = try run(source, resultBytes: 2 * exact - 1)
    #expect(throws: TaskError.self) {
      try ClassificationHeads(less, CategoryOptions(), task: "image classification")
    }
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

  @Test("outputs are real values, all float32 or all quantized")
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
      #expect(error?.message.contains("audio classification model must all be float32 or all quantized") == true)
    }
    for other in [spec(.int32), spec(.uint8), spec(.int8, scales: [1, 2]), spec(.int64), spec(.float16)] {
      let error = check([other])
      #expect(error?.code == .invalidModel, "\(other)")
      #expect(error?.message.contains("must be float32, bool, or uint8 or int8 with one scale") == true)
      #expect(check([spec(.bool), other]) != nil)
    }
  }
}
