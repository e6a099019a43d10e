import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable @_spi(Facades) import SwiftletTasks

@Suite("Task models")
struct TaskModelTests {
  private func error<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

  private func model(_ source: PassingModel) throws -> TaskModel {
    try TaskModel(ModelContext(BaseOptions(model: .bytes(source.bytes))))
  }

  private static let source = PassingModel(
    width: 2, height: 1,
    outputs: [.init(shape: [1, 6], name: "a", labels: ["x"], displayNames: [("de", ["y"])]), .init(shape: [6])])

  // MARK: Options

  @Test("base options have documented defaults")
  func defaults() {
    let options = BaseOptions(model: .file("a"))
    #expect(options.model == .file("a") && options.threads == 1 && options.maxConcurrentCalls == 1)
    #expect(options.numerics == .fast && options.precision == .full && options.inputNormalization == nil)
    #expect(options.limits == RuntimeOptions.Limits() && options.timeout == nil && !options.isChecked)
  }

  @Test("base options pass every field to the engine")
  func runtimeOptions() {
    var limits = RuntimeOptions.Limits()
    limits.operators = 17
    let normalization = InputNormalization(mean: [1, 2], standardDeviation: [3, 4])
    #expect(normalization.mean == [1, 2] && normalization.standardDeviation == [3, 4])
    let options = BaseOptions(
      model: .file("a"), threads: 3, maxConcurrentCalls: 5, numerics: .bitExact, precision: .reduced,
      inputNormalization: normalization, limits: limits, timeout: .seconds(7), isChecked: true)
    #expect(options.maxConcurrentCalls == 5 && options.inputNormalization == normalization)
    #expect(
      options.runtimeOptions
        == RuntimeOptions(
          threads: 3, numerics: .bitExact, precision: .reduced, limits: limits, timeout: .seconds(7), isChecked: true))
  }

  // MARK: Metadata

  @Test("output metadata is found by index, if there is any")
  func outputMetadata() throws {
    let model = try model(Self.source)
    #expect(model.outputMetadata(0)?.name == "a" && model.outputMetadata(1)?.name == nil)
    #expect(model.outputMetadata(1) != nil && model.outputMetadata(2) == nil && model.outputMetadata(-1) == nil)
    var bare = Self.source
    bare.hasMetadata = false
    #expect(try self.model(bare).outputMetadata(0) == nil)
  }

  @Test("labels are found by kind and language")
  func labels() throws {
    let model = try model(Self.source)
    let metadata = model.outputMetadata(0)
    #expect(try model.labels(of: metadata, locale: "de") == LabelMap(labels: ["x"], displayNames: ["y"]))
    #expect(try model.labels(of: metadata, locale: "en") == LabelMap(labels: ["x"], displayNames: nil))
    #expect(try model.labels(of: metadata, .tensorValueLabels, locale: "de") == nil)
    #expect(try model.labels(of: nil, locale: "de") == nil)
    var without = Self.source
    without.hasFiles = false
    let bare = try self.model(without)
    let error = error { try bare.labels(of: bare.outputMetadata(0), locale: "de") }
    #expect(error?.code == .missingMetadata && error?.message.hasPrefix("the model's labels: ") == true)
    #expect(error?.message.contains("labels0.txt") == true)
    var broken = Self.source
    broken.outputs[0].displayNames = [("de", ["y", "z"])]
    let other = try self.model(broken)
    #expect(self.error { try other.labels(of: other.outputMetadata(0), locale: "de") }?.code == .invalidModel)
  }

  @Test("custom metadata is found by name")
  func customMetadata() throws {
    var source = Self.source
    source.activation = 1
    let model = try model(source)
    #expect(model.customMetadata("SEGMENTER_METADATA").map { $0.count > 0 } == true)
    #expect(model.customMetadata("DETECTOR_METADATA") == nil)
    #expect(try self.model(Self.source).customMetadata("SEGMENTER_METADATA") == nil)
  }

  @Test("damaged metadata is an error of the model")
  func damagedMetadata() {
    let bytes = TestGraph.bytes([TestGraph.binary(.add)], metadata: [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4])
    let error = error { try TaskModel(ModelContext(BaseOptions(model: .bytes(bytes)))) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.hasPrefix("the model's metadata is damaged: ") == true, "\(String(describing: error))")
  }

  // MARK: Running

  @Test("outputs have the shapes of the last run, whether larger or smaller")
  func openShapes() throws {
    let model = try TaskModel(ModelContext(BaseOptions(model: .bytes(SmallModels.positions))))
    for numbers in [[1, 0, 0, 1], [1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 0]] as [[Float]] {
      try model.session.withInput(0, as: Float.self) { input in
        for index in input.indices { input[index] = numbers[index] }
      }
      try model.run()
      #expect(model.outputs[0].shape == [numbers.count { $0 != 0 }, 1])
    }
    #expect(error { try model.withRealOutput(0) { $0.count } }?.code == .invalidModel)
  }

  @Test("a task may leave outputs unread")
  func unread() throws {
    let model = try TaskModel(
      Model(bytes: Self.source.bytes), ModelContext(BaseOptions(model: .bytes([]))), unusedOutputs: [0])
    try model.session.withInput(0, as: Float.self) { input in
      for index in input.indices { input[index] = Float(index) }
    }
    try model.run()
    #expect(try model.withRealOutput(1) { Array($0) } == [0, 1, 2, 3, 4, 5])
    #expect(model.outputs.count == 2 && model.inputs.count == 1)
  }

  // MARK: Sharing

  @Test("the models of a task are loaded once, and compiled once per options and unread outputs")
  func sharing() throws {
    let sharing = ModelSharing()
    let base = BaseOptions(model: .bytes(Self.source.bytes))
    var threaded = base
    threaded.threads = 2
    func context(_ options: BaseOptions) -> ModelContext {
      ModelContext(options, sharing: sharing, results: ResultBudget(options.limits))
    }
    let models = [
      try TaskModel(context(base)), try TaskModel(context(base)), try TaskModel(context(threaded)),
      try TaskModel(context(base).load(), context(base), unusedOutputs: [1]),
      try TaskModel(context(BaseOptions(model: .bytes(SmallModels.triple)))),
    ]
    #expect(models[0].session.model === models[1].session.model && models[0].session !== models[1].session)
    for index in 2..<5 { #expect(models[0].session.model !== models[index].session.model, "\(index)") }
    #expect(!sharing.keepsState)
    let alone = try TaskModel(ModelContext(base))
    #expect(alone.session.model !== models[0].session.model)
    var loads = 0
    for source in [base.model, base.model, .bytes([1])] {
      _ = try sharing.model(source) { () throws(TaskError) in
        loads += 1
        return models[0].model
      }
    }
    #expect(loads == 1)
  }

  @Test("a single pipeline doesn't keep the model")
  func alone() throws {
    let sharing = ModelSharing(isForSeveral: false)
    let base = BaseOptions(model: .bytes(Self.source.bytes))
    let context = ModelContext(base, sharing: sharing, results: ResultBudget(base.limits))
    let models = [try TaskModel(context), try TaskModel(context)]
    #expect(models[0].session.model !== models[1].session.model && !sharing.keepsState)
  }

  @Test("models with state are recognized")
  func state() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 2])
    let state = graph.variable(.float32, [1, 2])
    let weights = graph.constant([Float(1), 0, 0, 1], shape: [2, 2])
    let bias = graph.constant([Float(0), 0])
    graph.add(
      .rnn, [input, weights, weights, bias, state], [graph.output(.float32, [1, 2])], options: RNNOptions.empty)
    let bytes = TestGraph.bytes([graph])
    for isForSeveral in [true, false] {
      let sharing = ModelSharing(isForSeveral: isForSeveral)
      let options = BaseOptions(model: .bytes(bytes))
      _ = try TaskModel(ModelContext(options, sharing: sharing, results: ResultBudget(options.limits)))
      #expect(sharing.keepsState)
    }
  }

  // MARK: Sources

  @Test("a bundle provides its members")
  func members() throws {
    let bundle = ModelSource.bytes(RawArchive([.init("a.tflite", SmallModels.triple), .init("b.txt", [7])]).bytes)
    #expect(try bundle.hasMember("a.tflite") && bundle.hasMember("b.txt") && !bundle.hasMember("c.txt"))
    #expect(try bundle.member("b.txt").bytes().byte(at: 0) == 7)
    let missing = error { try bundle.member("c.tflite").load() }
    #expect(missing?.code == .modelNotFound)
    #expect(missing?.cause == .missingMember(name: "c.tflite", others: ["a.tflite", "b.txt"]))
    #expect(missing?.message.hasSuffix("there is no such member; the bundle has a.tflite, b.txt") == true)
    let empty = error { try ModelSource.bytes(RawArchive([]).bytes).member("c").bytes() }
    #expect(empty?.message.hasSuffix("there is no such member; the bundle is empty") == true)
    let damaged = error { try bundle.member("b.txt").load() }
    #expect(damaged?.code == .invalidModel && damaged?.message.contains("/b.txt: ") == true)
    #expect(error { try ModelSource.bytes([1, 2, 3]).hasMember("a") }?.code == .invalidModel)
  }

  @Test("sources are described by name")
  func descriptions() throws {
    let bytes = [UInt8](repeating: 0, count: 5)
    bytes.withUnsafeBytes { memory in
      let program = ModelSource.program(ProgramMemory(memory, name: "the built-in model"))
      #expect(program.description == "the built-in model" && program.path == nil)
      let same = ProgramMemory(memory, name: "another name")
      #expect(program == .program(same) && Set([program, .program(same)]).count == 1)
      #expect(program != .program(ProgramMemory(UnsafeRawBufferPointer(rebasing: memory.dropFirst()), name: "")))
      #expect(program != .program(ProgramMemory(UnsafeRawBufferPointer(rebasing: memory.dropLast()), name: "")))
    }
    #expect(ModelSource.url(URL(fileURLWithPath: "/a/b")).description == "/a/b")
    let web = try #require(URL(string: "https://example.com/a"))
    #expect(ModelSource.url(web).description == "https://example.com/a")
    let error = error { try ModelSource.url(web).load() }
    #expect(error?.code == .unreadableModel)
    #expect(
      error?.message
        == "https://example.com/a is not a file URL; download the model first and give the file's URL")
  }
}
