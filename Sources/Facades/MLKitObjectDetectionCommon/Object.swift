import SwiftletImage
@_spi(Facades) package import SwiftletTracking

/// Receives an image's objects, or an error. An empty list is no error: nothing was found.
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

/// An object in an image: `frame`, `trackingID` and `labels` as in ML Kit, and more.
public final class Object: NSObject, Sendable {
  /// The labels of an object, best first; empty without a classifier, and in a stream until the classifier has had its
  /// turn.
  public let labels: [ObjectLabel]
  /// The same for one object in every frame of a stream, from 0 up, never used for another one in the process; `nil` in
  /// single images.
  public let trackingID: NSNumber?
  private let value: TrackedObject

  package init(_ value: TrackedObject) {
    self.value = value
    labels = value.labels.map { ObjectLabel(text: $0.text, index: $0.index, confidence: $0.confidence) }
    trackingID = value.trackingID.map { NSNumber(value: $0) }
  }

  /// The bounding box of the object, in pixels of the image as it is stored, origin at its top left, y down; inside the
  /// image.
  public var frame: CGRect { CGRect(value.box) }

  // MARK: Additions to ML Kit's objects

  /// The confidence of the localizer that there is an object, 0…1.
  public var score: Float { value.score }
  /// The prominence of the object, 0…1: score, size and closeness to the center. Results are ordered by it.
  public var prominence: Double { value.prominence }
  /// A Boolean value that indicates whether the last image that was searched did not show the object, so that `frame`
  /// is where it is expected.
  public var isPredicted: Bool { value.isPredicted }

  /// The frame in the image as it is stored, or as it stands upright; in pixels.
  public func frame(upright: Bool) -> CGRect { CGRect(upright ? value.uprightBox : value.box) }

  /// The frame as fractions, 0…1, of the width and height of the image as it is stored, or as it stands upright.
  public func normalizedFrame(upright: Bool) -> CGRect {
    let (frame, size) = (frame(upright: upright), value.imageSize(upright: upright))
    return CGRect(
      x: frame.origin.x / size.width, y: frame.origin.y / size.height, width: frame.size.width / size.width,
      height: frame.size.height / size.height)
  }

  /// Objects are equal when all of their values are.
  public override func isEqual(_ object: Any?) -> Bool { (object as? Object)?.value == value }

  /// The same for objects that are equal.
  public override var hash: Int { value.hashValue }
}

/// A label of an object, with the confidence of the classifier: `text`, `index` and `confidence`.
public final class ObjectLabel: ClassLabel, @unchecked Sendable {}

extension CGRect {
  fileprivate init(_ box: PixelRect) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}

/// The texts of the coarse categories that ML Kit's own classifier gives.
///
/// This package brings no such classifier; the names are for one that the app configures
/// (``ObjectDetectorOptions/coarseClassifierModel``).
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The text of the label.
  public let rawValue: String

  /// Creates a label of this text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes and what is worn with them.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// Furniture and what is used at home.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Food and drinks.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// Buildings and places.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// Plants.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}

/// The indices of the coarse categories that ML Kit's own classifier gives.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  /// The number of the label.
  public let rawValue: Int

  /// Creates a label of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Clothes, shoes and what is worn with them.
  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  /// Furniture and what is used at home.
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  /// Food and drinks.
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  /// Buildings and places.
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  /// Plants.
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
