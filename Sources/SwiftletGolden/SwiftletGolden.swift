// SwiftletGolden
