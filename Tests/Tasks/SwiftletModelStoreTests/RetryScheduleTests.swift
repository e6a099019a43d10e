import Foundation
import SwiftletBase
import Testing

@testable import SwiftletModelStore

@Suite("Retries")
struct RetryScheduleTests {
  private final class Record: Sendable {
    let waits = Mutex<[Duration]>([])
    let tries = Mutex(0)
  }

  /// Runs a body that fails `failures` times with a schedule whose delays are 1 and 2 seconds.
  private func run(
    failures: Int, retry: ModelStoreError.Retry, jitter: Double = 0, longest: Duration = .seconds(60),
    isInterrupted: Bool = false
  ) async -> (result: Result<Int, ModelStoreError>, waits: [Duration], tries: Int) {
    let record = Record()
    var options = ModelStoreOptions()
    options.retryDelays = [.seconds(1), .seconds(2)]
    options.maximumRetryDelay = longest
    var environment = StoreEnvironment()
    environment.jitter = { jitter }
    environment.sleep = { time in
      record.waits.withLock { $0.append(time) }
      if isInterrupted { throw CancellationError() }
    }
    let schedule = RetrySchedule(options: options, environment: environment)
    let result: Result<Int, ModelStoreError>
    do throws(ModelStoreError) {
      let value = try await schedule.run { () async throws(ModelStoreError) -> Int in
        let number = record.tries.withLock { tries in
          tries += 1
          return tries
        }
        if number <= failures { throw ModelStoreError(.truncated, "try \(number)", retry: retry) }
        return number
      }
      result = .success(value)
    } catch {
      result = .failure(error)
    }
    return (result, record.waits.withLock { $0 }, record.tries.withLock { $0 })
  }

  @Test("happen once per delay, and the last error is the result", arguments: 0...4)
  func count(failures: Int) async throws {
    let (result, waits, tries) = await run(failures: failures, retry: .afterDelay)
    #expect(tries == min(failures + 1, 3))
    #expect(waits == Array([Duration.seconds(1), .seconds(2)].prefix(failures)))
    if failures <= 2 {
      #expect(try result.get() == failures + 1)
    } else {
      #expect(throws: ModelStoreError(.truncated, "try 3", retry: .afterDelay)) { try result.get() }
    }
  }

  @Test("vary each delay by at most a fifth", arguments: [(-1.0, 0.8), (0.5, 1.1), (1, 1.2)])
  func jitter(jitter: Double, factor: Double) async {
    let waits = await run(failures: 2, retry: .afterDelay, jitter: jitter).waits
    #expect(waits.count == 2)
    for (wait, delay) in zip(waits, [1.0, 2.0]) { #expect(abs(wait / .seconds(1) - delay * factor) < 1e-9) }
  }

  @Test("don't happen if they are pointless")
  func never() async {
    let (result, waits, tries) = await run(failures: 1, retry: .never)
    #expect(tries == 1 && waits.isEmpty)
    #expect(throws: ModelStoreError(.truncated, "try 1", retry: .never)) { try result.get() }
  }

  @Test("restart immediately, but only once", arguments: 0...2)
  func anew(failures: Int) async throws {
    let (result, waits, tries) = await run(failures: failures, retry: .anew)
    #expect(tries == min(failures + 1, 2) && waits.isEmpty)
    if failures < 2 {
      #expect(try result.get() == failures + 1)
    } else {
      // The schedule has already retried, so the caller must not retry too.
      #expect(throws: ModelStoreError(.truncated, "try 2", retry: .never)) { try result.get() }
    }
  }

  @Test("include a restart in addition to the delays", arguments: 0...3)
  func mixed(position: Int) async {
    let tries = Mutex(0)
    let schedule = RetrySchedule(
      options: ModelStoreOptions(),
      environment: {
        var environment = StoreEnvironment()
        environment.sleep = { _ in }
        return environment
      }())
    let error = await #expect(throws: ModelStoreError.self) {
      try await schedule.run { () async throws(ModelStoreError) in
        let number = tries.withLock { tries in
          defer { tries += 1 }
          return tries
        }
        throw ModelStoreError(.truncated, "\(number)", retry: number == position ? .anew : .afterDelay)
      }
    }
    // Three retries after a delay, and one restart.
    #expect(tries.withLock { $0 } == 5 && error?.message == "4")
    let without = await #expect(throws: ModelStoreError.self) {
      try await schedule.withoutDelays.run { () async throws(ModelStoreError) in
        throw ModelStoreError(.truncated, "once", retry: .afterDelay)
      }
    }
    #expect(without?.retry == .afterDelay)
  }

  @Test("wait as long as the server requests, up to the maximum delay", arguments: [59.5, 60, 60.5])
  func server(seconds: Double) async {
    let (_, waits, tries) = await run(failures: 1, retry: .after(seconds: seconds), jitter: 1)
    #expect(waits == (seconds <= 60 ? [.seconds(seconds)] : []) && tries == (seconds <= 60 ? 2 : 1))
  }

  @Test("end as cancelled if the wait is interrupted")
  func interrupted() async {
    let (result, _, tries) = await run(failures: 1, retry: .afterDelay, isInterrupted: true)
    #expect(tries == 1)
    #expect(throws: ModelStoreError.cancelled) { try result.get() }
  }

  @Test("support delays from zero to a year")
  func bounded() {
    let year = Duration.seconds(31_536_000)
    #expect(Duration.seconds(-1).bounded == .zero && Duration.nanoseconds(-1).bounded == .zero)
    #expect(Duration.zero.bounded == .zero && Duration.nanoseconds(1).bounded == .nanoseconds(1))
    #expect(year.bounded == year && (year + .nanoseconds(1)).bounded == year)
    #expect((year - .nanoseconds(1)).bounded == year - .nanoseconds(1))
  }
}
