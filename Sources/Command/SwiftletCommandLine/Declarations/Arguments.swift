import SwiftletBase

/// A parsed command line.
package struct Arguments: Sendable {
  /// The action, if the command has several.
  package private(set) var action: String?
  /// The words that are neither options nor the action, in order.
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let declaration: CommandDeclaration

  /// Parses GNU-style long options (`--name value`, `--name=value`) and operands in any order; a lone `--` ends the
  /// options, a lone `-` is an operand.
  ///
  /// - Throws: `UsageError` for unknown, incomplete and repeated options, values of another kind than declared, and a
  ///   wrong number of operands.
  package init(_ words: some Collection<String>, for declaration: CommandDeclaration) throws(UsageError) {
    self.declaration = declaration
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      try parseOption(word, rest: &rest)
    }
    if declaration.actions.isEmpty {
      try checkOperands(of: declaration.name, declaration.operands, declaration.operandCount)
      for (index, operand) in operands.enumerated() {
        if let problem = declaration.operandKind(at: index)?.problem(with: operand) {
          throw UsageError("\(declaration.name) \(problem)")
        }
      }
    } else {
      try takeAction()
    }
  }

  private mutating func takeAction() throws(UsageError) {
    guard let word = operands.first else {
      throw UsageError("\(declaration.name) takes \(declaration.operands), nothing was given")
    }
    guard let action = declaration.actions.first(where: { $0.name == word }) else {
      let names = declaration.actions.map(\.name)
      let hint =
        Suggestion.nearest(to: word, in: names).map { "did you mean '\($0)'?" }
        ?? "it can \(names.joined(separator: ", "))"
      throw UsageError("\(declaration.name) cannot '\(word.excerpt)'; \(hint)")
    }
    self.action = word
    operands.removeFirst()
    try checkOperands(of: declaration.name + " " + word, action.operands, action.operandCount)
  }

  private func checkOperands(of name: String, _ usage: String, _ count: ClosedRange<Int>) throws(UsageError) {
    let given = operands.isEmpty ? "nothing was given" : "\(operands.count) were given"
    guard operands.count >= count.lowerBound else { throw UsageError("\(name) takes \(usage), \(given)") }
    guard operands.count <= count.upperBound else {
      throw UsageError(
        "\(name) takes \(usage.isEmpty ? "no operands" : usage), \(given): unexpected argument '\(operands[count.upperBound].excerpt)'"
      )
    }
  }

  private mutating func parseOption(_ word: String, rest: inout ArraySlice<String>) throws(UsageError) {
    guard word.hasPrefix("--") else {
      throw UsageError(
        "unknown option '\(word.excerpt)'; options are long, such as --\(declaration.options.first?.name ?? "help")")
    }
    let body = word.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(equals.map { body[..<$0] } ?? body)
    guard let option = declaration.options.first(where: { $0.name == name }) else {
      let known = declaration.options.map(\.name)
      let hint = Suggestion.nearest(to: name, in: known).map { "; did you mean --\($0)?" } ?? ""
      throw UsageError("\(declaration.name) has no option '--\(name.excerpt)'\(hint)")
    }
    guard let kind = option.kind else {
      guard equals == nil else { throw UsageError("--\(name) takes no value") }
      values[name] = ["true"]
      return
    }
    let value: String
    if let equals {
      value = String(body[body.index(after: equals)...])
    } else if let next = rest.popFirst() {
      value = next
    } else {
      throw UsageError("--\(name) needs a value: \(option.valueName ?? "")")
    }
    guard option.isRepeatable || values[name] == nil else { throw UsageError("--\(name) is given more than once") }
    if let problem = kind.problem(with: value) { throw UsageError("--\(name) \(problem)") }
    values[name, default: []].append(value)
  }

  // MARK: Typed access

  /// Whether the command has an option with the given name.
  package func takes(_ name: String) -> Bool { declaration.options.contains { $0.name == name } }

  package func flag(_ name: String) -> Bool { values[name] != nil }

  package func string(_ name: String) -> String? { values[name]?.first }

  /// Returns all values of a repeatable option.
  package func strings(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the elements of a comma-separated list; empty if the option is absent.
  package func list(_ name: String) -> [String] {
    string(name)?.split(separator: ",", omittingEmptySubsequences: true).map(String.init) ?? []
  }

  /// Returns the value of an option that is declared as an integer.
  package func int(_ name: String) -> Int? { string(name).flatMap { Int($0) } }

  /// Returns the value of an option that is declared as a number.
  package func float(_ name: String) -> Float? { string(name).flatMap { Float($0) } }

  /// Returns the value of an option that is declared as a choice of this type.
  package func choice<Choice: RawRepresentable>(_ name: String, as type: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    string(name).flatMap { Choice(rawValue: $0) }
  }
}
