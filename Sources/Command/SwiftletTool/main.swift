import SwiftletCommandLine

exit(withStatus: Program.run(Array(CommandLine.arguments.dropFirst())))
