// SwiftletRuntime
