import Foundation
import SwiftletCommandLine

let words = Array(CommandLine.arguments.dropFirst())
#if FUZZING
  // libFuzzer parses its own options from the command line.
  if words.first == "libfuzzer", words.count > 1 { exit(LibFuzzer.run(words[1])) }
#endif
exit(ExitStatus.of { try FuzzProgram.run(words) })
