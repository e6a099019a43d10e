/// Completions for bash, 3.2 and later, with or without the package bash-completion.
struct BashCompletion {
  private let program: ProgramDeclaration
  private let function: String

  init(_ program: ProgramDeclaration) {
    self.program = program
    function = "_" + Shell.identifier(program.name)
  }

  var text: String {
    """
    # bash completion of \(program.name) \(program.version); written by '\(program.name) completions bash'.

    # Replies with those words that begin like the one at the cursor.
    \(function)_words() {
      local word
      for word in "$@"; do
        [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
      done
    }

    # Replies with folders, and with files whose names match a regular expression.
    \(function)_files() {
      local path real
      type compopt &>/dev/null && compopt -o filenames 2>/dev/null
      while IFS= read -r path; do
        real=$path
        [[ $path == '~/'* ]] && real=$HOME/${path#'~/'}
        if [[ -d $real || $path =~ $1 ]]; then COMPREPLY+=("$prefix$path"); fi
      done < <(compgen -f -- "$current")
    }

    # Replies with the options that were not given yet; the others may be given again.
    \(function)_options() {
      local option word
      for option in $1; do
        for word in "${given[@]}"; do
          [[ $word == "$option" && " $2 " != *" $option "* ]] && continue 2
        done
        \(function)_words "$option"
      done
    }

    \(function)() {
      local current=${COMP_WORDS[COMP_CWORD]} option='' prefix='' command=${COMP_WORDS[1]} ended='' given=() operands=() valued='' word index
      COMPREPLY=()
      if (( COMP_CWORD == 1 )); then
        \(function)_words \(words(program.commands.map(\.name) + ["--help", "--version"]))
        return
      fi
      case $command in
    \(program.commands.map(valued).joined())\
      esac
      # '--name=value' is one word, or three where '=' ends words.
      for (( index = 2; index < COMP_CWORD; index++ )); do
        word=${COMP_WORDS[index]}
        if [[ -n $ended || $word == - || $word != -* ]]; then
          operands+=("$word")
        elif [[ $word == -- ]]; then
          ended=yes
        else
          given+=("${word%%=*}")
          if [[ $word != *=* && ${COMP_WORDS[index+1]} == '=' ]]; then
            (( index += 2 ))
          elif [[ $word != *=* && " $valued " == *" $word "* ]]; then
            (( index += 1 ))
          fi
        fi
      done
      if [[ $current == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]} current=''
      elif [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
      elif [[ $current == --*=* ]]; then
        option=${current%%=*} prefix=${current%%=*}= current=${current#*=}
      else
        option=${COMP_WORDS[COMP_CWORD-1]}
      fi
      [[ -n $ended ]] && option=''
      # What was typed with quotes or backslashes, without them.
      current=${current#[\\"\\']} current=${current//\\\\/}
      case $command in
    \(program.commands.map(branch).joined())\
      esac
    }

    complete -F \(function) \(program.name)

    """
  }

  /// Returns the branch that lists the options of a command that have a value.
  private func valued(_ command: CommandDeclaration) -> String {
    let options = command.options.filter { $0.kind != nil }
    return options.isEmpty
      ? "" : "    \(command.name)) valued='\(options.map { "--" + $0.name }.joined(separator: " "))' ;;\n"
  }

  /// Returns the branch that completes a command's words.
  private func branch(_ command: CommandDeclaration) -> String {
    var text = "    \(command.name))\n"
    let values = command.options.compactMap { option in option.kind.map { (option.name, $0) } }
    if !values.isEmpty {
      text += "      case $option in\n"
      for (name, kind) in values {
        text += "        --\(name)) \(replies(to: kind).map { $0 + "; return" } ?? "return") ;;\n"
      }
      text += "      esac\n"
    }
    let options = command.options + ProgramDeclaration.commonOptions
    text += """
            if [[ $current == -* && -z $ended ]]; then
              \(function)_options '\(options.map { "--" + $0.name }.joined(separator: " "))' '\(options.filter(\.isRepeatable).map { "--" + $0.name }.joined(separator: " "))'
              return
            fi

      """
    if !command.actions.isEmpty {
      text +=
        "      if (( ${#operands[@]} == 0 )); then \(function)_words \(words(command.actions.map(\.name))); return; fi\n"
      text += "      case ${operands[0]} in\n"
      for action in command.actions where action.operandCount.upperBound > 0 {
        guard let replies = replies(to: action.operandKind) else { continue }
        text +=
          "        \(action.name)) (( ${#operands[@]} <= \(action.operandCount.upperBound) )) && { \(replies); } ;;\n"
      }
      text += "      esac\n"
    }
    for (index, kind) in command.operandKinds.enumerated() {
      guard let replies = replies(to: kind) else { continue }
      let last = index == command.operandKinds.count - 1 ? command.operandCount.upperBound - 1 : index
      text += "      (( ${#operands[@]} >= \(index) && ${#operands[@]} <= \(last) )) && { \(replies); }\n"
    }
    return text + "      ;;\n"
  }

  /// Returns the command that replies with values of a kind, or `nil` if there are no candidates.
  private func replies(to kind: ValueKind) -> String? {
    switch kind {
    case .file(let suffixes, let names):
      let files = "\(function)_files \(Shell.quoted(pattern(suffixes)))"
      return names.isEmpty ? files : "\(function)_words \(words(names)); \(files)"
    case .folder: return "\(function)_files '/$'"
    case .choice(let choices): return "\(function)_words \(words(choices))"
    case .command: return "\(function)_words \(words(program.commands.map(\.name)))"
    case .integer, .number, .text: return nil
    }
  }

  private func words(_ words: [String]) -> String { words.map(Shell.quoted).joined(separator: " ") }

  /// Returns a regular expression for names that end with one of the suffixes.
  private func pattern(_ suffixes: [String]) -> String {
    suffixes.isEmpty
      ? "" : "(" + suffixes.map { Shell.anyCase($0).replacing(".", with: "\\.") }.joined(separator: "|") + ")$"
  }
}
