import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

let image = try InputImage(contentsOfFile: CommandLine.arguments[1])
let detector = try FaceDetector(.embedded(.faceDetector))
for face in try detector.faces(in: image) { print(face.box, face.score) }
