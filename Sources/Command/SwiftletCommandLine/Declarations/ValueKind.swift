import SwiftletBase

/// The values that an option or operand accepts: the single source of parsing, help, the manual, and shell completions.
package enum ValueKind: Sendable, Hashable {
  /// A file with one of the suffixes (any file if there are none), or one of the names that stand for files.
  case file(suffixes: [String], names: [String])
  case folder
  /// One of the listed values.
  case choice([String])
  /// An integer in the range.
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Float>)
  /// The name of one of the program's commands.
  case command
  /// Any other text.
  case text

  /// Returns the kind of a file with one of the suffixes, or one of the names that stand for files.
  package static func file(_ suffixes: String..., orOneOf names: [String] = []) -> ValueKind {
    .file(suffixes: suffixes, names: names)
  }

  /// Returns the kind whose values are the cases of a type.
  package static func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> ValueKind
  where Choice.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }

  /// A readable image file.
  package static let image = ValueKind.file(".png", ".jpg", ".jpeg")

  /// The default placeholder for the value.
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

  /// Returns the problem with a value, as the end of a sentence that begins with the option or operand; `nil` if the
  /// value is valid.
  ///
  /// Files and directories are checked when they are used.
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

/// Finds what was probably meant by a mistyped word.
package enum Suggestion {
  /// Returns the candidate with the fewest edits to `word`, if they are few enough to be a typo. Otherwise, returns the
  /// first candidate that begins with the word or contains it. Case is ignored.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty else { return nil }
    let allowed = max(1, typed.count / 3)
    var best: (name: String, distance: Int)?
    var beginning: String?, holding: String?
    for candidate in candidates {
      let lowercased = candidate.lowercased()
      let letters = Array(lowercased)
      if letters.isEmpty { continue }
      if beginning == nil, letters.starts(with: typed) { beginning = candidate }
      if holding == nil, typed.count > 2, lowercased.contains(String(typed)) { holding = candidate }
      // The difference in length is a lower bound of the edits, so words of any length are rejected at no cost.
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let distance = distance(typed, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? beginning ?? holding
  }

  /// Returns the number of insertions, deletions, replacements, and swaps of neighbors (restricted Damerau–Levenshtein
  /// distance).
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for i in 1..<(first.count + 1) {
      var row = [i] + [Int](repeating: 0, count: second.count)
      for j in 1..<(second.count + 1) {
        let cost = first[i - 1] == second[j - 1] ? 0 : 1
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[second.count]
  }
}

/// An invalid command line: exit status 2.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
