import SwiftletBase

/// What an option or operand can be: the single source of parsing, help, the manual and the shells' completions.
package enum ValueKind: Sendable, Hashable {
  /// A file, by what its name usually ends with (none for any file), or one of some names that stand for files.
  case file(suffixes: [String], names: [String])
  case folder
  /// One of these.
  case choice([String])
  /// A whole number.
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Float>)
  /// The name of one of the program's commands.
  case command
  /// Anything else.
  case text

  /// A file, or one of some names that stand for files.
  package static func file(_ suffixes: String..., orOneOf names: [String] = []) -> ValueKind {
    .file(suffixes: suffixes, names: names)
  }

  /// One of the values of a type.
  package static func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> ValueKind
  where Choice.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }

  /// A picture that can be read.
  package static let picture = ValueKind.file(".png", ".jpg", ".jpeg")

  /// What stands for it where nothing else is said.
  package var standardName: String {
    switch self {
    case .file: "FILE"
    case .folder: "DIR"
    case .choice(let choices): choices.joined(separator: "|")
    case .integer: "N"
    case .number: "X"
    case .command: "COMMAND"
    case .text: "TEXT"
    }
  }

  /// What is wrong with a value, as the end of a sentence that begins with what takes it; `nil` when it can be taken.
  ///
  /// Files and folders are looked at where they are used.
  package func problem(with text: String) -> String? {
    switch self {
    case .file, .folder, .command, .text: return nil
    case .choice(let choices):
      if choices.contains(text) { return nil }
      let hint = Suggestion.nearest(to: text, in: choices).map { "; did you mean \($0)?" } ?? ""
      return "takes one of \(choices.joined(separator: ", ")), got '\(text.excerpt)'\(hint)"
    case .integer(let range):
      if let value = Int(text), range.contains(value) { return nil }
      return "takes a whole number \(Self.bounds(range, limit: .max)), got '\(text.excerpt)'"
    case .number(let range):
      if let value = Float(text), range.contains(value) { return nil }
      let isOpen = range.lowerBound == -Float.greatestFiniteMagnitude
      return
        "takes a number\(isOpen ? "" : " " + Self.bounds(range, limit: .greatestFiniteMagnitude)), got '\(text.excerpt)'"
    }
  }

  private static func bounds<Bound>(_ range: ClosedRange<Bound>, limit: Bound) -> String {
    range.upperBound == limit ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
  }
}
