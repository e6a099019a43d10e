// SwiftletCommandLine
