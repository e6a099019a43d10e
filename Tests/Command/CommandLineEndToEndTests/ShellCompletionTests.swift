import Foundation
import SwiftletModelStore
import Testing

/// Checks the program's completions in real shells.
@Suite("Shell completions")
struct ShellCompletionTests {
  enum TestShell: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case bash, zsh, fish

    var testDescription: String { rawValue }

    var path: String? {
      ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + rawValue }.first(
        where: FileManager.default.isExecutableFile)
    }

    static let installed = allCases.filter { $0.path != nil }
  }

  /// The programs that complete a command line at its end.
  private static let drivers: [TestShell: String] = [
    .bash: #"""
    source "$1"; cd "$2"; shift 2
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
    declaration=$(complete -p swiftlet) || exit
    function=${declaration#*-F }
    ${function%% *}
    (( ${#COMPREPLY[@]} )) && printf '%s\n' "${COMPREPLY[@]}"
    exit 0
    """#,
    .fish: #"""
    source $argv[1]; cd $argv[2]
    complete -C (string join ' ' -- (string replace -a ' ' '\\ ' -- $argv[3..-1]))
    """#,
    // zsh only completes in an interactive shell, so this one runs on a terminal of its own and prints the candidates
    // when they are added.
    .zsh: #"""
    zmodload zsh/zpty || exit 3
    zpty shell ${ZSH_NAME:-zsh} -f -i
    zpty -w shell "PS1= RPS1= ; fpath=(${(q)1:h} \$fpath); cd ${(q)2}"
    zpty -w shell 'autoload -Uz compinit; compinit -u -D; bindkey "^I" complete-word; LISTMAX=10000; zstyle ":completion:*" insert-tab false'
    zpty -w shell 'compadd() { local -a found; [[ "$*" == *(-O|-A|-D)\ * ]] || { builtin compadd -O found "$@"; (( $#found )) && print -rl -- "" "==["$^found"]" }; builtin compadd "$@"; }'
    zpty -w shell 'finish() { compstate[insert]=; compstate[list]=; print -rl -- "" "<<" }; comppostfuncs=(finish)'
    zpty -w shell 'print REA""DY'
    while zpty -r shell line; do [[ $line == *READY* ]] && break; done
    zpty -n -w shell "${(j: :)${(q-)@[3,-2]}} ${@[-1]}"$'\t'
    while zpty -r shell line; do
      [[ $line == *'<<'* ]] && break
      [[ $line == *'==['* ]] && { line=${${line##*'==['}%%']'*}; print -r -- ${(Q)line}; }
    done
    zpty -d shell
    """#,
  ]

  /// A directory with files to complete, and the script of a shell.
  private final class Place {
    let folder: TemporaryFolder
    let script: String
    private let shell: TestShell
    private let driver: String
    private let program: String

    init(_ shell: TestShell) throws {
      self.shell = shell
      program = try #require(shell.path)
      folder = try TemporaryFolder()
      for name in ["functions", "home", "work", "work/sub dir"] {
        try FileManager.default.createDirectory(at: folder.url(name), withIntermediateDirectories: true)
      }
      for name in ["a.tflite", "b c.tflite", "x.png", "Y.JPG", "notes.txt", "n.npy", "m.json"] {
        _ = try folder.write([], to: "work/" + name)
      }
      let completions = try Tool.run("completions", shell.rawValue)
      #expect(completions.status == 0 && completions.error.isEmpty, "\(completions.error)")
      script = try folder.write(Array(completions.output.utf8), to: "functions/_swiftlet")
      driver = try folder.write(Array(try #require(ShellCompletionTests.drivers[shell]).utf8), to: "driver")
    }

    /// Returns the shell's candidates for the last word, without the option that can be joined to the word, and without
    /// directory markers.
    func candidates(_ words: [String]) throws -> Set<String> {
      let home = folder.path("home")
      let arguments = (shell == .zsh ? ["-f"] : []) + [driver, script, folder.path("work"), "swiftlet"] + words
      let result = try Tool.run(
        arguments, program: program,
        environment: [
          "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "ZDOTDIR": home,
          "TERM": "xterm",
        ])
      #expect(result.status == 0, "\(result.error)")
      return Set(
        result.output.split(separator: "\n").map { line in
          var name = line.split(separator: "\t")[0]
          if name.hasPrefix("--"), let equals = name.firstIndex(of: "=") { name = name[name.index(after: equals)...] }
          return name.hasSuffix("/") ? String(name.dropLast()) : String(name)
        })
    }
  }

  private static let models = ["a.tflite", "b c.tflite", "sub dir"]
  private static let classifiers = ModelCatalog.models.filter { $0.task == .classify }.map(\.name)

  private static let cases: [(words: [String], expected: [String])] = [
    (["be"], ["bench"]), (["detect-"], ["detect-objects", "detect-faces", "detect-language"]),
    (["bench", "--nu"], ["--numerics"]), (["bench", "--numerics", ""], ["fast", "bit-exact"]),
    (["bench", "--numerics=b"], ["bit-exact"]),
    (["classify", "--rotate", ""], ["0", "90", "180", "270"]),
    (["bench", "--runs", ""], []), (["bench", ""], models + ["m.json"]), (["bench", "a.tflite", "b"], ["b c.tflite"]),
    (["classify", "--model", ""], models + classifiers),
    (["classify", "--model", "mobilenet-v1"], ["mobilenet-v1-quarter", "mobilenet-v1-quarter-int8"]),
    (["track", "--detector", "coco-s"], ["coco-ssd-mobilenet-v1"]),
    (["track", "--classifier", "mobile-"], ["mobile-object-labeler"]),
    (["classify", ""], ["x.png", "Y.JPG", "sub dir"]), (["segment", "--confidence-masks", ""], ["sub dir"]),
    (["verify", ""], ["m.json", "sub dir"]),
    (["models", ""], ["list", "fetch", "path"]),
    (["models", "--from", "sub", "fetch", "deeplab"], ["deeplab-v3", "deeplab-v3-test"]),
    (["models", "path", "hair"], ["hair-segmenter"]), (["models", "list", ""], []),
    (["run", "--threads", "3", ""], models), (["run", "a.tflite", ""], ["n.npy", "sub dir"]),
    (["help", "be"], ["bench"]), (["completions", ""], ["bash", "zsh", "fish"]),
  ]

  @Test("offer commands, options, values, files by extension, and published models", arguments: TestShell.installed)
  func candidates(shell: TestShell) throws {
    let place = try Place(shell)
    for (words, expected) in Self.cases {
      let found = try place.candidates(words)
      #expect(found == Set(expected), "\(shell) \(words): \(found)")
    }
  }

  @Test("offer every command, and every option of each", arguments: TestShell.installed)
  func everything(shell: TestShell) throws {
    let place = try Place(shell)
    let commands = try place.candidates([""]).filter { !$0.hasPrefix("-") }
    let overview = try Tool.run("help").output
    let named = overview.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(commands == Set(named) && commands.count > 10)
    for command in ["bench", "segment", "track"] {
      let help = try Tool.run("help", command).output
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      #expect(try place.candidates([command, "--"]) == Set(options + ["--help", "--version"]), "\(shell) \(command)")
    }
  }

  @Test("bash offers no option twice, and none after a lone --", .enabled(if: TestShell.bash.path != nil))
  func givenOptions() throws {
    let place = try Place(.bash)
    #expect(try place.candidates(["bench", "--json", "--ru"]) == ["--runs"])
    #expect(try !place.candidates(["bench", "--json", "--runs", "=", "3", "--"]).contains("--runs"))
    #expect(try place.candidates(["run", "--input", "x.npy", "--in"]) == ["--input"], "it may be given again")
    #expect(try place.candidates(["bench", "--", "--"]).isEmpty)
    #expect(try place.candidates(["bench", "--numerics", "=", "f"]) == ["fast"], "where '=' ends words")
    #expect(
      try place.candidates(["bench", #"b\ "#]) == ["b c.tflite"]
        && place.candidates(["bench", #""b "#]) == ["b c.tflite"])
  }

  @Test("are scripts without syntax errors", arguments: TestShell.installed)
  func grammar(shell: TestShell) throws {
    let place = try Place(shell)
    let result = try Tool.run(["-n", place.script], program: try #require(shell.path))
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
  }

  @Test(
    "all three shells are installed",
    .enabled(if: TestShell.installed.count == TestShell.allCases.count, "bash, zsh and fish are needed"))
  func allInstalled() throws {
    // The other tests run with the available shells; this one fails visibly if a shell is missing.
    for shell in TestShell.allCases { #expect(try !Place(shell).candidates([""]).isEmpty) }
  }
}
