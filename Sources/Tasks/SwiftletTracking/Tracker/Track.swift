import SwiftletBase

/// An object as the tracker sees it in one frame.
public struct Track: Sendable, Hashable, Identifiable {
  /// The confidence of the tracker in a track.
  public enum State: Sendable, Hashable {
    /// Seen in the last frame that was searched for objects.
    case confirmed
    /// Not seen in it; the box is where the object is expected.
    case coasting
  }

  /// The velocity of the center of a box, in pixels per second, x to the right and y down.
  public struct Velocity: Sendable, Hashable {
    /// To the right, in pixels per second.
    public var x: Double
    /// Down, in pixels per second.
    public var y: Double

    /// Creates a velocity in pixels per second.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The same for an object in every frame, and never used for another one within the process; from 0 up.
  public var id: Int
  /// In pixels of the upright frame, clipped to it.
  public var box: PixelRect
  /// The velocity of the center of the box.
  public var velocity: Velocity
  /// The score of the last detection that the track was matched with, 0…1.
  public var score: Double
  /// The confidence of the tracker in the track.
  public var state: State
  /// The index of the detection in this update that the object was matched with; `nil` when none was, and in frames
  /// without detections.
  public var detectionIndex: Int?
  /// The time of the object's first detection.
  public var firstSeen: Duration
  /// The time of its last detection.
  public var lastSeen: Duration

  /// Creates a track.
  public init(
    id: Int, box: PixelRect, velocity: Velocity, score: Double, state: State, detectionIndex: Int?,
    firstSeen: Duration, lastSeen: Duration
  ) {
    self.id = id
    self.box = box
    self.velocity = velocity
    self.score = score
    self.state = state
    self.detectionIndex = detectionIndex
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
  }
}

/// A detection in a frame, without a class: a box and the confidence of the detector.
public struct BoxDetection: Sendable, Hashable {
  /// In pixels of the upright frame. Boxes that are not made of finite numbers, are empty or lie outside the frame are
  /// ignored.
  public var box: PixelRect
  /// The confidence of the detector, 0…1. More counts as 1; a detection whose score is NaN is ignored.
  public var score: Double
  /// The colors inside the box; `nil` when they are not known, so that the box alone decides.
  public var appearance: Appearance?

  /// Creates a box that was found in a frame.
  public init(box: PixelRect, score: Double, appearance: Appearance? = nil) {
    self.box = box
    self.score = score
    self.appearance = appearance
  }
}

/// The process's supply of track IDs: 0, 1, 2 and so on, each given out once, to any tracker on any thread.
enum TrackIdentifiers {
  private static let count = Atomic<Int>(0)

  static func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
