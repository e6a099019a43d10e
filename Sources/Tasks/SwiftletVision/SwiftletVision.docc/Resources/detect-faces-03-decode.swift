import SwiftletImageCodecs
import SwiftletVision

let image = try InputImage(contentsOfFile: CommandLine.arguments[1])
print("\(image.width) × \(image.height) pixels")
