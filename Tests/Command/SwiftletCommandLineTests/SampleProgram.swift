import SwiftletCommandLine

/// A program with everything that help, manual and completions have to write.
enum SampleProgram {
  static let models = CommandDeclaration(
    name: "models", summary: "keeps models",
    actions: [
      ActionDeclaration("list", "lists; 'all' of them"),
      ActionDeclaration(
        "fetch", "gets them", operands: "NAME…", operandCount: 1...9, operandKind: .choice(["a", "b"])),
    ],
    options: [.value("from", .folder, "a \\ copy [of: them]")], notes: ".Mind this.\nAnd that.",
    examples: [Example("sample models fetch a", "gets a model")])

  static let declaration = ProgramDeclaration(
    name: "sample", version: "1.2", date: "2026-01-31", summary: "does things", description: "First.\nSecond.",
    commands: [
      ArgumentsTests.declaration, models,
      CommandDeclaration(
        name: "help", summary: "explains", operands: "[COMMAND]", operandCount: 0...1, operandKinds: [.command]),
    ],
    environment: [.init("NO_COLOR", "no colours")], files: [.init("~/x", "a file")])
}
