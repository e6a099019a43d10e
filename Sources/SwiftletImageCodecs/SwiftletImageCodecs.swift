// SwiftletImageCodecs
