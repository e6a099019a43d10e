/// A program of several commands: the source of its help, its manual and the shells' completions.
package struct ProgramDeclaration: Sendable {
  /// Something with a name to explain: an environment variable, a file.
  package struct Entry: Sendable {
    package var name: String
    package var help: String

    package init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }

  package var name: String
  package var version: String
  /// When the manual was last changed: `2026-11-22`.
  package var date: String
  package var summary: String
  /// What the manual says before it comes to the commands, a paragraph a line.
  package var description: String
  package var commands: [CommandDeclaration]
  package var environment: [Entry]
  package var files: [Entry]

  package init(
    name: String, version: String, date: String, summary: String, description: String = "",
    commands: [CommandDeclaration],
    environment: [Entry] = [], files: [Entry] = []
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.description = description
    self.commands = commands
    self.environment = environment
    self.files = files
  }

  /// The options that need no declaration, because the program takes them everywhere.
  package static let commonOptions: [OptionDeclaration] = [
    .flag("help", "explain the command"), .flag("version", "tell the version"),
  ]
}
