/// What the tracker knows of one object, at the time of the last frame that was searched for objects.
struct TrackedBox: Sendable {
  enum Phase: Sendable {
    /// Not seen often enough to be confirmed.
    case tentative
    /// Seen in the last searched frame.
    case tracked
    /// Confirmed, but not seen in the last searched frame.
    case lost
  }

  /// How much of a reported size is the detection's, the rest the filter's.
  private static let measuredShare = 0.7
  /// How far a detection's center may be off for being half believed, as a share of the box's height.
  private static let unrest = 0.03

  /// The time constant of the mean of scores, in seconds.
  private static let standingSeconds = 0.5

  var phase = Phase.tentative
  /// -1 until the track is confirmed.
  var id = -1
  var motion: BoxMotion
  /// By how much the reported box differs from the filter's, which follows changes late.
  private var extraX = 0.0
  private var extraY = 0.0
  private var extraWidth = 0.0
  private var extraHeight = 0.0
  var score: Double
  /// The score's mean over the last moments.
  private(set) var standing: Double
  var firstSeen: Duration
  var lastSeen: Duration
  /// In how many frames the object was detected, and in how many of the last ones in a row.
  var sightings = 1
  var hitsInARow = 1
  var missesInARow = 0
  /// Whether it is one of those that are reported.
  var hasSlot = false
  /// The box as predicted for the frame that is worked on.
  var expected: PixelRect
  /// Its candidate's position in the frame that is worked on, -1 for none.
  var match = -1
  /// The caller's index of that detection.
  var detectionIndex: Int?
  /// How the object looked when it was last looked at.
  private(set) var appearance: Appearance?

  init(_ candidate: Candidate, at time: Duration) {
    motion = BoxMotion(candidate.box)
    expected = candidate.box
    score = candidate.score
    standing = candidate.score
    firstSeen = time
    lastSeen = time
    detectionIndex = candidate.index
    appearance = candidate.appearance
  }

  /// The filter's box.
  var box: PixelRect { motion.box }

  mutating func predict(seconds: Double, decay: Double) {
    if seconds > 0 { motion.predict(seconds: seconds, decay: phase == .lost ? decay : nil) }
    expected = motion.box
    match = -1
    detectionIndex = nil
  }

  /// - Parameter isWeak: whether the detection has a low score. Such a detection only keeps the track alive: the lower
  ///   its score, the less its box counts.
  mutating func update(_ candidate: Candidate, at time: Duration, isWeak: Bool) {
    motion.update(candidate.box, weakness: isWeak ? 2 - candidate.score : 1)
    let filtered = motion.box
    extraWidth = Self.measuredShare * (candidate.box.width - filtered.width)
    extraHeight = Self.measuredShare * (candidate.box.height - filtered.height)
    let (measured, center) = (candidate.box.center, filtered.center)
    let (across, down) = (measured.x - center.x, measured.y - center.y)
    // A small difference is noise of the detector, which the filter removes. A large one is a jump that the filter has
    // not followed yet.
    let unrest = Self.unrest * filtered.height
    let share = (across * across + down * down) / (across * across + down * down + unrest * unrest)
    extraX = share * across
    extraY = share * down
    score = candidate.score
    standing = score + (standing - score) * decayFactor(time.seconds(since: lastSeen) / Self.standingSeconds)
    detectionIndex = candidate.index
    if let seen = candidate.appearance { follow(seen) }
    lastSeen = time
    sightings += 1
    hitsInARow += 1
    missesInARow = 0
  }

  private mutating func follow(_ seen: Appearance) {
    guard var known = appearance else { return appearance = seen }
    known.follow(seen)
    appearance = known
  }

  /// Whether both have been looked at under the same light, and differ.
  func isUnlike(_ other: TrackedBox, tolerance: Double) -> Bool {
    guard let look = appearance, let otherLook = other.appearance, let difference = look.difference(from: otherLook)
    else { return false }
    return difference > tolerance
  }

  mutating func miss() {
    hitsInARow = 0
    missesInARow += 1
  }

  /// Whether the object is at the border of the frame and on its way out, so that it has left when it is not seen.
  func isLeaving(frameWidth: Double, frameHeight: Double) -> Bool {
    let box = box
    let (across, down) = (0.1 * box.width, 0.1 * box.height)
    return motion.centerX.velocity < -across && box.x < 0.2 * across
      || motion.centerX.velocity > across && box.x + box.width > frameWidth - 0.2 * across
      || motion.centerY.velocity < -down && box.y < 0.2 * down
      || motion.centerY.velocity > down && box.y + box.height > frameHeight - 0.2 * down
  }

  /// Where the object is expected some time after the last searched frame, not clipped, and how it moves.
  func expectation(after seconds: Double, decay: Double) -> (box: PixelRect, velocity: Track.Velocity) {
    var later = motion
    if seconds > 0 { later.predict(seconds: seconds, decay: phase == .lost ? decay : nil) }
    let box = later.box
    let reported = PixelRect(
      centerX: later.centerX.position + extraX, centerY: later.centerY.position + extraY,
      width: max(box.width + extraWidth, box.width / 4),
      height: max(box.height + extraHeight, box.height / 4))
    return (reported, Track.Velocity(x: later.centerX.velocity, y: later.centerY.velocity))
  }
}
