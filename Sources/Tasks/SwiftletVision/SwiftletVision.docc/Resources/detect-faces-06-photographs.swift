import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

let picture = try ImageDecoder.decode(path: CommandLine.arguments[1])
let image = InputImage(picture.image, orientation: picture.orientation)
print("\(image.width) × \(image.height) pixels")

let model = CommandLine.arguments.count > 2 ? ModelSource.file(CommandLine.arguments[2]) : .embedded(.faceDetector)
let detector = try FaceDetector(model: model)
for face in try detector.detect(image).detections {
  print(face.boundingBox, face.categories.first?.score ?? 0)
  for point in face.keypoints ?? [] { print("  ", point.location.x, point.location.y) }
}
