public import SwiftletImage

/// An object in a picture.
public struct TrackedObject: Sendable, Hashable {
  /// Where the object is, in pixels of the picture as it is stored, origin at its top left, y down; inside the picture.
  public let box: PixelRect
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
  /// Whether the last picture that was searched did not show the object, so that `box` is where it is expected.
  public let isPredicted: Bool
  private let geometry: PictureGeometry

  /// - Parameter box: in pixels of the upright picture, inside it.
  init(
    box: PixelRect, geometry: PictureGeometry, trackingID: Int?, labels: [ObjectLabel], score: Double,
    isPredicted: Bool
  ) {
    self.box = geometry.stored(box)
    self.geometry = geometry
    self.trackingID = trackingID
    self.labels = labels
    self.score = Float(score)
    self.isPredicted = isPredicted
    prominence = box.prominence(score: score, frameWidth: geometry.uprightWidth, frameHeight: geometry.uprightHeight)
  }

  /// The box in pixels of the upright image.
  public var uprightBox: PixelRect { geometry.upright(box) }

  /// The size of the image that the box lies in: as it is stored, or upright.
  @_spi(Facades)
  public func imageSize(upright: Bool) -> (width: Double, height: Double) {
    upright
      ? (geometry.uprightWidth, geometry.uprightHeight) : (Double(geometry.width), Double(geometry.height))
  }

  /// Whether this object stands before `other` in a result: the more prominent one, then the one with the lower ID.
  func precedes(_ other: TrackedObject) -> Bool {
    prominence > other.prominence || prominence == other.prominence && (trackingID ?? 0) < (other.trackingID ?? 0)
  }
}
