import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletBase
import SwiftletVision

/// Works on operands, several at once, and prints what comes of them in their order.
///
/// Of several operands, one that fails does not keep the others from being done. No more are read than are worked on, so
/// memory does not grow with their number.
struct BatchRunner: Sendable {
  /// Work on an operand.
  ///
  /// - Parameters:
  ///   - name: the operand.
  ///   - warn: takes what is to be said of it on standard error.
  typealias Work<Value> = @Sendable (_ name: String, _ warn: (String) -> Void) throws -> Value

  /// What became of an operand.
  private struct Outcome<Value: Sendable>: Sendable {
    var name: String
    var warnings: [String] = []
    var result: Result<Value, ToolError>
  }

  private let operands: Operands
  private let subject: BatchSubject
  private let form: OutputForm
  private let endsAtFailure: Bool
  /// The time that the work on one operand may take.
  private let timeout: Duration?

  /// - Throws: `UsageError` for two forms of output, and for an order that several at once cannot keep.
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

  /// Whether there are, or may be, several operands.
  var isList: Bool { operands.isList }

  /// Whether operands come from standard input.
  var readsLines: Bool { operands.readsLines }

  /// Prints what `work` gives for every operand.
  ///
  /// - Parameters:
  ///   - capacity: How many operands the task takes.
  ///   - admit: called for each operand in order, before it is worked on; it fails with what this throws.
  /// - Returns: the exit status: 1 when one of several failed.
  /// - Throws: `ToolError` when the only one failed, or one did with `--fail-fast`.
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

  /// Prints what all operands come to together.
  ///
  /// - Throws: As `OutputForm.rendered`.
  func print(_ result: any PrintableResult) throws {
    var printer = ResultPrinter(form, isList: false)
    try printer.print(result)
  }

  /// What `work` gives for every operand, of which there are few.
  ///
  /// - Parameters:
  ///   - limit: where there are more operands than this, the rest is not read.
  ///   - capacity: How many operands the task takes.
  /// - Throws: `ToolError` when one failed.
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
    // Operands are worked on by blocking calls, which the threads of Swift's tasks must not make.
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

  /// Names the operand in what a task throws.
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
    // The operand is said already; what else failed, such as a file of masks, is not.
    let reason = failure.file == name ? failure.reason : "\(failure)"
    printer.print(JSONValue.object([subject.key: .string(name), "error": .string(reason)]).text)
  }
}
