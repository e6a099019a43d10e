import SwiftletCommandLine
import SwiftletBase
import SwiftletJSON
import SwiftletText

/// The result of a task on a text, in the forms that the command line prints.
struct TextResult: PrintableResult {
  var subject: String
  /// The members of the `--json` and `--jsonl` object, in addition to the text itself.
  var members: KeyValuePairs<String, JSONValue>
  /// The text output in addition to the text itself, with a line end after each line.
  var lines: String

  var json: JSONValue {
    .object([.init(key: "text", value: .string(subject))] + members.map { .init(key: $0.key, value: $0.value) })
  }

  var text: String { TextRunner.shown(subject) + ":\n" + lines }
}

/// Runs a task on texts and prints its results in the requested form.
struct TextRunner {
  /// Returns the options of all text tasks.
  ///
  /// - Parameter note: Further text for the help of `--model`.
  static func declarations(note: String = "") -> [OptionDeclaration] {
    [.value("model", ModelArgument.file, "the model: a .tflite file of a text model" + note)]
      + RuntimeArguments.declarations + [RuntimeArguments.json] + BatchArguments.declarations(.texts)
  }

  static let operandNote =
    "TEXT is a text in quotation marks, or - for texts on standard input, one per line."

  /// The maximum number of a text's characters in text output.
  private static let shownCharacters = 60

  private let batch: BatchRunner

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` if there are no texts, or if standard input is used twice.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .texts, try Self.operands(arguments))
  }

  /// Returns the operands. Invalid UTF-8 on standard input becomes replacement characters.
  private static func operands(_ arguments: Arguments) throws(UsageError) -> Operands {
    let texts = arguments.operands
    guard !texts.isEmpty else { throw UsageError("at least one text is needed, or - for texts on standard input") }
    guard texts.count(where: { $0 == "-" }) <= 1 else { throw UsageError("standard input is given twice") }
    return Operands(parts: texts.map { $0 == "-" ? .lines : .operand($0) }, takesEmptyLines: true)
  }

  /// Returns the base options for running the model.
  ///
  /// - Parameter model: The default model; `nil` if there is none.
  /// - Throws: `UsageError` if no model is named and there is no default, and as `init(_:)`.
  static func baseOptions(
    _ arguments: Arguments, default model: ToolModel? = nil
  ) throws(UsageError) -> BaseOptions {
    let source: ModelSource
    if let model {
      source = try model.orNamed(arguments)
    } else if let named = arguments.string("model"), !named.isEmpty {
      source = ModelArgument.source(named)
    } else {
      throw UsageError("--model is required: there is no bundled model for this command")
    }
    let isList = arguments.operands.count > 1 || arguments.operands == ["-"]
    return RuntimeArguments.baseOptions(
      source, arguments, jobs: BatchArguments.jobs(arguments, isList: isList))
  }

  /// Runs a task on every text, with one result per text.
  ///
  /// - Parameters:
  ///   - capacity: The number of texts that the task accepts.
  ///   - perform: The task. It's called concurrently for several texts.
  /// - Returns: The exit status.
  func run(
    _ capacity: BatchCapacity, _ perform: @escaping @Sendable (String) throws -> TextResult
  ) throws -> Int32 {
    try batch.run(capacity) { text, _ in try Self.named(text) { try perform(text) } }
  }

  /// Prints one result for several texts together.
  func print(_ result: any PrintableResult) throws { try batch.print(result) }

  /// Returns the results of a task for a small number of texts.
  ///
  /// - Parameters:
  ///   - limit: The number of texts after which no more are read.
  ///   - capacity: The number of texts that the task accepts.
  func values<Value: Sendable>(
    atMost limit: Int, _ capacity: BatchCapacity, _ perform: @escaping @Sendable (String) throws -> Value
  ) throws -> [Value] {
    try batch.values(atMost: limit, capacity) { text, _ in try Self.named(text) { try perform(text) } }
  }

  /// Runs `body` and adds the text to its errors.
  private static func named<Value>(_ text: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as TaskError {
      throw ToolError(file: shown(text), reason: error.message)
    }
  }

  /// Returns a text as it appears in text output.
  static func shown(_ text: String) -> String {
    (text.dropFirst(shownCharacters).isEmpty ? text[...] : text.prefix(shownCharacters) + "…").description.sanitized
  }
}
