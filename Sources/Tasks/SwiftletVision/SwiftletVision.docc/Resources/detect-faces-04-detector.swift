import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

let image = try InputImage(contentsOfFile: CommandLine.arguments[1])
print("\(image.width) × \(image.height) pixels")

let detector = try FaceDetector(.embedded(.faceDetector))
