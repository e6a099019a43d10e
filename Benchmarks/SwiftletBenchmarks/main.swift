import Foundation
import SwiftletCommandLine

let words = Array(CommandLine.arguments.dropFirst())
Foundation.exit(
  ExitStatus.of { words.first == FreshStart.word ? try FreshStart.run(words) : try BenchmarkProgram.run(words) })
