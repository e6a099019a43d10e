import SwiftletVision

extension ObjectLocalizer {
  /// - Throws: `TaskError` when the model is missing or is not an object detection model.
  convenience init(_ options: ObjectLocalizerOptions, scoreThreshold: Float) throws {
    try self.init(
      ModelContext(options.baseOptions), scoreThreshold: scoreThreshold, overlapThreshold: options.overlapThreshold)
  }

  /// Returns the objects in an image, in pixels of the upright image, best first.
  ///
  /// - Parameter scoreThreshold: Places with a lower score are left out.
  func detections(in image: InputImage, scoreThreshold: Float) throws -> [BoxDetection] {
    let geometry = PictureGeometry(image)
    return try findings(in: image).filter { $0.score >= scoreThreshold }.map { finding in
      let (left, top) = (Double(finding.left) * geometry.uprightWidth, Double(finding.top) * geometry.uprightHeight)
      let (right, bottom) = (
        Double(finding.right) * geometry.uprightWidth, Double(finding.bottom) * geometry.uprightHeight
      )
      return BoxDetection(
        box: PixelRect(x: left, y: top, width: right - left, height: bottom - top), score: Double(finding.score))
    }
  }
}
