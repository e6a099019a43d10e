import SwiftletImage
import SwiftletTasks

/// The tracking step of a landmark task. It selects the regions of a frame that the landmark model runs on. They are
/// expected from the previous frame, so the detector runs only if fewer regions are tracked than allowed.
///
/// - Source: the association of MediaPipe's landmark tasks, which compares regions without regard to their rotations.
struct RegionTracker: FrameMemory {
  /// The rule that selects one of two overlapping regions.
  enum Preference: Sendable, Hashable {
    /// The tracked region, or the one that was detected first; for hands.
    case followed
    /// The detected region, or the one that was detected last; for faces and poses.
    case found
  }

  /// A region to run the landmark model on.
  struct Candidate: Sendable, Hashable {
    var region: NormalizedRect
    /// The index, in the last call of ``follow(_:)``, of the subject that is expected there; `nil` for a new subject. A
    /// detected region that replaces a tracked one gets its identity.
    var identity: Int?
  }

  /// The maximum number of regions in a frame.
  let limit: Int
  /// The intersection over union above which two regions belong to the same subject.
  let overlapThreshold: Float
  let preference: Preference
  private var followed: [NormalizedRect] = []
  /// The result of the last call. Its storage is reused by the next call unless the caller keeps the result.
  private var candidates: [Candidate] = []

  init(limit: Int, overlapThreshold: Float, preference: Preference) {
    self.limit = limit
    self.overlapThreshold = overlapThreshold
    self.preference = preference
  }

  mutating func assign(_ other: RegionTracker) { followed.assign(other.followed) }

  /// Returns the regions of the next frame.
  ///
  /// - Parameter find: Detects regions in the frame, best first. Called only if fewer than ``limit`` regions are
  ///   tracked.
  mutating func regions(finding find: () throws -> [NormalizedRect]) rethrows -> [Candidate] {
    let found = followed.count < limit ? try find() : []
    candidates.removeAll(keepingCapacity: true)
    for (identity, region) in followed.enumerated() {
      let candidate = Candidate(region: region, identity: identity)
      // Tracked regions that overlap now are merged, unless the task prefers tracked regions.
      if preference == .found { add(candidate) } else { candidates.append(candidate) }
    }
    for region in found { add(Candidate(region: region, identity: nil)) }
    if candidates.count > limit { candidates.removeSubrange(limit...) }
    return candidates
  }

  /// Adds a candidate: depending on the preference, it replaces those that it overlaps, or it is dropped.
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

  /// Sets the regions in which subjects are expected in the next frame, one for each subject that is still tracked.
  mutating func follow(_ regions: [NormalizedRect]) {
    followed.assign(regions)
  }
}

// Landmark models don't support mirrored regions. A mirrored image is therefore processed as its mirror image, and the
// results are mirrored back.

extension InputImage {
  /// Returns an image of the same scene whose orientation is not mirrored, and whether it is the mirror image of this
  /// image.
  ///
  /// - Throws: `ImageError` if there is no memory for the mirror image.
  func unmirrored() throws -> (image: InputImage, isMirrored: Bool) {
    guard orientation.isMirrored else { return (self, false) }
    var image = try replacingPixels { try $0.oriented(.upMirrored) }
    // Rotating and then mirroring is the same as mirroring and then rotating in the opposite direction.
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
  /// Transforms the landmarks to those of the mirror image.
  mutating func mirror() {
    for index in indices { self[index].x = 1 - self[index].x }
  }
}

extension [Landmark] {
  /// Transforms the world landmarks to those of the mirror image.
  mutating func mirror() {
    for index in indices { self[index].x = -self[index].x }
  }
}
