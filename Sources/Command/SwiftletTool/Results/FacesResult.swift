import SwiftletDrawing
import SwiftletImage
import SwiftletJSON
import SwiftletVision

/// The faces in an image.
struct FacesResult: ImageResult {
  var input: NamedImage
  var faces: [Face]

  /// The maximum number of blendshapes per face in text output.
  private static let expressionCount = 3

  var json: JSONValue { input.json("faces", faces.map(\.json)) }

  var text: String {
    input.text(
      "faces",
      faces.map { face in
        let expressions = Self.strongest(face).map { "\($0.name) \($0.scoreText(digits: 2))" }
        return (["face " + face.landmarks.extent(in: input.image)] + expressions).joined(separator: ", ")
      })
  }

  /// Returns the blendshapes with the highest scores.
  private static func strongest(_ face: Face) -> [ResultCategory] {
    let sorted = face.blendshapeCategories.sorted { $0.score > $1.score || $0.score == $1.score && $0.index < $1.index }
    return sorted.prefix(expressionCount).filter { $0.score >= 0.1 }
  }

  func draw(on canvas: inout Canvas) {
    for (index, face) in faces.enumerated() { canvas.drawFace(face, in: input.image, color: .distinct(index)) }
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

  /// The `--json` object of a face.
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

/// The hands in an image, with their gestures if they were recognized.
struct HandsResult: ImageResult {
  var input: NamedImage
  var hands: [Hand]
  /// The gesture of each hand, if it has one; `nil` if gestures are not recognized.
  var gestures: [Gesture?]?

  init(input: NamedImage, hands: [Hand]) { (self.input, self.hands) = (input, hands) }

  init(input: NamedImage, recognized hands: [RecognizedHand]) {
    (self.input, self.hands, gestures) = (input, hands.map(\.hand), hands.map(\.gesture))
  }

  var json: JSONValue {
    input.json(
      "hands",
      hands.enumerated().map { index, hand in
        var members = [JSONValue.Member(key: "handedness", value: hand.handednessCategory.shortJSON)]
        if let gestures {
          members.append(.init(key: "gestures", value: .array(gestures[index].map { [$0.category.shortJSON] } ?? [])))
        }
        return .object(
          members + [
            .init(key: "landmarks", value: .array(hand.landmarks.map(\.json))),
            .init(key: "world_landmarks", value: .array(hand.worldLandmarks.map(\.json))),
          ])
      })
  }

  var text: String {
    input.text(
      "hands", hands.indices.map { label($0, digits: 3) + " " + hands[$0].landmarks.extent(in: input.image) })
  }

  func draw(on canvas: inout Canvas) {
    for (index, hand) in hands.enumerated() {
      canvas.drawSkeleton(hand.landmarks, HandLandmarks.connections, in: input.image, color: .distinct(index))
    }
    // Draw captions after all skeletons, in reverse order, so that the first hand's caption stays on top.
    for (index, hand) in hands.enumerated().reversed() {
      canvas.drawCaption(label(index, digits: 2), above: hand.landmarks, in: input.image, plate: .distinct(index))
    }
  }

  private func label(_ index: Int, digits: Int) -> String {
    [hands[index].handednessCategory, gestures?[index]?.category].compactMap(\.self)
      .map { $0.name + " " + $0.scoreText(digits: digits) }.joined(separator: ", ")
  }
}

extension Hand {
  /// The handedness as a category, with MediaPipe's name and index.
  var handednessCategory: ResultCategory {
    handedness == .right
      ? ResultCategory(index: 0, score: handednessScore, categoryName: "Right")
      : ResultCategory(index: 1, score: handednessScore, categoryName: "Left")
  }
}

extension Gesture {
  /// The gesture as a category; gestures have no index.
  fileprivate var category: ResultCategory { ResultCategory(index: -1, score: score, categoryName: name) }
}

/// The common properties of image landmarks and world landmarks.
private protocol LandmarkNumbers {
  var x: Float { get }
  var y: Float { get }
  var z: Float { get }
  var visibility: Float? { get }
  var presence: Float? { get }
}

extension LandmarkNumbers {
  /// The `--json` object of a landmark, with visibility and presence if the task provides them.
  fileprivate var object: JSONValue {
    var members = [("x", x), ("y", y), ("z", z)]
    if let visibility { members.append(("visibility", visibility)) }
    if let presence { members.append(("presence", presence)) }
    return .object(members.map { JSONValue.Member(key: $0.0, value: .float($0.1)) })
  }
}

extension NormalizedLandmark: LandmarkNumbers {
  var json: JSONValue { object }

  /// Returns the pixel that contains the point.
  func place(in image: InputImage) -> Canvas.Place? { NormalizedPoint(x: x, y: y).place(in: image) }
}

extension Landmark: LandmarkNumbers {
  var json: JSONValue { object }
}

extension NormalizedPoint {
  /// Returns the pixel that contains the landmark, or `nil` if a coordinate is NaN or so far outside that nothing is
  /// drawn.
  func place(in image: InputImage) -> Canvas.Place? {
    let (column, row) = (x * Float(image.width), y * Float(image.height))
    guard abs(column) < 1e6, abs(row) < 1e6 else { return nil }
    return Canvas.Place(x: Int(column.rounded(.down)), y: Int(row.rounded(.down)))
  }
}

extension ResultCategory {
  /// The JSON form of a category without localized names: handedness, a gesture, or a blendshape.
  var shortJSON: JSONValue {
    .object(["name": .optional(categoryName), "score": .float(score), "index": .int(index)])
  }
}

extension [NormalizedLandmark] {
  /// Returns the bounding box of the landmarks for text output: its corner and its size in pixels.
  func extent(in image: InputImage) -> String {
    let places = compactMap { $0.place(in: image) }
    guard let left = places.map(\.x).min(), let right = places.map(\.x).max(), let top = places.map(\.y).min(),
      let bottom = places.map(\.y).max()
    else { return "nowhere" }
    return "at \(left),\(top) \(right - left)×\(bottom - top)"
  }
}
