import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The faces in a picture.
struct FacesResult: PictureResult {
  var picture: NamedPicture
  var faces: [Face]

  /// How many expressions of a face people are told.
  private static let expressionCount = 3

  var json: JSONValue { picture.json("faces", faces.map(\.json)) }

  var text: String {
    picture.text(
      "faces",
      faces.map { face in
        let expressions = Self.strongest(face).map { "\($0.name) \($0.scoreText(digits: 2))" }
        return (["face " + face.landmarks.extent(in: picture.image)] + expressions).joined(separator: ", ")
      })
  }

  /// The expressions that can be seen most.
  private static func strongest(_ face: Face) -> [ResultCategory] {
    let sorted = face.blendshapeCategories.sorted { $0.score > $1.score || $0.score == $1.score && $0.index < $1.index }
    return sorted.prefix(expressionCount).filter { $0.score >= 0.1 }
  }

  func draw(on canvas: inout Canvas) {
    for (index, face) in faces.enumerated() { canvas.drawFace(face, in: picture.image, color: .distinct(index)) }
  }
}

extension Face {
  /// The blendshapes as categories; empty if the face has none.
  fileprivate var blendshapeCategories: [ResultCategory] {
    guard let blendshapes else { return [] }
    return FaceBlendshape.allCases.map {
      ResultCategory(index: $0.rawValue, score: blendshapes[$0], categoryName: $0.name)
    }
  }

  /// The object of a face in `--json`.
  var json: JSONValue {
    .object([
      "landmarks": .array(landmarks.map(\.json)),
      "blendshapes": blendshapes == nil ? .null : .array(blendshapeCategories.map(\.shortJSON)),
      "matrix": transformationMatrix.map { .floats($0.rowMajor) } ?? .null,
    ])
  }
}

extension Canvas {
  /// Draws the mesh of a face in thin lines, and its contours.
  mutating func drawFace(_ face: Face, in image: InputImage, color: Color) {
    let places = face.landmarks.map { $0.place(in: image) }
    strokeEdges(FaceLandmarks.tesselation.lazy.map { ($0.start, $0.end) }, between: places, lineWidth: 1, color: .white)
    strokeEdges(
      FaceLandmarks.contours.lazy.map { ($0.start, $0.end) }, between: places, lineWidth: max(1, lineWidth - 1),
      color: color)
  }
}
