/// Completions for fish, 3.2 and later.
struct FishCompletion {
  private let program: ProgramDeclaration
  private let function: String

  init(_ program: ProgramDeclaration) {
    self.program = program
    function = "__" + Shell.identifier(program.name)
  }

  var text: String {
    let commands = program.commands.map {
      "complete -c \(program.name) -n \(function)_needs_command -a \(quoted($0.name)) -d \(quoted($0.summary))\n"
    }
    return """
      # fish completion of \(program.name) \(program.version); written by '\(program.name) completions fish'.

      # No command was given yet.
      function \(function)_needs_command
        test (count (commandline -opc)) -eq 1
      end

      # Which options of a command have a value.
      function \(function)_valued
        switch $argv[1]
      \(program.commands.map(valued).joined())\
        end
      end

      # What was given that is neither an option nor its value, the command first.
      function \(function)_words
        set -l words (commandline -opc)
        set -e words[1]
        set -l valued (\(function)_valued $words[1])
        set -l ended no
        set -l skips no
        for word in $words
          if test $skips = yes
            set skips no
          else if test $ended = yes; or test "$word" = -; or not string match -q -- '-*' $word
            echo -- $word
          else if test "$word" = --
            set ended yes
          else if contains -- $word $valued
            set skips yes
          end
        end
      end

      # The command is this one, and, where one is named, so is its action.
      function \(function)_runs
        set -l words (\(function)_words)
        test (count $words) -gt 0; and test $words[1] = $argv[1]; or return 1
        test (count $argv) -eq 1; and return 0
        test (count $words) -gt 1; and test $words[2] = $argv[2]
      end

      # So many operands were given, at least and at most, the action among them.
      function \(function)_given
        set -l count (math (count (\(function)_words)) - 1)
        test $count -ge $argv[1] -a $count -le $argv[2]
      end

      # Folders, and files that end with one of these; all files without any.
      function \(function)_files
        set -l token (string replace -r -- '^--[^=]*=' '' (commandline -ct))
        for path in (__fish_complete_path $token)
          set -l name (string split -f 1 -- \\t $path)
          if string match -q -- '*/' $name; or test (count $argv) -eq 0
            echo $name
            continue
          end
          for suffix in $argv
            if string match -q -i -- "*$suffix" $name
              echo $name
              break
            end
          end
        end
      end

      complete -c \(program.name) -f
      complete -c \(program.name) -n \(function)_needs_command -l help -d 'explain the program'
      complete -c \(program.name) -n \(function)_needs_command -l version -d 'tell the version'
      \(commands.joined())\(program.commands.map(section).joined())
      """
  }

  private func valued(_ command: CommandDeclaration) -> String {
    let options = command.options.filter { $0.kind != nil }
    return options.isEmpty
      ? "" : "    case \(command.name)\n      printf '%s\\n' \(options.map { "--" + $0.name }.joined(separator: " "))\n"
  }

  /// Returns the lines that complete a command's words.
  private func section(_ command: CommandDeclaration) -> String {
    let start = "complete -c \(program.name) -n '\(function)_runs \(command.name)"
    var text = "\n# \(command.name)\n"
    for option in command.options + ProgramDeclaration.commonOptions {
      text +=
        "\(start)' -l \(option.name)" + (option.kind.map { " -x" + values($0) } ?? "") + " -d \(quoted(option.help))\n"
    }
    for action in command.actions {
      text += "\(start); and \(function)_given 0 0' -a \(quoted(action.name)) -d \(quoted(action.help))\n"
      let values = values(action.operandKind)
      if action.operandCount.upperBound > 0, !values.isEmpty {
        text += "\(start) \(action.name); and \(function)_given 1 \(action.operandCount.upperBound)'\(values)\n"
      }
    }
    for (index, kind) in command.operandKinds.enumerated() {
      let values = values(kind)
      let last = index == command.operandKinds.count - 1 ? command.operandCount.upperBound - 1 : index
      if !values.isEmpty { text += "\(start); and \(function)_given \(index) \(last)'\(values)\n" }
    }
    return text
  }

  /// Returns the candidates for values of a kind, as options of `complete`; empty if there are none.
  private func values(_ kind: ValueKind) -> String {
    switch kind {
    case .file(let suffixes, let names):
      let files = "(" + ([function + "_files"] + suffixes).joined(separator: " ") + ")"
      return " -a " + quoted((names + [files]).joined(separator: " "))
    case .folder:
      return " -a '(__fish_complete_directories (string replace -r -- \"^--[^=]*=\" \"\" (commandline -ct)))'"
    case .choice(let choices): return " -a " + quoted(choices.joined(separator: " "))
    case .command: return " -a " + quoted(program.commands.map(\.name).joined(separator: " "))
    case .integer, .number, .text: return ""
    }
  }

  /// Returns the text as one word in fish, where quotes are escaped within quotes.
  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
