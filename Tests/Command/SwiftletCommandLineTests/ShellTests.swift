import SwiftletCommandLine
import Testing

/// Checks the contents of the scripts; real shells run the program's scripts in the end-to-end tests.
@Suite("Completions")
struct ShellTests {
  @Test("contain every command, option, action, and choice", arguments: Shell.allCases)
  func complete(shell: Shell) {
    let script = shell.completions(for: SampleProgram.declaration)
    for command in SampleProgram.declaration.commands {
      #expect(script.contains(command.name))
      for option in command.options { #expect(script.contains((shell == .fish ? "-l " : "--") + option.name)) }
    }
    for word in ["light", "deep-dark", "list", "fetch", "sample 1.2"] { #expect(script.contains(word)) }
  }

  @Test("quote shell metacharacters", arguments: Shell.allCases)
  func quoting(shell: Shell) {
    let script = shell.completions(for: SampleProgram.declaration)
    switch shell {
    case .bash: #expect(script.contains("--from) _sample_files '/$'; return ;;"))
    case .zsh: #expect(script.contains(#"'--from=[a \\ copy \[of\: them\]]:DIR:_files -/'"#))
    case .fish:
      #expect(
        script.contains(#"-l from -x"#) && script.contains(#"-d 'a \\ copy [of: them]'"#)
          && script.contains(#"-d 'lists; \'all\' of them'"#))
    }
  }
}
