import SwiftletDrawing
import SwiftletImage
import SwiftletJSON
import SwiftletVision

/// What points in pictures and points in space have in common.
private protocol LandmarkNumbers {
  var x: Float { get }
  var y: Float { get }
  var z: Float { get }
  var visibility: Float? { get }
  var presence: Float? { get }
}

extension LandmarkNumbers {
  /// The object of a point in `--json`: visibility and presence only where the task gives them.
  fileprivate var object: JSONValue {
    var members = [("x", x), ("y", y), ("z", z)]
    if let visibility { members.append(("visibility", visibility)) }
    if let presence { members.append(("presence", presence)) }
    return .object(members.map { JSONValue.Member(key: $0.0, value: .float($0.1)) })
  }
}

extension NormalizedLandmark: LandmarkNumbers {
  var json: JSONValue { object }

  /// The pixel that the point lies in.
  func place(in image: InputImage) -> Canvas.Place? { NormalizedPoint(x: x, y: y).place(in: image) }
}

extension Landmark: LandmarkNumbers {
  var json: JSONValue { object }
}

extension NormalizedPoint {
  /// The pixel that the point lies in; `nil` for what is no number, and for what lies so far outside that it is not
  /// drawn.
  func place(in image: InputImage) -> Canvas.Place? {
    let (column, row) = (x * Float(image.width), y * Float(image.height))
    guard abs(column) < 1e6, abs(row) < 1e6 else { return nil }
    return Canvas.Place(x: Int(column.rounded(.down)), y: Int(row.rounded(.down)))
  }
}

extension ResultCategory {
  /// The form of a category that has no other language: handedness, a gesture, an expression.
  var shortJSON: JSONValue {
    .object(["name": .optional(categoryName), "score": .float(score), "index": .int(index)])
  }
}

extension [NormalizedLandmark] {
  /// Where in the picture the points are, for people: the corner of a box around them and its size in pixels.
  func extent(in image: InputImage) -> String {
    let places = compactMap { $0.place(in: image) }
    guard let left = places.map(\.x).min(), let right = places.map(\.x).max(), let top = places.map(\.y).min(),
      let bottom = places.map(\.y).max()
    else { return "nowhere" }
    return "at \(left),\(top) \(right - left)×\(bottom - top)"
  }
}
