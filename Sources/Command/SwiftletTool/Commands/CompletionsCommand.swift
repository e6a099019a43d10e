import SwiftletCommandLine

/// `completions`: teaches shells what the program takes.
enum CompletionsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "completions", summary: "prints what a shell needs to complete commands, options, values and files",
    operands: ValueKind.choice(of: Shell.self).standardName, operandCount: 1...1,
    operandKinds: [.choice(of: Shell.self)],
    notes: "A folder for functions of zsh has to be in $fpath before compinit runs.",
    examples: [
      Example(
        "swiftlet completions bash > ~/.local/share/bash-completion/completions/swiftlet",
        "for bash with the package bash-completion"),
      Example("source <(swiftlet completions bash)", "for bash without it, in ~/.bashrc"),
      Example("swiftlet completions zsh > ~/.zfunc/_swiftlet", "for zsh"),
      Example("swiftlet completions fish > ~/.config/fish/completions/swiftlet.fish", "for fish"),
    ])

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard let shell = arguments.operands.first.flatMap(Shell.init) else {
      throw UsageError("completions takes \(declaration.operands)")
    }
    StandardStreams.outputStyled(shell.completions(for: Program.declaration))
    return 0
  }
}
