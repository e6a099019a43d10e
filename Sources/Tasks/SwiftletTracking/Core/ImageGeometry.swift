@_spi(Facades) public import SwiftletTasks

/// The size and orientation of a stored image, with the maps between upright and stored coordinates, both in pixels.
///
/// - Source: the table of EXIF orientations. Coordinates are continuous, so that an image of width W extends from 0 to
///   W.
struct ImageGeometry: Sendable, Hashable {
  /// The width of the stored image, in pixels.
  var width: Int
  var height: Int
  var orientation: ImageOrientation

  init(width: Int, height: Int, orientation: ImageOrientation) {
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  init(_ image: InputImage) { self.init(width: image.width, height: image.height, orientation: image.orientation) }

  /// The width of the upright image, in pixels.
  var uprightWidth: Double { Double(orientation.swapsWidthAndHeight ? height : width) }
  var uprightHeight: Double { Double(orientation.swapsWidthAndHeight ? width : height) }

  /// Returns a box of the upright image in coordinates of the stored image.
  func stored(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.uprightToStored, toWidth: Double(width), height: Double(height))
  }

  /// Returns a box of the stored image in coordinates of the upright image.
  func upright(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.storedToUpright, toWidth: uprightWidth, height: uprightHeight)
  }

  /// Returns a box clipped to the upright image; `nil` if nothing remains.
  func clipped(_ box: PixelRect) -> PixelRect? {
    let part = box.clipped(width: uprightWidth, height: uprightHeight)
    return part.isUsable ? part : nil
  }

  /// Returns a box of the stored image as a region of interest, in fractions of the image.
  func regionOfInterest(_ stored: PixelRect) -> NormalizedRect {
    let (x, y) = (stored.x / Double(width), stored.y / Double(height))
    let (width, height) = (stored.width / Double(width), stored.height / Double(height))
    return NormalizedRect(
      left: Float(x), top: Float(y), right: Float(x + width), bottom: Float(y + height))
  }

  /// Maps a box by an orientation. The map of an orientation has only factors of 0 and ±1. Its shifts are 0 or 1 and
  /// are scaled to the size of the target in pixels.
  private static func mapped(
    _ box: PixelRect, by map: ImageProjection, toWidth width: Double, height: Double
  ) -> PixelRect {
    func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (
        Double(map.xx) * x + Double(map.xy) * y + Double(map.x0) * width,
        Double(map.yx) * x + Double(map.yy) * y + Double(map.y0) * height
      )
    }
    let (first, last) = (point(box.x, box.y), point(box.x + box.width, box.y + box.height))
    return PixelRect(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x), height: abs(last.y - first.y))
  }
}

/// A requirement on classification models that a model violates.
///
/// - Source: the raw values are the status codes of TFLite Support, as they appear in the logs of ML Kit.
public enum ModelFault: Int, Sendable, Hashable, CaseIterable {
  /// A property doesn't suit the model's purpose, such as a gray color space.
  case invalidArgument = 2
  /// There is no file at the path.
  case fileNotFound = 100
  /// The process has no permission to read the file.
  case filePermission = 101
  /// The file cannot be read.
  case fileRead = 102
  /// The metadata is damaged, or has another schema.
  case metadataSchema = 200
  /// A file that the metadata refers to is not in the model.
  case associatedFileMissing = 201
  /// The archive appended to the model is damaged.
  case archive = 202
  /// Metadata and model contradict each other, or the number of labels doesn't match the output.
  case metadataInconsistent = 203
  /// Normalization or threshold are specified twice or are invalid.
  case processUnits = 204
  /// Labels and their translations differ in number.
  case labelCountMismatch = 205
  /// The score calibration is damaged, or doesn't match the labels.
  case scoreCalibration = 206
  /// A float32 input has no normalization in the metadata or the options.
  case normalizationMissing = 208
  /// The number of inputs is not 1.
  case inputCount = 300
  /// The input doesn't have the dimensions of one image.
  case inputDimensions = 301
  /// The input type is not supported: it is neither float32 nor an 8-bit type.
  case inputType = 302
  /// An output doesn't have the dimensions of class scores.
  case outputDimensions = 400
  /// An output is neither float32 nor an 8-bit type with one scale, or float and 8-bit outputs are mixed.
  case outputType = 401
  /// A required output is missing.
  case outputMissing = 402
}

extension TaskError {
  /// The requirement that a classification model violates; `nil` for other errors.
  public var modelFault: ModelFault? {
    if case .brokenRule(let number) = cause { ModelFault(rawValue: number) } else { nil }
  }

  /// Creates the error for a model that violates a requirement. The message ends with the status code.
  static func broken(_ fault: ModelFault, _ message: String) -> TaskError {
    TaskError(.invalidModel, "\(message) (\(fault.rawValue))", .brokenRule(fault.rawValue))
  }

  static func invalidOption(_ message: String) -> TaskError { TaskError(.invalidOption, message) }
}
