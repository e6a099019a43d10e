import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

let image = try InputImage(contentsOfFile: CommandLine.arguments[1])
print("\(image.width) × \(image.height) pixels")

let model = CommandLine.arguments.count > 2 ? ModelSource.file(CommandLine.arguments[2]) : .embedded(.faceDetector)
let detector = try FaceDetector(model)
for face in try detector.faces(in: image) {
  print(face.box, face.score)
  for point in face.keypoints { print("  ", point.x, point.y) }
}
