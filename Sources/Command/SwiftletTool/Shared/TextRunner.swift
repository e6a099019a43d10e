import SwiftletCommandLine
import SwiftletBase
import SwiftletJSON
import SwiftletText

/// What a task says of a text, in the forms that the command line gives it.
struct TextResult: PrintableResult {
  var subject: String
  /// The object of `--json` and `--jsonl` next to the text itself.
  var members: KeyValuePairs<String, JSONValue>
  /// Lines for people, each with its end, next to the text itself.
  var lines: String

  var json: JSONValue {
    .object([.init(key: "text", value: .string(subject))] + members.map { .init(key: $0.key, value: $0.value) })
  }

  var text: String { TextRunner.shown(subject) + ":\n" + lines }
}

/// Runs a task over texts and prints its results in the form asked for.
struct TextRunner {
  /// The options that all tasks on texts have.
  ///
  /// - Parameter note: what is to be said of `--model` beyond what it is.
  static func declarations(note: String = "") -> [OptionDeclaration] {
    [.value("model", ModelArgument.file, "the model: a .tflite file that takes texts" + note)]
      + RuntimeArguments.declarations + [RuntimeArguments.json] + BatchArguments.declarations(.texts)
  }

  static let operandNote =
    "A TEXT is an operand, quoted where it has spaces, or - for texts on standard input, one a line."

  /// How much of a text people are shown.
  private static let shownCharacters = 60

  private let batch: BatchRunner

  /// - Throws: `UsageError` when there are no texts, or standard input is wanted twice.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .texts, try Self.operands(arguments))
  }

  /// Bytes of standard input that are no UTF-8 become replacement characters.
  private static func operands(_ arguments: Arguments) throws(UsageError) -> Operands {
    let texts = arguments.operands
    guard !texts.isEmpty else { throw UsageError("at least one text is needed, or - for texts on standard input") }
    guard texts.count(where: { $0 == "-" }) <= 1 else { throw UsageError("standard input is given twice") }
    return Operands(parts: texts.map { $0 == "-" ? .lines : .operand($0) }, takesEmptyLines: true)
  }

  /// How the model is run.
  ///
  /// - Parameter model: the one that is used where none is named; `nil` where there is none.
  /// - Throws: `UsageError` when no model is named and there is none for it, and as `init(_:)`.
  static func baseOptions(
    _ arguments: Arguments, default model: ToolModel? = nil
  ) throws(UsageError) -> BaseOptions {
    let source: ModelSource
    if let model {
      source = try model.orNamed(arguments)
    } else if let named = arguments.string("model"), !named.isEmpty {
      source = ModelArgument.source(named)
    } else {
      throw UsageError("--model is needed: the program has no model of its own for it")
    }
    let isList = arguments.operands.count > 1 || arguments.operands == ["-"]
    return RuntimeArguments.baseOptions(
      source, arguments, jobs: BatchArguments.jobs(arguments, isList: isList))
  }

  /// Runs a task on every text, each with a result of its own.
  ///
  /// - Parameters:
  ///   - capacity: How many texts the task takes.
  ///   - perform: the task. Called for several texts at once.
  /// - Returns: the exit status.
  func run(
    _ capacity: BatchCapacity, _ perform: @escaping @Sendable (String) throws -> TextResult
  ) throws -> Int32 {
    try batch.run(capacity) { text, _ in try Self.named(text) { try perform(text) } }
  }

  /// Prints what several come to together.
  func print(_ result: any PrintableResult) throws { try batch.print(result) }

  /// What a task gives for each of a few texts.
  ///
  /// - Parameters:
  ///   - limit: where there are more texts than this, the rest is not read.
  ///   - capacity: How many texts the task takes.
  func values<Value: Sendable>(
    atMost limit: Int, _ capacity: BatchCapacity, _ perform: @escaping @Sendable (String) throws -> Value
  ) throws -> [Value] {
    try batch.values(atMost: limit, capacity) { text, _ in try Self.named(text) { try perform(text) } }
  }

  /// Names the text in the errors of the task.
  private static func named<Value>(_ text: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as TaskError {
      throw ToolError(file: shown(text), reason: error.message)
    }
  }

  /// A text as it is shown to people.
  static func shown(_ text: String) -> String {
    (text.dropFirst(shownCharacters).isEmpty ? text[...] : text.prefix(shownCharacters) + "…").description.shown
  }
}
