import SwiftletBase

/// A tracked object in one frame.
public struct Track: Sendable, Hashable, Identifiable {
  /// The state of a track.
  public enum State: Sendable, Hashable {
    /// The object was detected in the last frame that was searched for objects.
    case confirmed
    /// The object was not detected in that frame; its box is predicted.
    case coasting
  }

  /// The velocity of the center of a box, in pixels per second, x to the right and y down.
  public struct Velocity: Sendable, Hashable {
    /// The horizontal velocity, in pixels per second, positive to the right.
    public var x: Double
    /// The vertical velocity, in pixels per second, positive downwards.
    public var y: Double

    /// Creates a velocity in pixels per second.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The ID of the object, the same in every frame. IDs start at 0 and are never reused within the process.
  public var id: Int
  /// The box in pixels of the upright frame, clipped to it.
  public var box: PixelRect
  /// The velocity of the center of the box.
  public var velocity: Velocity
  /// The score of the last detection that the track was matched with, 0…1.
  public var score: Double
  /// The state of the track.
  public var state: State
  /// The index of the matched detection in this update; `nil` if there is none, and in frames without detections.
  public var detectionIndex: Int?
  /// The time of the object's first detection.
  public var firstSeen: Duration
  /// The time of the object's last detection.
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
  /// The box in pixels of the upright frame. Boxes that are not finite, are empty, or lie outside the frame are
  /// ignored.
  public var box: PixelRect
  /// The confidence of the detector, 0…1. Larger values count as 1; a detection whose score is NaN is ignored.
  public var score: Double
  /// The colors inside the box; `nil` if they are not known, so that matching uses only the box.
  public var appearance: Appearance?

  /// Creates a detection.
  public init(box: PixelRect, score: Double, appearance: Appearance? = nil) {
    self.box = box
    self.score = score
    self.appearance = appearance
  }
}

/// The process-wide source of track IDs: 0, 1, 2, and so on, each assigned once, to any tracker on any thread.
enum TrackIdentifiers {
  private static let count = Atomic<Int>(0)

  static func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
