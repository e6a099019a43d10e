import SwiftletCommandLine
import SwiftletDisplayText
import SwiftletJSON
import SwiftletText

/// What a task says of a text, in the forms that the command line gives it.
struct TextResult {
  /// The object of `--json` and `--jsonl` beside the text itself.
  var members: KeyValuePairs<String, JSONValue>
  /// Lines for people, each with its end.
  var lines: String
}

/// Runs a task over texts and prints its results in the form asked for.
struct TextRunner {
  /// The options that all tasks on texts have.
  static let declarations: [OptionDeclaration] =
    [.value("model", ModelArgument.file, "the model: a .tflite file that takes texts")]
    + RuntimeArguments.declarations + [
      RuntimeArguments.json, .flag("jsonl", "print one JSON object a line as each text is done"),
    ]

  static let operandNote =
    "A TEXT is an operand, quoted where it has spaces, or - for texts on standard input, one a line."

  /// How much of a text people are shown.
  private static let shownCharacters = 60

  private let texts: [String]
  private let printer: ResultPrinter

  /// - Throws: `UsageError` when there are no texts, or standard input is wanted twice.
  init(_ arguments: Arguments) throws(UsageError) {
    texts = arguments.operands
    printer = try ResultPrinter(arguments)
    guard !texts.isEmpty else { throw UsageError("at least one text is needed, or - for texts on standard input") }
    guard texts.count(where: { $0 == "-" }) <= 1 else { throw UsageError("standard input is given twice") }
  }

  /// Whether the result is a list, also when standard input turns out to have one line.
  private var isList: Bool { texts.count > 1 || texts == ["-"] }

  /// How the model is run.
  ///
  /// - Throws: `UsageError` when no model is named.
  static func baseOptions(_ arguments: Arguments) throws(UsageError) -> BaseOptions {
    guard let model = arguments.string("model"), !model.isEmpty else {
      throw UsageError("--model is needed: there is no model for texts in the package")
    }
    return BaseOptions(model: ModelArgument.source(model), RuntimeArguments.options(arguments))
  }

  /// Runs a task on every text, each with a result of its own.
  ///
  /// - Returns: the exit status.
  func run(_ perform: (String) throws -> TextResult) throws -> Int32 {
    var printer = printer
    try forEach { text in
      let result = try perform(text)
      printer.print(
        json: .object(
          [.init(key: "text", value: .string(text))] + result.members.map { .init(key: $0.key, value: $0.value) }),
        text: Self.shown(text) + ":\n" + result.lines)
    }
    printer.finish(isList: isList)
    return 0
  }

  /// Runs a task on all texts and prints what they come to together.
  ///
  /// - Returns: the exit status.
  func runTogether<Part>(
    _ perform: (String) throws -> Part, combine: ([Part]) throws -> (json: JSONValue, text: String)
  ) throws -> Int32 {
    var parts: [Part] = []
    try forEach { parts.append(try perform($0)) }
    let result = try combine(parts)
    var printer = printer
    printer.print(json: result.json, text: result.text)
    printer.finish(isList: false)
    return 0
  }

  /// A text as it is shown to people.
  static func shown(_ text: String) -> String {
    (text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text[...]).description.shown
  }

  /// Names the text in the errors of the task. Bytes of standard input that are no UTF-8 become replacement characters.
  private func forEach(_ body: (String) throws -> Void) throws {
    func perform(_ text: String) throws {
      do {
        try body(text)
      } catch let error as TaskError {
        throw ToolError(file: Self.shown(text), reason: error.message)
      }
    }
    for text in texts {
      guard text == "-" else {
        try perform(text)
        continue
      }
      while let line = readLine() { try perform(line) }
    }
  }
}
