import SwiftletImage
import SwiftletTasks

/// *Follow*: which regions of a frame the next model looks at. They come from where things were in the frame before, so
/// that the finder runs only when there may be more of them.
///
/// - Source: the association of MediaPipe's landmark tasks, which compares regions as if they were not turned.
struct RegionTracker: FrameMemory {
  /// Which of two regions that overlap stays.
  enum Preference: Sendable, Hashable {
    /// The one that is followed, or that was found first; hands.
    case followed
    /// The one that was found, or that was found last; faces and poses.
    case found
  }

  /// A region to look at.
  struct Candidate: Sendable, Hashable {
    var region: NormalizedRect
    /// Which of the things of the last frame, as they were given to ``follow(_:)``, is expected there; `nil` for a new
    /// one. A found region that replaces a followed one is that thing's.
    var identity: Int?
  }

  /// The most regions of a frame.
  let limit: Int
  /// Regions that overlap by more are those of one thing; intersection over union.
  let overlapThreshold: Float
  let preference: Preference
  private var followed: [NormalizedRect] = []
  /// The answer to the last call, whose memory is that of the next one if nobody keeps it.
  private var candidates: [Candidate] = []

  init(limit: Int, overlapThreshold: Float, preference: Preference) {
    self.limit = limit
    self.overlapThreshold = overlapThreshold
    self.preference = preference
  }

  mutating func assign(_ other: RegionTracker) { followed.assign(other.followed) }

  /// The regions of the next frame.
  ///
  /// - Parameter find: finds regions in the frame, best first; called only when fewer than ``limit`` are followed.
  mutating func regions(finding find: () throws -> [NormalizedRect]) rethrows -> [Candidate] {
    let found = followed.count < limit ? try find() : []
    candidates.removeAll(keepingCapacity: true)
    for (identity, region) in followed.enumerated() {
      let candidate = Candidate(region: region, identity: identity)
      // Things that have come to one place are one, unless the task's rule is that what is followed stays.
      if preference == .found { add(candidate) } else { candidates.append(candidate) }
    }
    for region in found { add(Candidate(region: region, identity: nil)) }
    if candidates.count > limit { candidates.removeSubrange(limit...) }
    return candidates
  }

  /// Adds a candidate in place of those that it overlaps, or not at all where they stay.
  private mutating func add(_ added: Candidate) {
    var added = added
    let (region, threshold) = (added.region, overlapThreshold)
    func overlaps(_ other: Candidate) -> Bool { region.intersectionOverUnion(with: other.region) > threshold }
    switch preference {
    case .followed: if candidates.contains(where: overlaps) { return }
    case .found:
      let replaced = candidates.first { $0.identity != nil && overlaps($0) }
      added.identity = added.identity ?? replaced?.identity
      candidates.removeAll(where: overlaps)
    }
    candidates.append(added)
  }

  /// Sets the regions in which things are expected in the next frame, one for each thing that is still there.
  mutating func follow(_ regions: [NormalizedRect]) {
    followed.assign(regions)
  }
}

// Landmark models know no mirrored regions, so a mirrored image is processed as its mirror image, and results are mirrored
// back.

extension InputImage {
  /// Returns an image of the same scene whose orientation is not mirrored, and whether that is the mirror image of this
  /// one.
  ///
  /// - Throws: `ImageError` if there is no memory for the mirror image.
  func unmirrored() throws -> (image: InputImage, isMirrored: Bool) {
    guard orientation.isMirrored else { return (self, false) }
    var image = try replacingPixels { try $0.oriented(.upMirrored) }
    // Rotated first and mirrored then is mirrored first and rotated the other way then.
    image.orientation =
      switch orientation {
      case .leftMirrored: .left
      case .downMirrored: .down
      case .rightMirrored: .right
      default: .up
      }
    return (image, true)
  }
}

extension [NormalizedLandmark] {
  /// Moves landmarks to the mirror image of their image.
  mutating func mirror() {
    for index in indices { self[index].x = 1 - self[index].x }
  }
}

extension [Landmark] {
  /// Moves world landmarks to the mirror image of their image.
  mutating func mirror() {
    for index in indices { self[index].x = -self[index].x }
  }
}
