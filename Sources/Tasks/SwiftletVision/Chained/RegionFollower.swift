import SwiftletImage

/// *Follow*: which regions of a frame the next model looks at. They come from where things were in the frame before, so
/// that the finder runs only when there may be more of them.
///
/// - Source: the association of MediaPipe's landmark tasks, which compares regions as if they were not turned.
struct RegionFollower: Sendable {
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

  init(limit: Int, overlapThreshold: Float, preference: Preference) {
    self.limit = limit
    self.overlapThreshold = overlapThreshold
    self.preference = preference
  }

  /// The regions of the next frame.
  ///
  /// - Parameter find: finds regions in the frame, best first; called only when fewer than ``limit`` are followed.
  mutating func regions(finding find: () throws -> [NormalizedRect]) rethrows -> [Candidate] {
    let known = followed.indices.map { Candidate(region: followed[$0], identity: $0) }
    guard known.count < limit else { return Array(known.prefix(limit)) }
    let found = try find().map { Candidate(region: $0, identity: nil) }
    var regions: [Candidate] = preference == .followed ? known : []
    for var candidate in preference == .followed ? found : known + found {
      switch preference {
      case .followed: if regions.contains(where: { overlaps($0, candidate) }) { continue }
      case .found:
        let replaced = regions.first { overlaps($0, candidate) && $0.identity != nil }
        candidate.identity = candidate.identity ?? replaced?.identity
        regions.removeAll { overlaps($0, candidate) }
      }
      regions.append(candidate)
    }
    return Array(regions.prefix(limit))
  }

  /// Sets the regions in which things are expected in the next frame, one for each thing that is still there.
  mutating func follow(_ regions: [NormalizedRect]) { followed = regions }

  private func overlaps(_ one: Candidate, _ other: Candidate) -> Bool {
    one.region.intersectionOverUnion(with: other.region) > overlapThreshold
  }
}
