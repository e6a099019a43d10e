import SwiftletBase
import Testing

@Suite("Call contexts")
struct CallContextTests {
  private static let past = Duration.zero - .seconds(1)

  /// Returns the error of a check of a context.
  private func ending(_ context: CallContext) -> CallEnded? {
    do throws(CallEnded) {
      try context.check()
      return nil
    } catch {
      return error
    }
  }

  @Test("apply to nested calls, and no further")
  func carried() {
    let outer = CallContext(), inner = CallContext()
    #expect(CallContext.current == nil)
    let value = outer.carry {
      #expect(CallContext.current === outer && CallContext.isUsed)
      inner.carry { #expect(CallContext.current === inner) }
      #expect(CallContext.current === outer)
      return 3
    }
    #expect(value == 3 && CallContext.current == nil)
  }

  @Test("pass errors on in their own type, and end afterwards")
  func errors() {
    let error = #expect(throws: CallEnded.self) {
      try CallContext().carry { () throws(CallEnded) in throw .cancelled }
    }
    #expect(error == .cancelled && CallContext.current == nil)
  }

  @Test("end at their deadline, and at the deadline of the enclosing call")
  func deadlines() {
    #expect(ending(CallContext()) == nil && ending(CallContext(timeout: .seconds(3600))) == nil)
    #expect(ending(CallContext(timeout: Self.past)) == .deadlineExceeded)
    CallContext(timeout: Self.past).carry {
      #expect(ending(CallContext()) == .deadlineExceeded)
      #expect(ending(CallContext(timeout: .seconds(3600))) == .deadlineExceeded)
    }
    CallContext(timeout: .seconds(3600)).carry {
      #expect(ending(CallContext()) == nil && ending(CallContext(timeout: Self.past)) == .deadlineExceeded)
    }
  }

  @Test("end when they or the enclosing call are cancelled")
  func cancellation() {
    let outer = CallContext()
    let inner = outer.carry { CallContext() }
    #expect(ending(inner) == nil)
    outer.cancel()
    #expect(ending(inner) == .cancelled && inner.isCancelled && outer.isCancelled)
    let alone = CallContext()
    let part = alone.carry { CallContext() }
    part.cancel()
    #expect(ending(part) == .cancelled && ending(alone) == nil)
    // Cancellation takes precedence, because no caller waits for the result.
    let late = CallContext(timeout: Self.past)
    late.cancel()
    #expect(ending(late) == .cancelled)
    #expect(ending(CallContext(asking: { true })) == .cancelled && ending(CallContext(asking: { false })) == nil)
  }

  @Test("without a timeout, there is no context")
  func within() {
    CallContext.within(nil) { #expect(CallContext.current == nil) }
    CallContext.within(.seconds(3600)) { #expect(CallContext.current?.deadline?.isOver == false) }
    CallContext.within(Self.past) { #expect(CallContext.current?.deadline?.isOver == true) }
  }

  // MARK: Steps

  /// Returns the number of steps of a loop before it ends.
  private func stepsTaken(most: Int, every interval: Int, by size: Int = 1) -> Int {
    var counter = StepCounter(every: interval)
    var count = 0
    while count < most, (try? counter.count(size)) != nil { count += 1 }
    return count
  }

  @Test("a loop checks the deadline at a fixed interval, for any step count")
  func steps() {
    CallContext(timeout: Self.past).carry {
      #expect(stepsTaken(most: 100, every: 10) == 9 && stepsTaken(most: 100, every: 1) == 0)
      #expect(stepsTaken(most: 100, every: 10, by: 4) == 2 && stepsTaken(most: 100, every: 10, by: 11) == 0)
      var counter = StepCounter(every: 1 << 40)
      #expect(throws: CallEnded.deadlineExceeded) { try counter.look() }
    }
    CallContext(timeout: .seconds(3600)).carry { #expect(stepsTaken(most: 100, every: 10) == 100) }
    #expect(stepsTaken(most: 100, every: 10) == 100)
  }

  @Test("a loop keeps the context in which it started")
  func keeps() {
    var counter = CallContext(timeout: Self.past).carry { StepCounter(every: 1) }
    #expect(throws: CallEnded.deadlineExceeded) { try counter.count() }
    var other = StepCounter(every: 1)
    CallContext(timeout: Self.past).carry { #expect(throws: Never.self) { try other.count() } }
  }

  @Test("a loop of a task that is cancelled ends")
  func cancelledTask() async {
    let steps = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return stepsTaken(most: 100, every: 10)
    }.value
    #expect(steps == 9)
  }

  @Test("the reasons are distinguished")
  func reasons() {
    #expect(
      CallEnded.deadlineExceeded.description
        == "the call did not end before its deadline; allow more time, or use a smaller model or input")
    #expect(CallEnded.cancelled.description == "the task that waits for the result was cancelled")
  }
}
