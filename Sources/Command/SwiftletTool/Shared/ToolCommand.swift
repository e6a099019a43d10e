import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletEngine
import SwiftletJSON

/// A command of the program: its arguments and its implementation.
protocol ToolCommand: Sendable {
  static var declaration: CommandDeclaration { get }

  /// Runs the command and returns the exit status: 0 for success, 1 for a failed check.
  ///
  /// - Throws: `UsageError` for meaningless arguments, another error if the work failed.
  static func run(_ arguments: Arguments) throws -> Int32
}

extension ToolCommand {
  /// Checks that a flag is used alone.
  ///
  /// - Throws: `UsageError` if an option is given that isn't allowed with the flag.
  static func requireAlone(_ flag: String, besides allowed: [String], _ arguments: Arguments) throws(UsageError) {
    let names = declaration.options.map(\.name)
    if let other = names.first(where: { $0 != flag && !allowed.contains($0) && arguments.flag($0) }) {
      throw UsageError("--\(flag) and --\(other) are mutually exclusive")
    }
  }
}

/// An error that names the file it is about.
struct ToolError: Error, CustomStringConvertible {
  var file: String
  var reason: String

  var description: String { "\(file.excerpt): \(reason)" }
}

/// Runs asynchronous work in commands, which are synchronous.
final class BlockingBridge<Value: Sendable>: Sendable {
  private let result = Mutex(Result<Value, any Error>.failure(CancellationError()))
  private let end = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs `work` and returns its result.
  ///
  /// - Parameter tick: A closure that is called ten times per second on the caller's thread until the work ends.
  static func run(_ work: @escaping @Sendable () async throws -> Value, tick: () -> Void) throws -> Value {
    let waiting = BlockingBridge()
    Task {
      let result: Result<Value, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      waiting.result.withLock { $0 = result }
      waiting.end.signal()
    }
    while waiting.end.wait(timeout: .now() + 0.1) == .timedOut { tick() }
    return try waiting.result.withLock { $0 }.get()
  }
}

/// Reports the operator if checked mode terminates the program.
enum ViolationReport {
  // Plain memory that is allocated before the handler is installed, because a signal handler must not run the
  // initializer of a global.
  nonisolated(unsafe) private static var text: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var start: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var end: UnsafePointer<UInt8>?

  /// Installs a handler that reports signals of memory faults before their default action.
  static func install() {
    guard text == nil else { return }
    text = UnsafePointer(CheckedReport.text)
    start = copy("checked mode: ")
    end = copy(" touched memory outside of its tensors\n")
    for number in [SIGSEGV, SIGBUS] { signal(number, report) }
  }

  private static func copy(_ string: String) -> UnsafePointer<UInt8> {
    let bytes = Array(string.utf8) + [0]
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
  }

  /// The signal handler. It only calls async-signal-safe functions.
  private static let report: @convention(c) (Int32) -> Void = { number in
    // The access is repeated after the handler returns, and then terminates the program.
    signal(number, SIG_DFL)
    guard let text, text.pointee != 0 else { return }
    write(start)
    write(text)
    write(end)
  }

  private static func write(_ part: UnsafePointer<UInt8>?) {
    guard let part else { return }
    _ = Foundation.write(STDERR_FILENO, part, strlen(part))
  }
}

extension TensorSpec {
  /// The `--json` form of a tensor in `inspect`.
  var json: JSONValue {
    .object([
      "name": .string(name),
      "shape": .ints(shape.dimensions),
      "dtype": .string(elementType.name),
      "scale": .floats(quantization?.scales ?? []),
      "zero_point": .ints(quantization?.zeroPoints.map(Int.init) ?? []),
      "quantized_dimension": .int(quantization?.axis ?? 0),
    ])
  }

  /// The type, the shape, and the scale if there is one, in text output.
  var summary: String {
    var text = "\(elementType.name)\(shape)"
    if let quantization, let scale = quantization.scales.first, let zeroPoint = quantization.zeroPoints.first {
      text +=
        quantization.isPerChannel
        ? " per channel along axis \(quantization.axis)" : " scale \(scale) zero point \(zeroPoint)"
    }
    return text
  }
}

extension UnsupportedOperator {
  var json: JSONValue {
    .object([
      "op": .string(name), "code": .optional(code), "version": .int(version), "subgraph": .int(subgraph),
      "index": .int(index),
      "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)), "reason": .string(reason),
    ])
  }
}
