import Dispatch
import SwiftletSchema
import SwiftletTestSupport
import SwiftletBase
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks that runs that would take too long are stopped.
@Suite("Budgets of loads and runs")
struct RunBudgetTests {
  /// Returns an endless loop over a tensor of `size` elements.
  private func endless(size: Int, options: RuntimeOptions = RuntimeOptions()) throws -> Session {
    var condition = TestGraph()
    _ = condition.input(.float32, [size])
    condition.addOutput(condition.constant([true]))
    var body = TestGraph()
    body.add(.neg, [body.input(.float32, [size])], [body.output(.float32, [size])])
    var graph = TestGraph()
    graph.add(
      .whileLoop, [graph.input(.float32, [size])], [graph.output(.float32, [size])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    return try graph.session([condition, body], options: options)
  }

  /// Returns a product of `size` × `size` matrices.
  private func product(size: Int, isConstant: Bool = false) -> TestGraph {
    var graph = TestGraph()
    let zeros = [Float](repeating: 0, count: size * size)
    func operand() -> Int {
      isConstant ? graph.constant(zeros, shape: [size, size]) : graph.input(.float32, [size, size])
    }
    graph.add(
      .batchMatMul, [operand(), operand()], [graph.output(.float32, [size, size])], options: BatchMatMulOptions.empty)
    return graph
  }

  private func options(_ change: (inout RuntimeOptions) -> Void) -> RuntimeOptions {
    var options = RuntimeOptions()
    change(&options)
    return options
  }

  // MARK: Work

  @Test("end a loop when its iterations exceed the work limit of a run, and name the limit")
  func limitsLoops() throws {
    let session = try endless(size: 10_000, options: options { $0.limits.runWork = .milliseconds(20) })
    for _ in 0..<2 {
      let error = #expect(throws: RuntimeError.self) { try session.run() }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("RuntimeOptions.limits.runWork") == true)
      #expect(error?.location?.operatorName == "NEG" || error?.location?.operatorName == "WHILE")
    }
  }

  /// Returns a session of a graph that hashes `count` features with as many seeds.
  private func hashing(_ count: Int, isLoop: Bool = false, options: RuntimeOptions) throws -> Session {
    func hash(in graph: inout TestGraph) {
      let seeds = graph.constant([Float](repeating: 1, count: count), shape: [count, 1])
      graph.add(
        .lshProjection, [seeds, graph.input(.int32, [count])], [graph.output(.int32, [count])],
        options: LSHProjectionOptions.with { [$0.type(.dense)] })
    }
    var condition = TestGraph()
    _ = condition.input(.int32, [count])
    condition.addOutput(condition.constant([true]))
    var body = TestGraph()
    hash(in: &body)
    var graph = TestGraph()
    guard isLoop else { return try body.session(options: options) }
    graph.add(
      .whileLoop, [graph.input(.int32, [count])], [graph.output(.int32, [count])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    return try graph.session([condition, body], options: options)
  }

  @Test("count the work of operators that are evaluated between programs")
  func limitsEvaluated() throws {
    let session = try hashing(100, isLoop: true, options: options { $0.limits.runWork = .milliseconds(5) })
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("RuntimeOptions.limits.runWork") == true)
  }

  @Test("end operators that are evaluated between programs at the deadline")
  func endsEvaluated() throws {
    let session = try hashing(1 << 14, options: options { $0.timeout = .milliseconds(50) })
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test("reject a model whose run exceeds the work limit before it runs, and name the operator")
  func refusesWork() throws {
    let model = try product(size: 256).model()
    let error = #expect(throws: RuntimeError.self) {
      try CompiledModel(model, options: options { $0.limits.runWork = .microseconds(10) })
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("RuntimeOptions.limits.runWork") == true)
    #expect(error?.location?.operatorName == "BATCH_MATMUL")
    #expect(throws: Never.self) { try CompiledModel(model) }
  }

  @Test("reject shapes that make a run exceed the work limit, and keep the old ones")
  func refusesShapes() throws {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [10])], [graph.output(.float32, [])])
    let session = try graph.session(options: options { $0.limits.runWork = .milliseconds(1) })
    let error = #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [10_000_000]) }
    #expect(error?.code == .limitExceeded)
    #expect(session.inputs[0].shape == [10])
    #expect(
      try session.run([Tensor([Float](repeating: 2, count: 10), shape: [10])])[0].values()
        == [Float](repeating: -2, count: 10))
  }

  @Test("leave constants to the run if computing them exceeds the work limit of a load")
  func limitsFolding() throws {
    let model = try product(size: 64, isConstant: true).model()
    #expect(try CompiledModel(model).operatorNames.isEmpty)
    let later = try CompiledModel(model, options: options { $0.limits.loadWork = .nanoseconds(1) })
    #expect(later.operatorNames == ["BATCH_MATMUL"])
    #expect(try Session(later).run([])[0].values() == [Float](repeating: 0, count: 64 * 64))
  }

  @Test("count the same for a session's thousandth run")
  func countsEveryRunAnew() throws {
    let session = try product(size: 64).session(options: options { $0.limits.runWork = .milliseconds(1) })
    for _ in 0..<1000 { try session.run() }
  }

  // MARK: Time

  @Test("end a run at its deadline", arguments: [1, 2])
  func deadline(threads: Int) throws {
    let session = try endless(size: 100_000, options: options { $0.threads = threads })
    let error = #expect(throws: RuntimeError.self) { try session.run(deadline: .now + .milliseconds(20)) }
    #expect(error?.code == .deadlineExceeded)
    let past = try product(size: 8).session()
    #expect(
      #expect(throws: RuntimeError.self) { try past.run(deadline: .now - .seconds(1)) }?.code == .deadlineExceeded)
    #expect(throws: Never.self) { try past.run() }
  }

  @Test("accept deadlines and timeouts of any length")
  func extremeTimes() throws {
    let far = Duration(secondsComponent: .max, attosecondsComponent: 0), now = ContinuousClock.now
    for timeout in [nil, far, .zero - far] as [Duration?] {
      let session = try product(size: 8).session()
      let timed = try? product(size: 8).session(options: options { $0.timeout = timeout })
      #expect((timed != nil) == (timeout ?? .zero >= .zero))
      #expect(throws: Never.self) { try session.run(deadline: now + far) }
      #expect(#expect(throws: RuntimeError.self) { try session.run(deadline: now - far) }?.code == .deadlineExceeded)
      try timed?.run()
      try timed?.run(deadline: now + far)
    }
  }

  @Test("end a load and a run at the timeout of the options")
  func timeout() throws {
    let session = try endless(size: 100_000, options: options { $0.timeout = .milliseconds(50) })
    #expect(#expect(throws: RuntimeError.self) { try session.run() }?.code == .deadlineExceeded)
    let model = try product(size: 8, isConstant: true).model()
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model, options: options { $0.timeout = .zero }) }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test("end a run when its task is cancelled", arguments: [1, 2])
  func cancellation(threads: Int) async throws {
    let task = Task {
      try endless(size: 100_000, options: options { $0.threads = threads }).run()
    }
    // Don't cancel from another task: the run blocks a thread of the task pool, and another test can occupy the last
    // one.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { task.cancel() }
    let error = await #expect(throws: RuntimeError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("end a run on another thread when its caller is cancelled")
  func carriedCancellation() throws {
    let cancellation = CallContext()
    cancellation.cancel()
    let session = try product(size: 8).session()
    #expect(#expect(throws: RuntimeError.self) { try cancellation.carry { try session.run() } }?.code == .cancelled)
    #expect(throws: Never.self) { try session.run() }
  }

  @Test("end a run if a callback requests it")
  func askedCancellation() throws {
    let answer = Atomic<Bool>(true)
    let cancellation = CallContext(asking: { answer.load(ordering: .relaxed) })
    let session = try product(size: 8).session()
    #expect(#expect(throws: RuntimeError.self) { try cancellation.carry { try session.run() } }?.code == .cancelled)
    answer.store(false, ordering: .relaxed)
    #expect(throws: Never.self) { try cancellation.carry { try session.run() } }
  }

  @Test("check between the tiles of one long operator, on one thread and on several", arguments: [1, 2])
  func looksBetweenTiles(threads: Int) throws {
    var graph = TestGraph()
    graph.add(.sin, [graph.input(.float32, [100_000, 1000])], [graph.output(.float32, [100_000, 1000])])
    let program = try CompiledModel(try graph.model(), options: options { $0.threads = threads }).program
    #expect(program.steps.allSatisfy { $0.alone.tileCount > 1 && $0.stage.tileCount > 1 })
  }
}
