import Foundation
import SwiftletCommandLine

let words = Array(CommandLine.arguments.dropFirst())
Foundation.exit(ExitStatus.of { try GenerateScenesProgram.run(words) })
