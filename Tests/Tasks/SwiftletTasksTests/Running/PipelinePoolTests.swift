import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Pipelines of a task")
struct PipelinePoolTests {
  private final class Pipeline: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// Returns a pool whose pipelines are numbered in order of creation.
  private func pool(limit: Int, failing: Set<Int> = []) throws -> PipelinePool<Pipeline> {
    let made = Mutex(0)
    return try PipelinePool(BaseOptions(model: .bytes([]), maxConcurrentCalls: limit)) { _ in
      let number = made.withLock {
        $0 += 1
        return $0
      }
      if failing.contains(number) { throw TaskError(.limitExceeded, "no room for number \(number)") }
      return Pipeline(number)
    }
  }

  /// Makes nested calls, and returns the numbers of the pipelines that are in use at the same time.
  private func nested(_ depth: Int, in pool: PipelinePool<Pipeline>) throws(TaskError) -> [Int] {
    guard depth > 0 else { return [] }
    return try pool.withPipeline { pipeline in
      [pipeline.number] + (try nested(depth - 1, in: pool))
    }
  }

  @Test("are created on demand, and reused")
  func lazily() throws {
    let pool = try pool(limit: 3)
    #expect(try nested(1, in: pool) == [1])
    #expect(try nested(1, in: pool) == [1])
    #expect(try nested(3, in: pool) == [1, 2, 3])
    #expect(Set(try nested(3, in: pool)) == [1, 2, 3])
  }

  @Test("never exceed the limit, and are never used by two callers", arguments: [1, 3])
  func limit(_ limit: Int) throws {
    let pool = try pool(limit: limit)
    let inUse = Mutex<[Int]>([])
    let faults = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 400) { _ in
      try? pool.withPipeline { pipeline in
        inUse.withLock { numbers in
          if numbers.contains(pipeline.number) || numbers.count >= limit { faults.withLock { $0 += 1 } }
          numbers.append(pipeline.number)
        }
        inUse.withLock { $0.removeAll { $0 == pipeline.number } }
      }
    }
    #expect(faults.withLock { $0 } == 0 && inUse.withLock { $0.isEmpty })
  }

  @Test("fail individually: a pipeline that cannot be created fails only its call")
  func failure() throws {
    let pool = try pool(limit: 2, failing: [2])
    let error = #expect(throws: TaskError.self) { try nested(2, in: pool) }
    #expect(error?.code == .limitExceeded)
    #expect(try nested(2, in: pool) == [1, 3])
    #expect(throws: TaskError.self) { try self.pool(limit: 2, failing: [1]) }
  }

  @Test("are limited by the options, 1 to 256")
  func limits() throws {
    for (limit, expected) in [(-1, 1), (0, 1), (1, 1), (4, 4), (256, 256), (257, 256)] {
      let pool = try pool(limit: limit)
      #expect(pool.limit == expected && !pool.keepsState)
    }
  }

  @Test("are limited to one for stateful models, and the first is passed to the creator of the pool")
  func modelState() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 2])
    let state = graph.variable(.float32, [1, 2])
    let weights = graph.constant([Float(1), 0, 0, 1], shape: [2, 2])
    graph.add(
      .rnn, [input, weights, weights, graph.constant([Float(0), 0]), state], [graph.output(.float32, [1, 2])],
      options: RNNOptions.empty)
    for (bytes, limit) in [(TestGraph.bytes([graph]), 1), (SmallModels.triple, 3)] {
      // Even a task with a single pipeline must know it, for the order of batches.
      let single = try PipelinePool(BaseOptions(model: .bytes(bytes))) { try TaskModel($0) }
      #expect(single.limit == 1 && single.keepsState == (limit == 1))
      #expect(single.batchCapacity == (limit == 1 ? .oneAfterTheOther : BatchCapacity(concurrency: 1, window: 2)))
      var shown: [TaskModel] = []
      let pool = try PipelinePool(BaseOptions(model: .bytes(bytes), maxConcurrentCalls: 3)) {
        try TaskModel($0)
      } inspect: {
        shown.append($0)
      }
      #expect(pool.limit == limit && pool.keepsState == (limit == 1) && shown.count == 1)
      #expect(
        pool.batchCapacity == (limit == 1 ? .oneAfterTheOther : BatchCapacity(concurrency: limit, window: 2 * limit)))
      let isFirst = try pool.withPipeline { model in model === shown[0] }
      #expect(isFirst)
    }
  }

  @Test("share one model that is read and compiled once")
  func sharing() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "swiftlet-pool-\(UUID().uuidString).tflite")
    try Data(PassingModel(width: 2, height: 2, outputs: [.init(shape: [1, 12])]).bytes).write(to: file)
    let options = BaseOptions(model: .url(file), maxConcurrentCalls: 2)
    let pool = try PipelinePool<TaskModel>(options) { try TaskModel($0) }
    // A second pipeline can only be created from what is already loaded.
    try FileManager.default.removeItem(at: file)
    let areOneModel = try pool.withPipeline { one in
      try pool.withPipeline { other in
        one !== other && one.session !== other.session && one.session.model === other.session.model
      }
    }
    #expect(areOneModel)
    #expect(throws: TaskError.self) { try TaskModel(ModelContext(options)) }
  }

  @Test("are created and used with a separate deadline per call")
  func deadlines() throws {
    let deadlines = Mutex<[Bool?]>([])
    let note: @Sendable () -> Void = {
      let isOver = CallContext.current.map { $0.deadline?.isOver ?? false }
      deadlines.withLock { $0.append(isOver) }
    }
    for timeout in [nil, Duration.seconds(3600), .zero - .seconds(1)] {
      let base = BaseOptions(model: .bytes([]), maxConcurrentCalls: 2, timeout: timeout)
      let pool = try PipelinePool(base) { _ in
        note()
        return Pipeline(1)
      }
      try pool.withPipeline { _ in
        note()
        try pool.withPipeline { _ in note() }
      }
    }
    // Two loads and two calls each: the second pipeline is created during the first call.
    let found = deadlines.withLock { $0 }
    #expect(found == [nil, nil, nil, nil, false, false, false, false, true, true, true, true])
    #expect(CallContext.current == nil)
  }
}
