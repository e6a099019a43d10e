public import Foundation

/// An object in a picture.
public struct TrackedObject: Sendable, Hashable {
  /// Where the object is, in pixels of the picture as it is stored, origin at its top left, y down; inside the picture.
  public let frame: CGRect
  /// The same for one object in every frame of a stream, from 0 up, never used for another one in the process; `nil` in
  /// single pictures.
  public let trackingID: Int?
  /// What the object may be, best first; empty without a classifier, and in a stream until the classifier has had its
  /// turn.
  public internal(set) var labels: [ObjectLabel]
  /// How sure the localizer is that there is an object, 0…1.
  public let score: Float
  /// How much the object stands out, 0…1: score, size and closeness to the centre. Results are ordered by it.
  public let prominence: Double
  /// Whether the last picture that was searched did not show the object, so that `frame` is where it is expected.
  public let isPredicted: Bool
  private let geometry: PictureGeometry

  /// - Parameter box: in pixels of the upright picture, inside it.
  init(
    box: BoundingBox, geometry: PictureGeometry, trackingID: Int?, labels: [ObjectLabel], score: Double,
    isPredicted: Bool
  ) {
    frame = CGRect(geometry.stored(box))
    self.geometry = geometry
    self.trackingID = trackingID
    self.labels = labels
    self.score = Float(score)
    self.isPredicted = isPredicted
    prominence = box.prominence(score: score, frameWidth: geometry.uprightWidth, frameHeight: geometry.uprightHeight)
  }

  /// The frame in the picture as it is stored, or as it stands upright; in pixels.
  public func frame(upright: Bool) -> CGRect {
    upright ? CGRect(geometry.upright(BoundingBox(frame))) : frame
  }

  /// The frame as fractions, 0…1, of the width and height of the picture as it is stored, or as it stands upright.
  public func normalizedFrame(upright: Bool) -> CGRect {
    let frame = frame(upright: upright)
    let width = upright ? geometry.uprightWidth : Double(geometry.width)
    let height = upright ? geometry.uprightHeight : Double(geometry.height)
    return CGRect(
      x: frame.origin.x / width, y: frame.origin.y / height, width: frame.size.width / width,
      height: frame.size.height / height)
  }

  /// Whether this object stands before `other` in a result: the more prominent one, then the one with the lower ID.
  func precedes(_ other: TrackedObject) -> Bool {
    prominence > other.prominence || prominence == other.prominence && (trackingID ?? 0) < (other.trackingID ?? 0)
  }
}
