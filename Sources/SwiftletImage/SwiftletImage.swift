// SwiftletImage
