// Swiftlet
