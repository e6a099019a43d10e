import SwiftletCommandLine

/// `help`: explains the program and its commands.
enum HelpCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "help", summary: "explains the program, or a command", operands: "[COMMAND]", operandCount: 0...1,
    operandKinds: [.command],
    options: [.flag("man", "print the same as a manual page, for man(1)")],
    examples: [
      Example("swiftlet help --man > /usr/local/share/man/man1/swiftlet.1", "installs the manual page"),
      Example("swiftlet help --man bench | man -l -", "shows the manual page of a command"),
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
