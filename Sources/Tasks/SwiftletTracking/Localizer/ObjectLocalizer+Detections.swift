import SwiftletVision

extension ObjectLocalizer {
  /// - Throws: `TaskError` when the model is missing or is not an object detection model.
  convenience init(_ options: ObjectLocalizerOptions, scoreThreshold: Float) throws {
    try self.init(options.baseOptions, scoreThreshold: scoreThreshold, overlapThreshold: options.overlapThreshold)
  }

  /// The objects in a picture, in pixels of the upright picture, best first.
  func detections(in image: MPImage) throws -> [BoxDetection] {
    let geometry = PictureGeometry(image)
    return try findings(in: image).map { finding in
      let (left, top) = (Double(finding.left) * geometry.uprightWidth, Double(finding.top) * geometry.uprightHeight)
      let (right, bottom) = (
        Double(finding.right) * geometry.uprightWidth, Double(finding.bottom) * geometry.uprightHeight
      )
      return BoxDetection(
        box: BoundingBox(x: left, y: top, width: right - left, height: bottom - top), score: Double(finding.score))
    }
  }
}
