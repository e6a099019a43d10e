import SwiftletCommandLine

/// A program with all features of help, manual, and completions.
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
    environment: [.init("NO_COLOR", "no colors")], files: [.init("~/x", "a file")])
}

extension SampleProgram {
  /// A program with every kind of value in every possible place.
  static let complete = ProgramDeclaration(
    name: "all-of-it", version: "9", date: "2026-01-31", summary: "has all",
    commands: [
      CommandDeclaration(
        name: "many", summary: "takes 'many' [kinds]: of values", operands: "FIRST SECOND REST…", operandCount: 0...7,
        operandKinds: [.choice(["one", "two"]), .integer(0...1), .file(".a", ".b")],
        options: [
          .flag("flag", "is a flag"), .value("folder", .folder, "a $folder"), .value("any", .file(), "any file"),
          .value("one", .file(".npy"), "one kind", isRepeatable: true),
          .value("names", .file(".tflite", ".task", orOneOf: ["n1", "n2"]), "a file or name"),
          .value("choice", .choice(["x", "y"]), "one of two"), .value("number", .number(0...1), "a number"),
          .value("text", "T", "a text"), .value("command", .command, "a command"),
        ]),
      CommandDeclaration(
        name: "acts", summary: "does things",
        actions: [
          ActionDeclaration("none", "takes none"),
          ActionDeclaration("files", "takes \"files\"", operands: "F…", operandCount: 1...3, operandKind: .file(".x")),
          ActionDeclaration("texts", "takes texts", operands: "T", operandCount: 1...1),
          ActionDeclaration("folders", "takes `folders`", operands: "D", operandCount: 1...2, operandKind: .folder),
        ], options: [.value("from", .folder, "where")]),
      CommandDeclaration(
        name: "rest", summary: "takes one kind", operands: "F…", operandCount: 0...9, operandKinds: [.file(".png")]),
      CommandDeclaration(
        name: "two", summary: "takes two", operands: "A B", operandCount: 2...2, operandKinds: [.folder, .command]),
      CommandDeclaration(name: "bare", summary: "takes nothing"),
    ])
}
