/// What a command takes: the source of its parsing, its help text, its manual, its completions and its error messages.
package struct CommandDeclaration: Sendable {
  package var name: String
  /// One line for the list of commands.
  package var summary: String
  /// What follows the name in the usage line: `MODEL [INPUT…]`.
  package var operands: String
  /// How many operands there must be.
  package var operandCount: ClosedRange<Int>
  /// What the operands can be, in order; the last holds for all further ones.
  package var operandKinds: [ValueKind]
  /// What the command can do, where its first operand says which.
  package var actions: [ActionDeclaration]
  package var options: [OptionDeclaration]
  /// More to say below the options, a paragraph a line.
  package var notes: String
  package var examples: [Example]

  package init(
    name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    operandKinds: [ValueKind] = [],
    options: [OptionDeclaration] = [], notes: String = "", examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.operandKinds = operandKinds
    self.actions = []
    self.options = options
    self.notes = notes
    self.examples = examples
  }

  /// A command whose first operand says what it does.
  package init(
    name: String, summary: String, actions: [ActionDeclaration], options: [OptionDeclaration] = [], notes: String = "",
    examples: [Example] = []
  ) {
    self.init(
      name: name, summary: summary, operands: actions.map(\.name).joined(separator: "|"), operandCount: 1...Int.max,
      options: options,
      notes: notes, examples: examples)
    self.actions = actions
  }

  /// What the operand at a place can be.
  package func operandKind(at index: Int) -> ValueKind? {
    index < operandKinds.count ? operandKinds[index] : operandKinds.last
  }
}

/// One of the things that a command can do.
package struct ActionDeclaration: Sendable {
  package var name: String
  /// What follows the name: `NAME…`.
  package var operands: String
  package var operandCount: ClosedRange<Int>
  package var operandKind: ValueKind
  package var help: String

  package init(
    _ name: String, _ help: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    operandKind: ValueKind = .text
  ) {
    self.name = name
    self.help = help
    self.operands = operands
    self.operandCount = operandCount
    self.operandKind = operandKind
  }

  package var usage: String { operands.isEmpty ? name : name + " " + operands }
}

/// A command line to learn from.
package struct Example: Sendable {
  package var command: String
  /// What it does.
  package var help: String

  package init(_ command: String, _ help: String) {
    self.command = command
    self.help = help
  }
}
