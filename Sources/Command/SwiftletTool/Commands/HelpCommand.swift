import SwiftletCommandLine

/// `help`: explains the program and its commands.
enum HelpCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "help", summary: "print the help of the program or of a command", operands: "[COMMAND]", operandCount: 0...1,
    operandKinds: [.command],
    options: [.flag("man", "print a manual page for man(1)")],
    examples: [
      Example("swiftlet help --man > /usr/local/share/man/man1/swiftlet.1", "install the manual page"),
      Example("swiftlet help --man bench | man -l -", "show the manual page of a command"),
    ])

  static func run(_ arguments: Arguments) throws -> Int32 {
    let command = try arguments.operands.first.map(Program.command)?.declaration
    let program = Program.declaration
    if arguments.flag("man") {
      let page = ManualPage(program)
      StandardStreams.outputStyled(command.map(page.text) ?? page.text)
    } else {
      let help = HelpText.standard
      StandardStreams.outputStyled(command.map { help.command($0, program: program.name) } ?? help.overview(program))
    }
    return 0
  }
}

/// `completions`: shell completions for the program.
enum CompletionsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "completions", summary: "print a shell's completion script",
    operands: ValueKind.choice(of: Shell.self).standardName, operandCount: 1...1,
    operandKinds: [.choice(of: Shell.self)],
    notes: "For zsh, the directory must be in $fpath before compinit runs.",
    examples: [
      Example(
        "swiftlet completions bash > ~/.local/share/bash-completion/completions/swiftlet",
        "bash with the package bash-completion"),
      Example("source <(swiftlet completions bash)", "bash without it, in ~/.bashrc"),
      Example("swiftlet completions zsh > ~/.zfunc/_swiftlet", "zsh"),
      Example("swiftlet completions fish > ~/.config/fish/completions/swiftlet.fish", "fish"),
    ])

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard let shell = arguments.operands.first.flatMap(Shell.init) else {
      throw UsageError("completions takes \(declaration.operands)")
    }
    StandardStreams.outputStyled(shell.completions(for: Program.declaration))
    return 0
  }
}
