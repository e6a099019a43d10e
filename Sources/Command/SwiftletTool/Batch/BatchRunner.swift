import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletBase
import SwiftletVision

/// Processes operands concurrently and prints the results in the operands' order.
///
/// If there are several operands, a failure doesn't stop the others. Operands are read only when they can be processed,
/// so memory doesn't grow with their number.
struct BatchRunner: Sendable {
  /// The work on an operand.
  ///
  /// - Parameters:
  ///   - name: The operand.
  ///   - warn: A closure that receives warnings for standard error.
  typealias Work<Value> = @Sendable (_ name: String, _ warn: (String) -> Void) throws -> Value

  /// The outcome of an operand.
  private struct Outcome<Value: Sendable>: Sendable {
    var name: String
    var warnings: [String] = []
    var result: Result<Value, ToolError>
  }

  private let operands: Operands
  private let subject: BatchSubject
  private let form: OutputForm
  private let endsAtFailure: Bool
  /// The maximum time for the work on one operand.
  private let timeout: Duration?

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` for two output forms, and for an order that concurrent jobs cannot keep.
  init(_ arguments: Arguments, _ subject: BatchSubject, _ operands: Operands) throws(UsageError) {
    self.operands = operands
    self.subject = subject
    form = try OutputForm(arguments)
    endsAtFailure = arguments.flag("fail-fast")
    timeout = RuntimeArguments.duration(arguments)
    guard !arguments.flag("keep-state") || BatchArguments.jobs(arguments, isList: operands.isList) == 1 else {
      throw UsageError(
        "--keep-state takes images one after the other, --jobs several at once; leave one of them away")
    }
  }

  /// Whether there are, or can be, several operands.
  var isList: Bool { operands.isList }

  /// Whether operands come from standard input.
  var readsLines: Bool { operands.readsLines }

  /// Prints the result of `work` for every operand.
  ///
  /// - Parameters:
  ///   - capacity: The number of operands that the task accepts.
  ///   - admit: A closure that is called for each operand in order, before the operand is processed. If it throws, the
  ///     operand fails with its error.
  /// - Returns: The exit status: 1 if one of several operands failed.
  /// - Throws: `ToolError` if the only operand failed, or if one failed with `--fail-fast`.
  func run(
    _ capacity: BatchCapacity, admit: @escaping @Sendable (String) throws -> Void = { _ in },
    _ work: @escaping Work<any PrintableResult>
  ) throws -> Int32 {
    let form = form
    let outcomes = outcomes(capacity, admit: admit) { name, warn in try form.rendered(try work(name, warn)) }
    return try BlockingBridge.run {
      try await printAll(outcomes)
    } tick: {
    }
  }

  /// Prints one result for all operands together.
  ///
  /// - Throws: As `OutputForm.rendered`.
  func print(_ result: any PrintableResult) throws {
    var printer = ResultPrinter(form, isList: false)
    try printer.print(result)
  }

  /// Returns the results of `work` for a small number of operands.
  ///
  /// - Parameters:
  ///   - limit: The number of operands after which no more are read.
  ///   - capacity: The number of operands that the task accepts.
  /// - Throws: `ToolError` if one failed.
  func values<Value: Sendable>(
    atMost limit: Int, _ capacity: BatchCapacity, _ work: @escaping Work<Value>
  ) throws -> [Value] {
    let outcomes = outcomes(capacity, admit: { _ in }, work)
    return try BlockingBridge.run {
      var values: [Value] = []
      for try await element in outcomes {
        let outcome = try element.result.get()
        for warning in outcome.warnings { StandardStreams.warn(warning) }
        values.append(try outcome.result.get())
        if values.count > limit { break }
      }
      return values
    } tick: {
    }
  }

  private func outcomes<Value: Sendable>(
    _ capacity: BatchCapacity, admit: @escaping @Sendable (String) throws -> Void, _ work: @escaping Work<Value>
  ) -> Batch<Operand, Outcome<Value>> {
    var operands = operands
    operands.admit = admit
    // The work makes blocking calls, which must not run on the threads of Swift's tasks.
    let queue = WorkQueue("swiftlet.tool.jobs", width: capacity.concurrency)
    return Batch(BatchSources(operands), capacity) { operand in
      do {
        return try await queue.value { [timeout] in
          CallContext.within(timeout) { Self.outcome(operand, work) }
        }
      } catch {
        return Outcome(name: operand.name, result: .failure(Self.failure(error, of: operand.name)))
      }
    }
  }

  private static func outcome<Value>(_ operand: Operand, _ work: Work<Value>) -> Outcome<Value> {
    var warnings: [String] = []
    let result: Result<Value, ToolError>
    do {
      if let refusal = operand.refusal { throw refusal }
      result = .success(try work(operand.name) { warnings.append($0) })
    } catch {
      result = .failure(failure(error, of: operand.name))
    }
    return Outcome(name: operand.name, warnings: warnings, result: result)
  }

  /// Returns a task's error with the name of the operand.
  static func failure(_ error: any Error, of name: String) -> ToolError {
    switch error {
    case let error as ToolError: error
    case let error as TaskError: ToolError(file: name, reason: error.message)
    default: ToolError(file: name, reason: "\(error)")
    }
  }

  private func printAll(_ outcomes: Batch<Operand, Outcome<String>>) async throws -> Int32 {
    var printer = ResultPrinter(form, isList: isList)
    var progress = BatchProgress(subject.plural, total: operands.total)
    defer { progress.hide() }
    do {
      for try await element in outcomes {
        let outcome = try element.result.get()
        progress.hide()
        for warning in outcome.warnings { StandardStreams.warn(warning) }
        switch outcome.result {
        case .success(let text):
          printer.print(text)
          progress.count(failed: false)
        case .failure(let failure):
          guard isList, !endsAtFailure else { throw failure }
          report(failure, of: outcome.name, &printer)
          progress.count(failed: true)
        }
        if isList { progress.draw() }
        if StandardStreams.isOutputClosed { break }
      }
    } catch {
      printer.close()
      throw error
    }
    printer.finish()
    return progress.failureCount == 0 ? 0 : 1
  }

  private func report(_ failure: ToolError, of name: String, _ printer: inout ResultPrinter) {
    guard form != .text else { return StandardStreams.fail("\(failure)") }
    // The message already names the operand, but not another file that failed, such as a mask file.
    let reason = failure.file == name ? failure.reason : "\(failure)"
    printer.print(JSONValue.object([subject.key: .string(name), "error": .string(reason)]).text)
  }
}
