import Foundation
import SwiftletCommandLine

let words = Array(CommandLine.arguments.dropFirst())
#if FUZZING
  // libFuzzer has its own options, which it takes from the command line itself.
  if words.first == "libfuzzer", words.count > 1 { exit(LibFuzzer.run(words[1])) }
#endif
exit(ExitStatus.of { try FuzzProgram.run(words) })
