/// Completions for zsh: a function for a directory in `$fpath`, which can also be sourced directly.
struct ZshCompletion {
  private let program: ProgramDeclaration
  private let function: String

  init(_ program: ProgramDeclaration) {
    self.program = program
    function = "_" + Shell.identifier(program.name)
  }

  var text: String {
    """
    #compdef \(program.name)
    # zsh completion of \(program.name) \(program.version); written by '\(program.name) completions zsh'.

    # Names that stand for files, and files that match a pattern.
    \(function)_names_or_files() {
      local pattern=$1
      shift
      _alternative "names:name:($*)" "files:file:_files -g '$pattern'"
    }

    \(function)_commands() {
      local -a commands=(
    \(program.commands.map { "    " + Shell.quoted(item($0.name, $0.summary)) + "\n" }.joined())\
      )
      _describe -t commands command commands
    }

    \(function)() {
      local curcontext=$curcontext state state_descr line
      local -A opt_args
      if (( CURRENT == 2 )); then
        \(function)_commands
        [[ $PREFIX == -* ]] && _values option \(["--help", "--version"].map(Shell.quoted).joined(separator: " "))
        return
      fi
      shift words
      (( CURRENT-- ))
      case $words[1] in
    \(program.commands.map(branch).joined())\
      esac
    }

    if [[ $funcstack[1] == \(function) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(program.name)
    fi

    """
  }

  /// Returns the branch that completes a command's words.
  private func branch(_ command: CommandDeclaration) -> String {
    var specifications = (command.options + ProgramDeclaration.commonOptions).map(specification)
    if !command.actions.isEmpty {
      specifications.append(
        Shell.quoted(
          "1:action:((" + command.actions.map { "\($0.name)\\:\(doubleQuoted($0.help))" }.joined(separator: " ") + "))")
      )
      specifications.append(Shell.quoted("*::operand:->operands"))
    } else {
      for (index, kind) in command.operandKinds.enumerated() {
        let isLast = index == command.operandKinds.count - 1 && command.operandCount.upperBound > index + 1
        specifications.append(
          Shell.quoted(
            (isLast ? "*" : "\(index + 1)") + ":" + escaped(operandName(command, index)) + ":" + action(kind)))
      }
    }
    var text =
      "    \(command.name))\n      _arguments -S \\\n        " + specifications.joined(separator: " \\\n        ")
    if !command.actions.isEmpty {
      text += " && return\n      [[ $state == operands ]] || return\n      case $line[1] in\n"
      for action in command.actions where action.operandCount.upperBound > 0 {
        text +=
          "        \(action.name)) _arguments \(Shell.quoted("*:" + escaped(action.operands) + ":" + self.action(action.operandKind))) ;;\n"
      }
      text += "      esac"
    }
    return text + "\n      ;;\n"
  }

  private func operandName(_ command: CommandDeclaration, _ index: Int) -> String {
    let names = command.operands.split(separator: " ")
    return index < names.count ? String(names[index]) : command.operands
  }

  private func specification(_ option: OptionDeclaration) -> String {
    let help = "[" + escaped(option.help) + "]"
    let repeats = option.isRepeatable ? "*" : ""
    guard let kind = option.kind, let valueName = option.valueName else {
      return Shell.quoted(repeats + "--" + option.name + help)
    }
    return Shell.quoted(repeats + "--" + option.name + "=" + help + ":" + escaped(valueName) + ":" + action(kind))
  }

  /// Returns the action of `_arguments` that completes a value of a kind.
  private func action(_ kind: ValueKind) -> String {
    switch kind {
    case .file(let suffixes, let names):
      let pattern =
        suffixes.isEmpty
        ? "*"
        : suffixes.count == 1
          ? "*" + Shell.anyCase(suffixes[0]) : "*(" + suffixes.map(Shell.anyCase).joined(separator: "|") + ")"
      // An action that starts with a space is called with its words unchanged.
      guard names.isEmpty else { return " \(function)_names_or_files \"\(pattern)\" " + names.joined(separator: " ") }
      return suffixes.isEmpty ? "_files" : "_files -g \"\(pattern)\""
    case .folder: return "_files -/"
    case .choice(let choices): return "(" + choices.joined(separator: " ") + ")"
    case .command: return function + "_commands"
    // For an action that is a single space, zsh displays the expected kind of value without candidates.
    case .integer, .number, .text: return " "
    }
  }

  /// Returns a name and its description, for `_describe`.
  private func item(_ name: String, _ help: String) -> String { name.replacing(":", with: "\\:") + ":" + help }

  /// Returns the text escaped for a specification of `_arguments`.
  private func escaped(_ text: String) -> String {
    text.map { "\\:[]".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Returns the text escaped for a list of values with explanations.
  private func doubleQuoted(_ text: String) -> String {
    "\"" + text.map { "\\\"$`:".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }
}

/// A shell that can complete a program's command lines.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Returns the script that adds completions for the program's commands, options, and values to the shell.
  package func completions(for program: ProgramDeclaration) -> String {
    switch self {
    case .bash: BashCompletion(program).text
    case .zsh: ZshCompletion(program).text
    case .fish: FishCompletion(program).text
    }
  }

  /// Returns any text as one word of a shell script.
  package static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// Returns the function name for a program or command.
  static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Returns a pattern that matches a suffix in either case, letter by letter: `.[pP][nN][gG]`. With it, the patterns
  /// of bash and zsh need no options.
  static func anyCase(_ suffix: String) -> String {
    suffix.map { letter in
      letter.isLetter ? "[\(letter.lowercased())\(letter.uppercased())]" : String(letter)
    }.joined()
  }
}
