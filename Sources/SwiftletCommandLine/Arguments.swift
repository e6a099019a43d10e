/// A parsed command line.
package struct Arguments: Sendable {
  /// What is not an option, in order.
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let declaration: CommandDeclaration

  /// Parses GNU-style long options (`--name value`, `--name=value`) and operands in any order; a lone `--` ends the options, a lone `-` is
  /// an operand.
  ///
  /// - Throws: `UsageError` for unknown, incomplete and repeated options and a wrong number of operands.
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
    let count = declaration.operandCount
    guard operands.count >= count.lowerBound else {
      throw UsageError("\(declaration.name) takes \(declaration.operands), \(Self.given(operands.count))")
    }
    guard operands.count <= count.upperBound else {
      let taken = declaration.operands.isEmpty ? "no operands" : declaration.operands
      throw UsageError(
        "\(declaration.name) takes \(taken), \(Self.given(operands.count)): '\(operands[count.upperBound])' is too much"
      )
    }
  }

  private static func given(_ count: Int) -> String {
    count == 0 ? "nothing was given" : "\(count) were given"
  }

  private mutating func parseOption(_ word: String, rest: inout ArraySlice<String>) throws(UsageError) {
    guard word.hasPrefix("--") else {
      throw UsageError(
        "unknown option '\(word)'; options are long, such as --\(declaration.options.first?.name ?? "help")")
    }
    let body = word.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(equals.map { body[..<$0] } ?? body)
    guard let option = declaration.options.first(where: { $0.name == name }) else {
      let known = declaration.options.map(\.name)
      let hint = Suggestion.nearest(to: name, in: known).map { "; did you mean --\($0)?" } ?? ""
      throw UsageError("\(declaration.name) has no option '--\(name)'\(hint)")
    }
    if option.valueName == nil {
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
    values[name, default: []].append(value)
  }

  // MARK: Typed access

  package func flag(_ name: String) -> Bool { values[name] != nil }

  package func string(_ name: String) -> String? { values[name]?.first }

  /// All values of a repeatable option.
  package func strings(_ name: String) -> [String] { values[name] ?? [] }

  /// The elements of a comma-separated list; empty when the option is absent.
  package func list(_ name: String) -> [String] {
    string(name)?.split(separator: ",", omittingEmptySubsequences: true).map(String.init) ?? []
  }

  /// - Throws: `UsageError` for something that is not a whole number in `range`.
  package func int(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      let bounds =
        range.upperBound == .max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) takes a whole number \(bounds), got '\(text)'")
    }
    return value
  }

  /// - Throws: `UsageError` for something that is not a number in `range`.
  package func float(_ name: String, in range: ClosedRange<Float>) throws(UsageError) -> Float? {
    guard let text = string(name) else { return nil }
    guard let value = Float(text), range.contains(value) else {
      throw UsageError("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), got '\(text)'")
    }
    return value
  }

  /// - Throws: `UsageError` that lists the choices for anything else.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, as type: Choice.Type
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = string(name) else { return nil }
    guard let value = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue)
      let hint = Suggestion.nearest(to: text, in: choices).map { "; did you mean \($0)?" } ?? ""
      throw UsageError("--\(name) takes one of \(choices.joined(separator: ", ")), got '\(text)'\(hint)")
    }
    return value
  }
}
