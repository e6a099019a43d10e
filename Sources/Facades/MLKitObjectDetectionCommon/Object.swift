import SwiftletImage
@_spi(Facades) package import SwiftletTracking

/// A closure that receives an image's objects, or an error. An empty list is not an error: nothing was detected.
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

/// A detected object in an image: `frame`, `trackingID`, and `labels` as in ML Kit, and additional properties.
public final class Object: NSObject, Sendable {
  /// The labels of the object, best first; empty without a classifier, and in a stream until the object has been
  /// classified.
  public let labels: [ObjectLabel]
  /// The ID of the object, the same in every frame of a stream. IDs start at 0 and are never reused in the process;
  /// `nil` in single images.
  public let trackingID: NSNumber?
  private let value: TrackedObject

  package init(_ value: TrackedObject) {
    self.value = value
    labels = value.labels.map { ObjectLabel(text: $0.text, index: $0.index, confidence: $0.confidence) }
    trackingID = value.trackingID.map { NSNumber(value: $0) }
  }

  /// The bounding box of the object, in pixels of the stored image, with the origin at the top left and y down; inside
  /// the image.
  public var frame: CGRect { CGRect(value.box) }

  // MARK: Additions to ML Kit's objects

  /// The confidence of the localizer that there is an object, 0…1.
  public var score: Float { value.score }
  /// The prominence of the object, 0…1, from its score, size, and distance from the center. Results are ordered by
  /// prominence.
  public var prominence: Double { value.prominence }
  /// A Boolean value that indicates whether `frame` is predicted, because the object was not detected in the last
  /// searched frame.
  public var isPredicted: Bool { value.isPredicted }

  /// Returns the frame in pixels of the stored image or of the upright image.
  public func frame(upright: Bool) -> CGRect { CGRect(upright ? value.uprightBox : value.box) }

  /// Returns the frame in fractions, 0…1, of the width and height of the stored image or of the upright image.
  public func normalizedFrame(upright: Bool) -> CGRect {
    let (frame, size) = (frame(upright: upright), value.imageSize(upright: upright))
    return CGRect(
      x: frame.origin.x / size.width, y: frame.origin.y / size.height, width: frame.size.width / size.width,
      height: frame.size.height / size.height)
  }

  /// Returns whether both objects have equal values.
  public override func isEqual(_ object: Any?) -> Bool { (object as? Object)?.value == value }

  /// A hash that is the same for equal objects.
  public override var hash: Int { value.hashValue }
}

/// A label of an object, with the confidence of the classifier: `text`, `index`, and `confidence`.
public final class ObjectLabel: ClassLabel, @unchecked Sendable {}

extension CGRect {
  fileprivate init(_ box: PixelRect) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}

/// The texts of the coarse categories of ML Kit's own classifier.
///
/// This package has no such classifier. The names are for a classifier that the app specifies
/// (``ObjectDetectorOptions/coarseClassifierModel``).
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The text of the label.
  public let rawValue: String

  /// Creates a label with a text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes, and accessories.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// Furniture and household items.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Food and drinks.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// Buildings and places.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// Plants.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}

/// The indices of the coarse categories of ML Kit's own classifier.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  /// The index of the label.
  public let rawValue: Int

  /// Creates a label index.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Clothes, shoes, and accessories.
  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  /// Furniture and household items.
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  /// Food and drinks.
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  /// Buildings and places.
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  /// Plants.
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
