/// The state of one track at the time of the last frame that was searched for objects.
struct TrackedBox: Sendable {
  enum Phase: Sendable {
    /// The track has too few sightings to be confirmed.
    case tentative
    /// The object was detected in the last searched frame.
    case tracked
    /// The track is confirmed, but the object was not detected in the last searched frame.
    case lost
  }

  /// The weight of the detection's size in the reported size; the rest is the filter's.
  private static let measuredShare = 0.7
  /// The distance between a detection's center and the filter's at which both have equal weight, as a fraction of the
  /// box's height.
  private static let unrest = 0.03

  /// The time constant of the score average, in seconds.
  private static let standingSeconds = 0.5

  var phase = Phase.tentative
  /// The ID; -1 until the track is confirmed.
  var id = -1
  var motion: BoxMotion
  /// The offset of the reported box from the filter's box, which follows changes with a delay.
  private var extraX = 0.0
  private var extraY = 0.0
  private var extraWidth = 0.0
  private var extraHeight = 0.0
  var score: Double
  /// The average score over the last moments.
  private(set) var standing: Double
  var firstSeen: Duration
  var lastSeen: Duration
  /// The number of frames in which the object was detected. The next property counts the most recent consecutive ones.
  var sightings = 1
  var hitsInARow = 1
  var missesInARow = 0
  /// Whether the object is reported.
  var hasSlot = false
  /// The predicted box for the current frame.
  var expected: PixelRect
  /// The index of the matched candidate in the current frame, -1 for none.
  var match = -1
  /// The index of the matched detection in the caller's array.
  var detectionIndex: Int?
  /// The appearance of the object when its colors were last read.
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

  /// The box of the filter.
  var box: PixelRect { motion.box }

  mutating func predict(seconds: Double, decay: Double) {
    if seconds > 0 { motion.predict(seconds: seconds, decay: phase == .lost ? decay : nil) }
    expected = motion.box
    match = -1
    detectionIndex = nil
  }

  /// Updates the track with a matched detection.
  ///
  /// - Parameter isWeak: Whether the detection has a low score. Such a detection mainly keeps the track alive: the
  ///   lower its score, the less weight its box has.
  mutating func update(_ candidate: Candidate, at time: Duration, isWeak: Bool) {
    motion.update(candidate.box, weakness: isWeak ? 2 - candidate.score : 1)
    let filtered = motion.box
    extraWidth = Self.measuredShare * (candidate.box.width - filtered.width)
    extraHeight = Self.measuredShare * (candidate.box.height - filtered.height)
    let (measured, center) = (candidate.box.center, filtered.center)
    let (across, down) = (measured.x - center.x, measured.y - center.y)
    // A small difference is detector noise, which the filter removes. A large one is a jump that the filter has not
    // followed yet.
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

  /// Returns whether both tracks have colors from the same light, and differ.
  func isUnlike(_ other: TrackedBox, tolerance: Double) -> Bool {
    guard let look = appearance, let otherLook = other.appearance, let difference = look.difference(from: otherLook)
    else { return false }
    return difference > tolerance
  }

  mutating func miss() {
    hitsInARow = 0
    missesInARow += 1
  }

  /// Returns whether the object is leaving the frame at its border, so that it is gone if it is not detected.
  func isLeaving(frameWidth: Double, frameHeight: Double) -> Bool {
    let box = box
    let (across, down) = (0.1 * box.width, 0.1 * box.height)
    return motion.centerX.velocity < -across && box.x < 0.2 * across
      || motion.centerX.velocity > across && box.x + box.width > frameWidth - 0.2 * across
      || motion.centerY.velocity < -down && box.y < 0.2 * down
      || motion.centerY.velocity > down && box.y + box.height > frameHeight - 0.2 * down
  }

  /// Returns the predicted box, not clipped, and velocity of the object some time after the last searched frame.
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
