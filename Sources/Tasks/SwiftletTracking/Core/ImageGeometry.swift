@_spi(Facades) public import SwiftletTasks

/// The size of a stored image and how it is turned: what leads from upright coordinates to stored ones and back, both
/// in pixels.
///
/// - Source: the table of EXIF orientations; edges of boxes are continuous, so that an image of width W reaches from 0
///   to W.
struct ImageGeometry: Sendable, Hashable {
  /// Of the image as it is stored, in pixels.
  var width: Int
  var height: Int
  var orientation: ImageOrientation

  init(width: Int, height: Int, orientation: ImageOrientation) {
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  init(_ image: InputImage) { self.init(width: image.width, height: image.height, orientation: image.orientation) }

  /// Of the upright image, in pixels.
  var uprightWidth: Double { Double(orientation.swapsWidthAndHeight ? height : width) }
  var uprightHeight: Double { Double(orientation.swapsWidthAndHeight ? width : height) }

  /// A box of the upright image in the stored one.
  func stored(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.uprightToStored, toWidth: Double(width), height: Double(height))
  }

  /// A box of the stored image in the upright one.
  func upright(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.storedToUpright, toWidth: uprightWidth, height: uprightHeight)
  }

  /// A box of the upright image cut at its edges; `nil` when nothing is left.
  func clipped(_ box: PixelRect) -> PixelRect? {
    let part = box.clipped(width: uprightWidth, height: uprightHeight)
    return part.isUsable ? part : nil
  }

  /// A box of the stored image as fractions of it, as tasks take a region of interest.
  func regionOfInterest(_ stored: PixelRect) -> NormalizedRect {
    let (x, y) = (stored.x / Double(width), stored.y / Double(height))
    let (width, height) = (stored.width / Double(width), stored.height / Double(height))
    return NormalizedRect(
      left: Float(x), top: Float(y), right: Float(x + width), bottom: Float(y + height))
  }

  /// The maps of orientations have factors of 0 and ±1 only: what is a shift by 1 there is one by the size of the
  /// target in pixels.
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

/// A rule of classification models that a model breaks.
///
/// - Source: the raw values are the status numbers of TFLite Support, as they appear in the logs of ML Kit.
public enum ModelFault: Int, Sendable, Hashable, CaseIterable {
  /// A property contradicts what the model is for, such as a gray color space.
  case invalidArgument = 2
  /// There is no file at the path.
  case fileNotFound = 100
  /// The file may not be read.
  case filePermission = 101
  /// The file cannot be read.
  case fileRead = 102
  /// The metadata is damaged, or of another schema.
  case metadataSchema = 200
  /// A file that the metadata names is not in the model.
  case associatedFileMissing = 201
  /// The archive appended to the model is damaged.
  case archive = 202
  /// Metadata and model contradict each other, or labels do not fit the output.
  case metadataInconsistent = 203
  /// Normalization or threshold are given twice or make no sense.
  case processUnits = 204
  /// Labels and names in another language differ in number.
  case labelCountMismatch = 205
  /// The calibration of scores is damaged, or does not fit the labels.
  case scoreCalibration = 206
  /// A float32 input without a normalization in the metadata or the options.
  case normalizationMissing = 208
  /// The model has another number of inputs than one.
  case inputCount = 300
  /// The input has other dimensions than one image's.
  case inputDimensions = 301
  /// The input is neither float32 nor bytes.
  case inputType = 302
  /// An output has other dimensions than scores of classes.
  case outputDimensions = 400
  /// An output is neither float32 nor bytes with one scale, or some are floats and some are bytes.
  case outputType = 401
  /// An output that the model needs is missing.
  case outputMissing = 402
}

extension TaskError {
  /// The rule that a classification model breaks; `nil` for errors of another kind.
  public var modelFault: ModelFault? {
    if case .brokenRule(let number) = cause { ModelFault(rawValue: number) } else { nil }
  }

  /// Creates the error of a model that breaks a rule; the number of the rule ends the message.
  static func broken(_ fault: ModelFault, _ message: String) -> TaskError {
    TaskError(.invalidModel, "\(message) (\(fault.rawValue))", .brokenRule(fault.rawValue))
  }

  static func invalidOption(_ message: String) -> TaskError { TaskError(.invalidOption, message) }
}
