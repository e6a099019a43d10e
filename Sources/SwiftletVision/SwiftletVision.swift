// SwiftletVision
