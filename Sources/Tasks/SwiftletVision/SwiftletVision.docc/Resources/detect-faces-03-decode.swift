import SwiftletImageCodecs
import SwiftletVision

let picture = try ImageDecoder.decode(path: CommandLine.arguments[1])
let image = InputImage(picture.image, orientation: picture.orientation)
print("\(image.width) × \(image.height) pixels")
